import { expect } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { bothPooled, once, service } from '../support/contract.js';
import { Statements, verbOf } from '../support/statements.js';
import { application, found, where, write } from './searched.articles.js';

const pooled = service({ ...application, orm: { pool: { max: 40 } }, route: 'pooled' }, bothPooled).contract;

const thresholds = `select show_limit() as whole, current_setting('pg_trgm.word_similarity_threshold') as word`;

pooled('What similar sets for its statement stays on no connection of a pooler', async (subject) => {
  await write(subject, ['Paris'], ['Parijs'], ['Saint-Denis near Paris'], ['London']);
  const others = async (): Promise<object | undefined> => {
    const [seen] = await (subject.em() as SqlEntityManager).execute<object[]>(thresholds);
    return seen;
  };
  const columns = ['like', 'whole'] as const;
  const searched = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const column = columns[index % 2] ?? 'like';
      if (index % 3 === 0) expect(await others()).toEqual({ whole: 0.3, word: '0.6' });
      return [column, await found(subject, { where: where([column, 'similar', 'Pariss']) })] as const;
    }),
  );
  expect(new Set(searched.map((one) => one.join(' ')))).toEqual(new Set(['like 1,2,3', 'whole 1,2']));
  expect(await others()).toEqual({ whole: 0.3, word: '0.6' });
});

const rooted = service(
  { ...application, root: { rowLevelSecurity: { variables: () => ({ 'app.tenant': '1' }) } } },
  once,
).contract;

rooted('With row level security the settings of a search go with those of the session', async (subject) => {
  await write(subject, ['Paris'], ['Parijs'], ['London']);
  const statements = await Statements.of(subject);
  const search = { where: where(['like', 'similar', 'Pariss']), sort: [{ column: 'like' }] };
  const sent = await statements.during(async () => {
    expect(await found(subject, search)).toEqual([1, 2]);
  });
  expect(sent.map(verbOf)).toEqual(['select', 'select']);
  expect(sent[0]).toBe('select set_config($1, $2, true), set_config($3, $4, true)');
});

/** Makes the table large before the application is ready. */
@Injectable()
class ManyArticles implements OnModuleInit {
  constructor(protected readonly orm: MikroORM) {}

  async onModuleInit(): Promise<void> {
    const em = this.orm.em.fork() as unknown as SqlEntityManager;
    await em.execute(`insert into article (id, title, body, latitude, longitude)
      select n, md5(n::text) || ' fox' || n, 'text', n % 90, n % 180 from generate_series(1, 20000) n`);
    await em.execute('analyze article');
  }
}

const { providers = [] } = application;
const advised = service(
  { ...application, root: { adviseIndexes: true }, providers: [...providers, ManyArticles] },
  once,
).contract;

const advicesIn = (startLog: string): string[] =>
  [...startLog.matchAll(/no index begins with it: (create index .*) Endpoints/g)]
    .map(([, statement = '']) => statement.replace(' concurrently', ''))
    .filter((statement) => statement.includes(' using '));

advised('The advice of indexes prints for each search the one that it uses', async (subject) => {
  const { startLog, request } = subject;
  const advice = advicesIn(startLog);
  expect(advice).toEqual([
    `create index on "article" using gin ((setweight(to_tsvector('english', left(coalesce("title", ''), 50000)), 'A') || setweight(to_tsvector('english', left(coalesce("body", ''), 50000)), 'B')))`,
    `create index on "article" using gin (to_tsvector('simple', left(coalesce("body", ''), 100000)))`,
    `create index on "article" using gin ("title" gin_trgm_ops)`,
    `create index on "article" using gist ((case when abs("latitude") <= 90 and abs("longitude") <= 180 then ll_to_earth("latitude", "longitude") end))`,
    `create index on "article" using gin (to_tsvector('simple', left(coalesce("title", ''), 100000)))`,
    `create index on "article" using gin ("words")`,
    `create index on "article" using gin ("body" gin_trgm_ops)`,
  ]);
  const sql = subject.em() as SqlEntityManager;
  for (const statement of advice) await sql.execute(statement);
  const statements = await Statements.of(subject);
  const center = { latitude: 10, longitude: 10, radius: 5000 };
  for (const [column, operator, value] of [
    ['text', 'matches', 'fox77'],
    ['long', 'matches', 'text'],
    ['like', 'similar', 'fox77'],
    ['place', 'within', center],
  ] as const) {
    const sent = await statements.during(() =>
      request()
        .post('/articles')
        .send({ where: where([column, operator, value]), sort: [{ column }] }),
    );
    const searching = sent.find((one) => one.includes('article')) ?? '';
    const plan = await sql.transactional(async (em) => {
      await em.execute(`select set_config('enable_seqscan', 'off', true)`);
      // MikroORM takes a question mark for a parameter.
      return em.execute<object[]>(`explain (generic_plan) ${searching.replaceAll('?', String.raw`\?`)}`);
    });
    expect(JSON.stringify(plan)).toMatch(/Index Scan/);
  }
});

/** Makes indexes for the searches: some as they are, some as they were before texts and places had bounds. */
@Injectable()
class FormerIndexes extends ManyArticles {
  override async onModuleInit(): Promise<void> {
    await super.onModuleInit();
    const em = this.orm.em.fork() as unknown as SqlEntityManager;
    for (const index of [
      `gin (to_tsvector('simple', left(coalesce("body", ''), 100000)))`,
      `gin (to_tsvector('simple', coalesce("title", '')))`,
      `gin (title gin_trgm_ops)`,
      `gist (ll_to_earth(latitude, longitude))`,
      `gin (words)`,
    ])
      await em.execute(`create index on article using ${index}`);
  }
}

const outdated = service(
  { ...application, root: { adviseIndexes: true }, providers: [...providers, FormerIndexes] },
  once,
).contract;

outdated(
  'An index over whole texts, or over places out of bounds, is advised to be made again',
  ({ startLog }) => {
    expect(advicesIn(startLog).map((statement) => statement.replace(/^.* using /, ''))).toEqual([
      expect.stringMatching(/^gin \(\(setweight/),
      expect.stringMatching(/^gist \(\(case when/),
      `gin (to_tsvector('simple', left(coalesce("title", ''), 100000)))`,
      `gin ("body" gin_trgm_ops)`,
    ]);
  },
);

pooled('Each column has its own threshold, whatever others a search asks for', async (subject) => {
  await write(subject, ['Paris', 'Paris'], ['Paris', 'Pariss'], ['London', 'Pariss']);
  const alike = where(['like', 'similar', 'Pariss']);
  const close = where(['precise', 'similar', 'Pariss']);
  expect(await found(subject, { where: alike })).toEqual([1, 2]);
  expect(await found(subject, { where: close })).toEqual([2, 3]);
  expect(await found(subject, { where: [...alike, ...close] })).toEqual([2]);
  expect(await found(subject, { where: [...close, ...alike] })).toEqual([2]);
  expect(await found(subject, { where: alike, sort: [{ column: 'like' }] })).toEqual([1, 2]);
});
