import type { Cancellation } from '../../limits/cancellation.js';
import type { Row } from '../../sql/row.layout.js';
import { NoConnection } from '../errors/connection.failure.js';
import { databaseCode, isConnectionLost, lostConnectionOr } from '../errors/database.error.js';
import type { KyselyConnection } from '../kysely.types.js';
import { requestCancel } from '../pool/cancel.request.js';
import { isBreaking, type StopFailure } from '../pool/statement.failure.js';
import { QueryPart, QueryText, TextQuery } from '../pool/text.query.js';
import { signalOfQuery } from '../em/given.up.plugin.js';
import { AskedStatements } from './asked.statements.js';
import { boundedStream } from './bounded.stream.js';
import type { NativeClient } from './lent.clients.js';
import type { AnsweredColumns, WrittenRow } from './written.row.js';

const none: readonly never[] = [];

const nothing = (): void => undefined;

/** A connection for the time that it is taken out of the pool. */
export class Lease implements KyselyConnection {
  isOfSession = false;
  /**
   * True if whoever took it gives it back, whatever becomes of a transaction on it. That begins with its first statement, in one
   * message with it where that is ours.
   */
  isHeld = false;
  /** The columns to be told of the next row of their entity that a flush writes. */
  answering: AnsweredColumns | undefined;
  /** The row as a flush wrote it; undefined once anything else was asked, because it may be another by then. */
  written: WrittenRow | undefined;
  /** The error that undid the transaction; undefined while there is none. */
  failure: unknown;
  /** The error after which nobody knows what the connection will say next; undefined while there is none. */
  broken: Error | undefined;
  /** The statement that begins the transaction; undefined once it was sent. */
  #beginning: QueryPart | undefined;
  /** The reason why no transaction began; undefined where one did. */
  #unbegun: Error | undefined;
  /**
   * The statement of ours that was sent last; it never rejects. Questions that are asked at once go one after the other: `pg` lets no
   * more than one statement wait for a connection, and its next version none.
   */
  #underWay: Promise<void> | undefined;
  readonly #asked: AskedStatements;
  #isOver = false;
  readonly cancelQuery?: NonNullable<KyselyConnection['cancelQuery']>;
  readonly collectSessionInfo?: NonNullable<KyselyConnection['collectSessionInfo']>;
  readonly killSession?: NonNullable<KyselyConnection['killSession']>;

  /**
   * @param native the connection of `pg` that it is; undefined for another driver's
   * @param onError is told why a statement could not be stopped
   */
  constructor(
    readonly inner: KyselyConnection,
    readonly native: NativeClient | undefined,
    onError: StopFailure,
  ) {
    this.#asked = new AskedStatements(onError);
    // Kysely looks whether a connection can do these.
    if (inner.cancelQuery !== undefined) {
      const cancel = inner.cancelQuery.bind(inner);
      // Named before it is a property: V8 makes what is written straight to one in the old heap, where it keeps all that it knows.
      const stop: KyselyConnection['cancelQuery'] = (provider) =>
        this.#stopped(native === undefined ? () => cancel(provider) : () => requestCancel(native));
      this.cancelQuery = stop;
    }
    if (inner.collectSessionInfo !== undefined)
      this.collectSessionInfo = inner.collectSessionInfo.bind(inner);
    if (inner.killSession !== undefined) this.killSession = inner.killSession.bind(inner);
  }

  end(): void {
    this.#isOver = true;
  }

  /** Leaves the beginning of a transaction to its first statement. */
  beginsWith(text: string): void {
    this.#unbegun = undefined;
    this.#beginning = new QueryPart(new QueryText('', false, text, none), none);
  }

  /** Begins a transaction. One that does not begin fails what is asked in it: Kysely would give no connection back otherwise. */
  async begins(begin: () => Promise<void>): Promise<void> {
    this.#unbegun = undefined;
    try {
      await begin();
    } catch (error) {
      this.failed(error);
      this.#unbegun = isConnectionLost(error) ? new NoConnection(error) : new NoTransaction(error);
    }
  }

  /** True if there is no transaction, because none could begin. */
  get isUnbegun(): boolean {
    return this.#unbegun !== undefined;
  }

  /** Ends a transaction that nothing was asked in; true if there was one. @throws Error where none could begin */
  endsUnasked(): boolean {
    if (this.#unbegun !== undefined) throw this.#unbegun;
    const isUnasked = this.#beginning !== undefined;
    this.#beginning = undefined;
    return isUnasked;
  }

  /** Settles once nothing that was to be stopped can be mistaken for the next statement. */
  async settled(): Promise<void> {
    if (!(await this.#asked.settled()))
      this.broken ??= new Error('a request to stop may be on its way still');
  }

  /** Ends the connection where it is broken: who is next in the pool would have it, and hang as well. */
  endBroken(): void {
    const { native, broken } = this;
    if (native === undefined || broken === undefined) return;
    const { client } = native;
    client.connection.stream.destroy();
    const release = client.release.bind(client);
    client.release = () => {
      release(true);
    };
  }

  /** Sends a statement past Kysely, with what begins the transaction where it is the first one. */
  send(
    native: NativeClient,
    part: QueryPart,
    cancellation: Cancellation | undefined,
  ): Promise<readonly Row[]> {
    const before = native.client.readyForQuery ? undefined : this.#underWay;
    const sent =
      before === undefined
        ? this.#sent(native, part, cancellation)
        : before.then(() => this.#sent(native, part, cancellation));
    this.#underWay = sent.then(nothing, nothing);
    return sent;
  }

  async #sent(
    native: NativeClient,
    part: QueryPart,
    cancellation: Cancellation | undefined,
  ): Promise<readonly Row[]> {
    this.#refuseEnded();
    this.written = undefined;
    const { client } = native;
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
    const begins = this.#taken();
    const parts = begins === undefined ? Array.of(part) : Array.of(begins, part);
    const query = new TextQuery(parts, (error) => {
      if (error === null) resolve(query.answers.at(-1) ?? []);
      else reject(error);
    });
    this.#asked.begin();
    const stop = cancellation?.whenCancelled(() => {
      this.#asked.stop(() => requestCancel(native));
    });
    client.query(query);
    try {
      return await promise;
    } catch (error) {
      throw this.failed(error);
    } finally {
      stop?.();
      this.#asked.end();
    }
  }

  /** @throws LeaseOver once it was given back @throws Error where a transaction could not begin */
  #refuseEnded(): void {
    if (this.#isOver) throw new LeaseOver();
    if (this.#unbegun !== undefined) throw this.#unbegun;
  }

  executeQuery: KyselyConnection['executeQuery'] = async (query, options) => {
    this.#refuseEnded();
    this.written = undefined;
    this.#asked.begin();
    const stopsAsking = this.#endsWith(
      options?.signal === undefined ? signalOfQuery(query.queryId) : undefined,
    );
    try {
      const isReady = this.native?.client.readyForQuery !== false;
      const begun = this.#begin();
      // Of two that wait `pg` refuses the second.
      if (!isReady) await begun;
      const sent = this.inner.executeQuery<never>(query, options);
      if (begun === undefined) return await sent;
      const [result] = await Promise.all([sent, begun]);
      return result;
    } catch (error) {
      const failure = this.failed(error);
      // Nobody waits for it any more, but Kysely would write on the console what became of it.
      if (options?.signal?.aborted === true) return { rows: [] };
      throw failure;
    } finally {
      stopsAsking?.();
      this.#asked.end();
    }
  };

  streamQuery: KyselyConnection['streamQuery'] = (query, chunkSize, options) => {
    this.#refuseEnded();
    this.written = undefined;
    const begun = this.#begin();
    const stream = boundedStream(this.native, this.inner.streamQuery<never>(query, chunkSize, options));
    return this.#streamed(begun, stream, options?.signal, query.queryId);
  };

  async *#streamed<T>(
    begun: Promise<void> | undefined,
    stream: AsyncIterableIterator<T>,
    ownSignal: AbortSignal | undefined,
    queryId: object,
  ): AsyncIterableIterator<T> {
    this.#asked.begin();
    const stopsAsking = this.#endsWith(ownSignal ?? signalOfQuery(queryId));
    try {
      await begun;
      yield* stream;
    } catch (error) {
      const failure = this.failed(error);
      if (ownSignal?.aborted !== true) throw failure;
    } finally {
      stopsAsking?.();
      this.#asked.end();
    }
  }

  /** Has the server stop what it is asked once a signal is aborted. @returns what takes it back */
  #endsWith(signal: AbortSignal | undefined): (() => void) | undefined {
    const { native } = this;
    if (signal === undefined || native === undefined) return undefined;
    const stop = (): void => {
      this.#asked.stop(() => requestCancel(native));
    };
    signal.addEventListener('abort', stop);
    return () => {
      signal.removeEventListener('abort', stop);
    };
  }

  /** Has the server stop what Kysely asked, which fails to tell it where there is nothing left to stop. */
  async #stopped(ask: () => Promise<void>): Promise<void> {
    this.#asked.stop(async () => {
      try {
        await ask();
      } catch (error) {
        if (this.native !== undefined || !this.#asked.isEmpty) throw error;
      }
    });
    await this.settled();
  }

  /** Sends the beginning alone: what is asked next comes behind it. */
  #begin(): Promise<void> | undefined {
    const begins = this.#taken();
    const { native } = this;
    if (begins === undefined || native === undefined) return undefined;
    return new Promise((resolve, reject) => {
      const query = new TextQuery([begins], (error) => {
        if (error === null) resolve();
        else reject(error);
      });
      native.client.query(query);
    });
  }

  #taken(): QueryPart | undefined {
    const begins = this.#beginning;
    this.#beginning = undefined;
    return begins;
  }

  /** Remembers the failure of something that was asked. @returns the error to tell of it */
  failed(error: unknown): unknown {
    if (sqlState.test(databaseCode(error) ?? '')) this.failure ??= error;
    if (this.native !== undefined && error instanceof Error && isBreaking(error)) this.broken ??= error;
    return lostConnectionOr(error);
  }
}

/** A transaction did not begin, for what its cause says. */
class NoTransaction extends Error {
  constructor(cause: unknown) {
    super('No transaction began', { cause });
  }
}

/** A statement on a connection that was given back. */
class LeaseOver extends Error {
  constructor() {
    super('The transaction is over in which this was to be asked: wait for all that is asked in it');
  }
}

/** The code of an error that PostgreSQL itself has made. */
const sqlState = /^[0-9A-Z]{5}$/;
