import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityName } from '@mikro-orm/core';
import type { RequestContext } from '../access/request.context.js';
import type { Database } from '../database/database.js';
import type { CurrentIdentity } from '../model/registered.identity.js';
import type { Scoped, ScopedRecords } from '../visibility/scoped.records.js';
import type { Session } from '../visibility/session.js';

/** The endpoint that answers a request. */
export interface EndpointFacts {
  /** Its kind, e.g. `Create`. */
  readonly kind: string;
  /** Its path as it was declared, the urls of its groups included, e.g. `/cities/:id`. */
  readonly path: string;
  /** The class name of its entity, e.g. `City`; undefined where it works on none. */
  readonly modelName: string | undefined;
}

/** The facts about the request that is being answered. */
export interface CurrentRequest {
  /** The `X-Request-Id` that the request came with, where it is well-formed; else a random UUID. */
  readonly requestId: string;
  /** The sender as authentication found it; undefined before it, and when the endpoint is public. */
  readonly identity: CurrentIdentity;
  readonly endpoint: EndpointFacts;
  /** Gives the records of an entity that the request may see, for queries of your own. Rejects until its sender is known. */
  readonly scoped: Scoped;
}

/** The facts about the current request, and the way to what it reads and writes through. */
export interface RequestScope extends CurrentRequest {
  /** The view of the request that functions of the user's configuration get. */
  readonly view: RequestContext;
  /** Undefined for another database than the endpoint's, and until the request is authenticated. */
  sessionOn(database: Database): Session | undefined;
  /** Counts a statement that was sent for this request. @param took in milliseconds */
  statementEnded(took: number): void;
}

/**
 * Tells any provider about the request that it serves, at any depth of calls, from guards, interceptors and functions of
 * an endpoint's configuration on. A provider of its own, in every module.
 *
 * @example
 * constructor(private readonly context: EndpointContext) {}
 * log(text: string) {
 *   console.log(this.context.requestId, text);
 * }
 */
export class EndpointContext {
  static readonly #scopes = new AsyncLocalStorage<RequestScope | undefined>();

  /** The current request for code that nothing is injected into; undefined outside of an endpoint's request. */
  static get current(): CurrentRequest | undefined {
    return this.#scopes.getStore();
  }

  /** {@link current} with what only the library asks for. Called by the library. */
  static get currentScope(): RequestScope | undefined {
    return this.#scopes.getStore();
  }

  /** Runs `work`, and whatever it calls or leaves for later, as part of a request. Called by the library. */
  static run<T>(scope: RequestScope, work: () => T): T {
    return this.#scopes.run(scope, work);
  }

  /** Has what follows run as part of no request. Called by the library. */
  static leave(): void {
    this.#scopes.enterWith(undefined);
  }

  /** The session through which the current request reads and writes. Called by the library. */
  static sessionOn(database: Database): Session | undefined {
    return this.#scopes.getStore()?.sessionOn(database);
  }

  /** Counts a statement for the current request. Called by the library. @returns whether there is one */
  static statementEnded(took: number): boolean {
    const scope = this.#scopes.getStore();
    scope?.statementEnded(took);
    return scope !== undefined;
  }

  /** See {@link CurrentRequest.requestId}; undefined outside of an endpoint's request, as are the others. */
  get requestId(): string | undefined {
    return EndpointContext.current?.requestId;
  }

  /** See {@link CurrentRequest.identity}. */
  get identity(): CurrentIdentity {
    return EndpointContext.current?.identity;
  }

  /** See {@link CurrentRequest.endpoint}. */
  get endpoint(): EndpointFacts | undefined {
    return EndpointContext.current?.endpoint;
  }

  /**
   * Gives the records of an entity that the current request may see, for queries of your own.
   *
   * @example em.find(Trip, (await context.scoped(Trip)).where({ city }))
   * @throws TypeError outside of an endpoint's request, and where it cannot be told
   */
  async scoped<E extends object>(entity: EntityName<E>): Promise<ScopedRecords<E>> {
    const { current } = EndpointContext;
    if (current !== undefined) return current.scoped(entity);
    throw new TypeError('scoped: nothing is asked outside of the request of an endpoint');
  }
}
