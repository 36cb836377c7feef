/** The shortest time between two attempts to connect while none succeeds, in milliseconds. */
const pause = 100;

type Connected = (error?: Error | null) => void;

/** A connection of `pg` that is not connected yet. The pool gives a callback; others wait for a promise. */
interface PgClient {
  connect(): Promise<unknown>;
  connect(done: Connected): void;
}

/** A pool of `pg`, as far as it makes connections. */
export interface ConnectingPool {
  Client: new (options: object) => PgClient;
}

/**
 * Keeps the clients of a service from storming a database that does not let them in. After a failed attempt there is one
 * every 100 ms; whoever asks in between gets the last error at once. The first success lets everybody connect again.
 *
 * @param now in milliseconds, never going back
 */
export function brakeReconnecting(pool: ConnectingPool, now: () => number = () => performance.now()): void {
  let failure: Error | undefined;
  let triedAt = 0;
  pool.Client = class extends pool.Client {
    override connect(): Promise<unknown>;
    override connect(done: Connected): void;
    override connect(done?: Connected): Promise<unknown> | undefined {
      if (done === undefined) return super.connect();
      const refused = failure;
      // Not even an attempt that hangs is waited for: it takes as long as the pool lets it.
      if (refused !== undefined && now() - triedAt < pause) {
        process.nextTick(done, refused);
        return undefined;
      }
      triedAt = now();
      super.connect((error) => {
        failure = error ?? undefined;
        done(error);
      });
      return undefined;
    }
  };
}
