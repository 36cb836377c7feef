import type { Fetch } from '@nest-endpoints/auth';
import type { ObservedRequest, RequestObserver } from '@nest-endpoints/core';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The connections to the database, as `pg` counts them. */
export interface PoolFigures {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** What Prometheus asks for. Routes are those that endpoints declare, so clients cannot make up new series. */
export class AtlasMetrics implements RequestObserver {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];

  readonly #requests = new Counter({
    name: 'atlas_requests_total',
    help: 'Requests that endpoints answered or refused, by the status word of the envelope',
    labelNames: ['method', 'route', 'status'],
    registers: this.#registers,
  });

  readonly #deprecated = new Counter({
    name: 'atlas_deprecated_requests_total',
    help: 'Requests for endpoints that are deprecated',
    labelNames: ['method', 'route'],
    registers: this.#registers,
  });

  readonly #durations = new Histogram({
    name: 'atlas_request_duration_seconds',
    help: 'From the head of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: this.#registers,
  });

  readonly #statements = new Counter({
    name: 'atlas_statements_total',
    help: 'Statements that requests sent to the database',
    registers: this.#registers,
  });

  readonly #statementTime = new Counter({
    name: 'atlas_statement_seconds_total',
    help: 'How long they took together, the wait for a connection included',
    registers: this.#registers,
  });

  readonly #connections = new Gauge({
    name: 'atlas_pool_connections',
    help: 'Connections to PostgreSQL: all, idle ones, and requests that wait for one',
    labelNames: ['state'],
    registers: this.#registers,
  });

  readonly #keyFetches = new Counter({
    name: 'atlas_jwks_fetches_total',
    help: 'How often the keys of the identity provider were asked for',
    labelNames: ['outcome'],
    registers: this.#registers,
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  requestEnded({
    method,
    route = 'none',
    status,
    duration,
    statements,
    statementTime,
    deprecated,
  }: ObservedRequest): void {
    this.#requests.inc({ method: route === 'none' ? 'any' : method, route, status });
    if (deprecated) this.#deprecated.inc({ method, route });
    this.#durations.observe({ method: route === 'none' ? 'any' : method, route }, duration / 1000);
    this.#statements.inc(statements);
    this.#statementTime.inc(statementTime / 1000);
  }

  /** Node's `fetch`, counted. */
  readonly fetchKeys: Fetch = async (url, init) => {
    try {
      const response = await fetch(url, init);
      this.#keyFetches.inc({ outcome: response.ok ? 'answered' : 'refused' });
      return response;
    } catch (error) {
      this.#keyFetches.inc({ outcome: 'failed' });
      throw error;
    }
  };

  /** In the format of Prometheus. @param pool undefined where there is none, as with PGlite */
  text(pool: PoolFigures | undefined): Promise<string> {
    if (pool !== undefined) {
      this.#connections.set({ state: 'all' }, pool.totalCount);
      this.#connections.set({ state: 'idle' }, pool.idleCount);
      this.#connections.set({ state: 'waiting' }, pool.waitingCount);
    }
    return this.#registry.metrics();
  }
}
