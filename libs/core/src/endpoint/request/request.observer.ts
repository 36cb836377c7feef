import type { StatusWord } from '../../wire/outcome.table.js';

/** The stages of a request, in order: its body comes in, its sender is found out, gates are asked, it is worked on. */
export const stages = ['body', 'authenticate', 'authorize', 'handle'] as const;
export type Stage = (typeof stages)[number];

/** The facts about a request that is over. Nothing a client sent is in it but the method and a well-formed request id. */
export interface ObservedRequest {
  /** The id, as in the answer's `X-Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  /** The path of its endpoint as it was declared, e.g. `/cities/:id`; undefined where no endpoint answered. */
  readonly route: string | undefined;
  /** The kind of its endpoint, e.g. `Get`; undefined where no endpoint answered. */
  readonly kind: string | undefined;
  readonly statusCode: number;
  /** The status word of the envelope, in snake_case whatever the casing of the wire. */
  readonly status: StatusWord;
  /** True if the whole answer went out; false when its client had gone. */
  readonly isComplete: boolean;
  /** From the request's head to the end of its answer, in milliseconds. */
  readonly duration: number;
  /** The number of statements sent to the database; begin and commit do not count. */
  readonly statements: number;
  /** The time of these statements together, the wait for a connection included, in milliseconds. */
  readonly statementTime: number;
  /** The times of its stages, in milliseconds. A stage that it did not come to is not there. */
  readonly stages: ReadonlyMap<Stage, number>;
  /** The number of operations of a Batch, of which observers hear nothing else; undefined for other requests. */
  readonly operations?: number | undefined;
  /** True if its endpoint is deprecated, so that owners see who still calls. */
  readonly deprecated: boolean;
}

/** Hears of every request that an endpoint answers, or refuses, once it is over: for metrics, say. */
export interface RequestObserver {
  /** Must not wait for anything; what it throws is logged. */
  requestEnded(request: ObservedRequest): void;
}
