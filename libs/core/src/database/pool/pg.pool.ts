import type { TextQuery } from './text.query.js';

/** The key of a connection for a server that is to stop what it asked (PostgreSQL, 54.2.9). */
export interface CancelKey {
  /** A pooler in between gives numbers of its own. */
  readonly processID: number;
  readonly secretKey: number;
}

/** A connection that was taken out of the pool. */
export interface PgClient extends CancelKey {
  readonly connection: {
    readonly stream: { readonly destroyed: boolean; destroy(): unknown };
    once(event: 'end', listener: () => void): unknown;
    removeListener(event: 'end', listener: () => void): unknown;
  };
  /** Gives it back; the pool makes it anew for whoever takes it. */
  release: Release;
  /** False while a statement is on its way, and until the server has told the end of one that failed. */
  readonly readyForQuery: boolean;
  query(query: TextQuery): unknown;
  getTypeParser(type: number, format: 'text'): (text: string) => unknown;
}

/** The wire of a connection, before anything was said on it. */
interface PgWire {
  readonly stream: { destroy(reason: Error): void };
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'connect' | 'sslconnect' | 'end', listener: () => void): unknown;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** A connection of its own, as it is made of the pool's options. */
interface PgControl {
  readonly connection: PgWire;
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: unknown;
}

/** Gives a connection back to the pool, which closes it if it is broken. */
export type Release = (broken?: boolean) => void;

/** The options of a pool that are asked about here. */
interface PgPoolOptions {
  /** The most connections that there are. */
  readonly max: number;
  /** The longest wait for a connection, in milliseconds; 0 or undefined for as long as it takes. */
  readonly connectionTimeoutMillis?: number;
  /** The longest wait for an answer, in milliseconds; 0 or undefined for as long as it takes. */
  readonly query_timeout?: number;
}

/** The pool of `pg`, as far as it is used here. */
export interface PgPool {
  readonly ending: boolean;
  readonly Client: new (options: object) => PgControl;
  readonly options: PgPoolOptions;
  /** The connections that there are, those that are being opened included. */
  readonly totalCount: number;
  readonly idleCount: number;
  /** The number of those who wait for a connection. */
  readonly waitingCount: number;
  connect(callback: (error: Error | undefined, client: PgClient | undefined, release: Release) => void): void;
}
