import { constants } from 'node:os';
import { Logger, type INestApplicationContext } from '@nestjs/common';
import { Drain } from './drain.js';

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT';

/** The part of Node's `process` that is used. */
interface SignalledProcess {
  on(signal: Signal, listener: () => void): unknown;
  exit(code: number): unknown;
}

/** Parameters of {@link shutDownOnSignals}. */
export interface SignalOptions {
  /** Default: SIGTERM and SIGINT. */
  readonly signals?: readonly Signal[];
  /** Default: the process of the application. */
  readonly process?: SignalledProcess;
}

/** The time that modules may take to let go of what they hold, in milliseconds. */
const letGoTime = 3500;

/**
 * Stops the application on SIGTERM and SIGINT, in place of `enableShutdownHooks()`. The service still serves for
 * `drainTime` before any hook of a module runs, then ends requests in flight, and the process ends with exit code 0. A
 * second signal ends it at once. When modules do not let go within 3.5 seconds after that, the code is 1.
 *
 * @example
 * const app = await NestFactory.create(AppModule);
 * shutDownOnSignals(app);
 * await app.listen(3000);
 */
export function shutDownOnSignals(app: INestApplicationContext, options: SignalOptions = {}): void {
  const { signals = ['SIGTERM', 'SIGINT'], process: host = process } = options;
  let isStopping = false;
  for (const signal of signals)
    host.on(signal, () => {
      // The exit code that a shell tells for a process which a signal has ended.
      if (isStopping) host.exit(128 + constants.signals[signal]);
      isStopping = true;
      void stopped(app, signal).then((code) => host.exit(code));
    });
}

/** Nest's applications take the signal for their hooks, but their interface does not say so. */
interface Closable extends Pick<INestApplicationContext, 'get'> {
  close(signal?: string): Promise<void>;
}

/** @returns the exit code */
async function stopped(app: Closable, signal: Signal): Promise<number> {
  const logger = new Logger('Endpoints');
  try {
    const drain = app.get(Drain, { strict: false });
    const limit = drain.drainTime + drain.closingTime + letGoTime;
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => {
        reject(new Error(`not everything was let go within ${limit} ms`));
      }, limit).unref();
    });
    await Promise.race([drain.whole().then(() => app.close(signal)), late]);
    return 0;
  } catch (error) {
    logger.error(`The application did not stop as it should: ${String(error)}`);
    return 1;
  }
}
