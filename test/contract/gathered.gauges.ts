import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, Get, SimpleSearch, type RootOptions } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import type { OrmOptions } from '../support/database.js';
import { turn } from '../support/waits.js';

/** Reading one may fail, take time, or end the connection. */
export const Gauge = defineEntity({
  name: 'Gauge',
  properties: {
    id: p.integer().primary(),
    code: p.string().unique(),
    /** Nothing is divided by 0: the setting that is read then is not there. */
    divisor: p.integer(),
    /** In seconds. */
    nap: p.double(),
    kills: p.boolean(),
    ratio: p
      .integer()
      .formula(
        ({ divisor }) =>
          `case when ${divisor} = 0 then current_setting('no.such')::int else 100 / ${divisor} end`,
      ),
    slept: p
      .string()
      .formula(
        ({ nap }) => `case when ${nap} > 0 then (select 'slept' from pg_sleep(${nap})) else 'awake' end`,
      ),
    fate: p
      .string()
      .formula(
        ({ kills }) =>
          `case when ${kills} then pg_terminate_backend(pg_backend_pid())::text else 'alive' end`,
      ),
  },
});

/** Has no more than its key, a text, and who asks as policies of the database would see it. */
export const Dial = defineEntity({
  name: 'Dial',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    asker: p.string().formula("current_setting('app.asker', true)"),
  },
});

/** Shows gauges that let live. */
class Living extends Authorization<{ kills: boolean }> {
  override filterModel() {
    return { kills: false };
  }
}

const gauge = { modelClass: Gauge, readableColumnNames: ['id', 'ratio', 'slept', 'fate'] } as const;

let arrived = 0;

/** An application that counts the requests that arrive. */
export const gaugesWith = (
  root: RootOptions = {},
  orm: OrmOptions = { pool: { min: 1, max: 1 } },
): ApplicationOptions => ({
  entities: [Gauge, Dial],
  root,
  endpoints: [
    new Get({ ...gauge, url: 'gauges/:id' }),
    new Get({ ...gauge, url: 'hasty/:id', readableColumnNames: ['id', 'slept'], timeout: 300 }),
    new Get({ ...gauge, url: 'coded/:code', recordLookupColumnName: 'code', readableColumnNames: ['id'] }),
    new Get({ url: 'dials/:id', modelClass: Dial, readableColumnNames: ['text'] }),
    new Get({ url: 'askers/:id', modelClass: Dial, readableColumnNames: ['asker'] }),
    new Get({ ...gauge, url: 'scoped/:id', authorization: new Living() }),
    new SimpleSearch({
      url: 'gauges',
      modelClass: Gauge,
      readableColumnNames: ['id'],
      searchableColumnNames: ['divisor'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
  ],
  orm,
  route: 'direct',
  configure: (app) => {
    app.use((_request: unknown, _response: unknown, next: () => void) => {
      arrived += 1;
      next();
    });
  },
});

/** What a Get answers. */
export interface Answered {
  readonly status: number;
  readonly data: unknown;
  /** In milliseconds from the moment at which connections were free. */
  readonly took: number;
}

/** Asks for paths while all connections are taken, so that whoever gathers has all of them before one is free. */
export const together = async (
  subject: Subject,
  paths: readonly string[],
  connections = 1,
): Promise<readonly Answered[]> => {
  const holders = Array.from({ length: connections }, () => subject.em());
  for (const holder of holders) await holder.begin();
  arrived = 0;
  let freed = 0;
  const answers = paths.map(async (path): Promise<Answered> => {
    const { status, body } = (await subject.request().get(path)) as {
      status: number;
      body: { data: unknown };
    };
    return { status, data: body.data, took: performance.now() - freed };
  });
  while (arrived < paths.length) await turn();
  for (let turns = 0; turns < 5; turns += 1) await turn();
  freed = performance.now();
  for (const holder of holders) await holder.rollback();
  return Promise.all(answers);
};

/** A record that answers at once. */
export const usual = { divisor: 1, nap: 0, kills: false } as const;

/** What it is answered with. */
export const shown = (id: number, ratio = 100) => ({ id, ratio, slept: 'awake', fate: 'alive' });
