import type { SqlEntityManager } from '@mikro-orm/sql';
import type { RequestFacts } from '../model/request.facts.js';
import type { Scoped } from '../visibility/scoped.records.js';

/** The argument of every function of a configuration; each takes what it needs from it. */
export interface RequestContext extends RequestFacts {
  /** The parameters of the query string; of a repeated one the last. */
  readonly queryParameters: Readonly<Record<string, string>>;
  /** The `X-Request-Id` that the request came with, where it is well-formed; else a random UUID. */
  readonly requestId: string;
  /** Is aborted when the client goes away, or the time is up. */
  readonly signal: AbortSignal;
  /** The request's own entity manager. What Update and Delete call is in the transaction of the write. */
  readonly em: SqlEntityManager;
  /**
   * Gives the records of an entity that the request may see, as a filter object and a query of MikroORM's: what {@link em} itself
   * is asked, no rule narrows. It rejects where that cannot be told, and before the sender is known.
   *
   * @example em.find(Trip, (await scoped(Trip)).where({ city }))
   */
  readonly scoped: Scoped;
}

/** The names that functions of a configuration get anyway. */
export const contextNames = [
  'routingData',
  'requestHeaders',
  'authorizationData',
  'ip',
  'request',
  'queryParameters',
  'requestId',
  'signal',
  'em',
  'scoped',
] as const satisfies readonly (keyof RequestContext)[];
