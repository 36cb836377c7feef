import type { EndpointRequest } from '@nest-endpoints/core/kinds';
import type { ForgivingSession, Row } from './session.js';
import type { TargetDatabase, TransactionOptions } from './target.database.js';

/** The cancellation of the request that work is done for. */
export type WorkCancellation = Pick<EndpointRequest['cancellation'], 'reason' | 'whenCancelled' | 'holdFor'>;

/**
 * A database whose work ends with the request that it is for. Once that is given up, the statement of the moment is
 * stopped, no other begins, and the transaction is undone: what was answered as not done must not be done later.
 */
export class CancellableDatabase implements TargetDatabase {
  constructor(
    private readonly database: TargetDatabase,
    private readonly cancellation: WorkCancellation,
  ) {}

  async transaction<T>(
    work: (session: ForgivingSession) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    const { cancellation } = this;
    const ended = Promise.withResolvers<undefined>();
    const worked = async (session: ForgivingSession): Promise<T> => {
      const result = await work(await this.#watched(session));
      expectWanted(cancellation);
      // The commit comes next, and nobody could say what became of one that was cut.
      if (options?.readOnly !== true) void cancellation.holdFor(async () => ended.promise);
      return result;
    };
    try {
      return await this.database.transaction(worked, options);
    } finally {
      ended.resolve(undefined);
    }
  }

  shadow<T>(work: (session: ForgivingSession) => Promise<T>): Promise<T> {
    return this.database.shadow(async (session) => work(await this.#watched(session)));
  }

  async #watched(session: ForgivingSession): Promise<ForgivingSession> {
    const { cancellation, database } = this;
    const [row] = await session.query('select pg_backend_pid() as pid');
    const stop = (): Promise<void> | undefined => database.stop?.(Number(row?.['pid']));
    return {
      ...session,
      query: (text, values) => stoppable(cancellation, () => session.query(text, values), stop),
    };
  }
}

/**
 * Sends a statement that is stopped when its request is given up. It waits for the stop as well: that must not meet what is
 * sent next.
 */
export async function stoppable(
  cancellation: WorkCancellation,
  send: () => Promise<readonly Row[]>,
  stop: () => Promise<unknown> | undefined,
): Promise<readonly Row[]> {
  expectWanted(cancellation);
  let stopped: Promise<unknown> | undefined;
  const release = cancellation.whenCancelled(() => {
    // Where the server could not be told, the statement ends by itself, and nothing follows it.
    stopped = stop()?.catch(() => undefined);
  });
  try {
    return await send();
  } finally {
    release();
    await stopped;
  }
}

/** @throws the reason why nobody wants the work any more */
function expectWanted({ reason }: WorkCancellation): void {
  if (reason !== undefined) throw reason;
}
