import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const everything: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Nest's own logger, but on standard error throughout: standard output is for answers. */
export class StandardErrorLogger extends ConsoleLogger {
  constructor(isVerbose: boolean) {
    super({
      logLevels: isVerbose ? everything : ['fatal', 'error'],
      colors: process.stderr.isTTY && !process.env['NO_COLOR'],
    });
  }

  protected override printMessages(messages: unknown[], context?: string, logLevel?: LogLevel): void {
    super.printMessages(messages, context, logLevel, 'stderr');
  }
}
