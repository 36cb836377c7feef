import { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable } from '@nest-endpoints/core';
import type { AtlasMetrics, PoolFigures } from './atlas.metrics.js';

/** What Prometheus scrapes. Whoever can reach it sees how much the service is used: keep it inside of your network. */
export function metricsEndpoint(metrics: AtlasMetrics): Callable {
  return new Callable({
    url: 'metrics',
    description: 'The figures of this process, in the text format of Prometheus',
    returnStandardResponse: false,
    responseHeaders: ['Content-Type: text/plain; version=0.0.4; charset=utf-8'],
    toCall: async ({ em }) => metrics.text(await poolOf(em)),
  });
}

async function poolOf(em: SqlEntityManager): Promise<PoolFigures | undefined> {
  const connection = em.getConnection();
  if (!(connection instanceof PostgreSqlConnection)) return undefined;
  return (await connection.getNativeClient()) as PoolFigures;
}
