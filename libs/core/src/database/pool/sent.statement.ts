import type { SessionContext } from '@mikro-orm/core';
import type { Cancellation } from '../../limits/cancellation.js';
import type { Row } from '../../sql/row.layout.js';
import type { Setting } from './text.query.js';

/** A statement on its way. */
export interface SentStatement {
  /** Empty for one that is not prepared. */
  readonly name: string;
  /** True if it is prepared anew before PostgreSQL may keep a plan that knows no values. */
  readonly isRenewed: boolean;
  readonly text: string;
  /** The values as `parameterText` makes them. */
  readonly values: readonly unknown[];
  readonly cancellation: Cancellation | undefined;
  /** The time it may take with the wait for a connection, in milliseconds; undefined for as long as it takes. */
  readonly limit: number | undefined;
  readonly session: SessionContext | undefined;
  /** The settings of that session; empty without one. */
  readonly settings: readonly Setting[];
  /** True if it is quick and only reads, so that it may share a message with others. */
  readonly mayShare: boolean;
}

/** A statement that somebody waits for. */
export interface AwaitedStatement {
  readonly sent: SentStatement;
  /** The time at which it was asked for, in milliseconds of `performance.now`. */
  readonly asked: number;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}
