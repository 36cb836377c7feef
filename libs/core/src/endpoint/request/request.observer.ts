import type { StatusWord } from '../../wire/outcome.table.js';

/** What a request goes through, in this order: its body comes in, its sender is found out, gates are asked, it is worked on. */
export const stages = ['body', 'authenticate', 'authorize', 'handle'] as const;
export type Stage = (typeof stages)[number];

/** What is told of a request once it is over. Nothing a client sent is in it but the method and a well-formed request id. */
export interface ObservedRequest {
  /** As the answer's `X-Request-Id` has it. */
  readonly requestId: string;
  readonly method: string;
  /** The path of its endpoint as it was declared, e.g. `/cities/:id`; undefined where no endpoint answered. */
  readonly route: string | undefined;
  /** The kind of its endpoint, e.g. `Get`; undefined where no endpoint answered. */
  readonly kind: string | undefined;
  readonly statusCode: number;
  /** The status word of the envelope, in snake_case whatever the casing of the wire. */
  readonly status: StatusWord;
  /** Whether the whole answer went out; false when its client had gone. */
  readonly isComplete: boolean;
  /** From the request's head to the end of its answer, in milliseconds. */
  readonly duration: number;
  /** How many statements were sent to the database; begin and commit do not count. */
  readonly statements: number;
  /** How long these took together, the wait for a connection included, in milliseconds. */
  readonly statementTime: number;
  /** How long its stages took, in milliseconds. A stage that it did not come to is not there. */
  readonly stages: ReadonlyMap<Stage, number>;
}

/** Hears of every request that an endpoint answers, or refuses, once it is over: for metrics, say. */
export interface RequestObserver {
  /** Must not wait for anything; what it throws is logged. */
  requestEnded(request: ObservedRequest): void;
}
