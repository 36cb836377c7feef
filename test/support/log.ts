import type { LoggerService, LogLevel } from '@nestjs/common';
import { inspect } from 'node:util';

interface Line {
  readonly level: LogLevel;
  readonly text: string;
}

/** Takes what Nest and the libraries log instead of the terminal, so that a test can read it. */
export class RecordedLog implements LoggerService {
  lines: Line[] = [];

  log = this.recorder('log');
  fatal = this.recorder('fatal');
  error = this.recorder('error');
  warn = this.recorder('warn');
  debug = this.recorder('debug');
  verbose = this.recorder('verbose');

  /** The lines of one level, or of all, as one text. */
  text(level?: LogLevel): string {
    return this.lines
      .filter((line) => level === undefined || line.level === level)
      .map((line) => `${line.level} ${line.text}`)
      .join('\n');
  }

  private recorder(level: LogLevel) {
    return (...parts: unknown[]): void => {
      const text = parts.map((part) => (typeof part === 'string' ? part : inspect(part))).join(' ');
      this.lines.push({ level, text });
    };
  }
}

/** Nest keeps one logger for the whole process, so there is one here too; each test starts with it empty. */
export const log = new RecordedLog();
