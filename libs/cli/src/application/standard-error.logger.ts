import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const everything: LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Nest's own logger, but on standard error throughout: standard output is for answers. */
export class StandardErrorLogger extends ConsoleLogger {
  constructor(private readonly isVerbose: boolean) {
    super({
      logLevels: isVerbose ? everything : ['fatal', 'error'],
      colors: process.stderr.isTTY && !process.env['NO_COLOR'],
    });
  }

  protected override printMessages(messages: unknown[], context?: string, logLevel?: LogLevel): void {
    // Why an application does not start is told by the command itself, in one sentence.
    if (context === 'ExceptionHandler' && !this.isVerbose) return;
    super.printMessages(messages, context, logLevel, 'stderr');
  }
}
