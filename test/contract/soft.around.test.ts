import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Callable, RestfulApi, softDelete, softDeleteFilter, type RecordEvent } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { Injectable } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { operationAt } from '../support/documents.js';
import { once, service } from '../support/contract.js';
import { log } from '../support/log.js';
import { Statements } from '../support/statements.js';
import { heldUp } from '../support/waits.js';

const properties = {
  id: p.integer().primary().autoincrement(),
  code: p.string().length(20).unique(),
  deletedAt: p.datetime().nullable(),
};

/** Its unique constraint holds for deleted records, too, and a policy looks at the mark. */
const Barn = defineEntity({
  name: 'Barn',
  properties,
  policies: [{ name: 'live_barns', command: 'select', using: 'deleted_at is null' }],
  rowLevelSecurity: false,
});

/** Purged soon after it is deleted. */
const Leaf = defineEntity({
  name: 'Leaf',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    deletedAt: p.datetime().nullable(),
    held: () => p.oneToMany(Pin).mappedBy('leaf'),
  },
});

/** Keeps a leaf from being purged. */
const Pin = defineEntity({
  name: 'Pin',
  properties: { id: p.integer().primary().autoincrement(), leaf: () => p.manyToOne(Leaf) },
});

softDelete(Barn, { columnName: 'deletedAt' });
softDelete(Leaf, { columnName: 'deletedAt', children: { held: 'keep' }, purgeAfter: 1 });

const heard: string[] = [];

@Injectable()
class Listener {
  @OnEvent('endpoints.Barn.deleted')
  deleted({ record, soft }: RecordEvent<{ code: string }>): void {
    heard.push(`deleted ${record.code} ${String(soft)}`);
  }

  @OnEvent('endpoints.Barn.restored')
  restored({ record, changes }: RecordEvent<{ code: string }>): void {
    heard.push(`restored ${record.code} ${JSON.stringify(changes)}`);
  }
}

const told =
  (step: string) =>
  ({ operation, soft }: { operation: string; soft?: boolean | undefined }) => {
    heard.push(`${step} ${operation} ${String(soft)}`);
  };

const barns = {
  modelClass: Barn,
  readableColumnNames: ['id', 'code', 'deletedAt'],
  writeableColumnNames: ['code'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['code'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Barn, Leaf, Pin],
    imports: [EventEmitterModule.forRoot({ wildcard: true })],
    providers: [Listener],
    orm: { filters: { live: softDeleteFilter } },
    endpoints: [
      new RestfulApi({
        ...barns,
        url: 'barns',
        trash: { purge: true },
        beforeSave: told('before'),
        afterSave: told('after'),
        beforeDelete: told('before'),
        afterDelete: told('after'),
      }),
      new RestfulApi({ ...barns, url: 'plain', trash: true }),
      new RestfulApi({
        url: 'leaves',
        modelClass: Leaf,
        readableColumnNames: ['id', 'name'],
        writeableColumnNames: ['name'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        trash: true,
        bulk: true,
      }),
      new Callable({
        url: 'scoped',
        toCall: async ({ scoped, em }) => em.count(Barn, (await scoped(Barn)).where(), { filters: false }),
      }),
      new Callable({
        url: 'found',
        toCall: async ({ em }) => ({
          live: await em.count(Barn),
          all: await em.count(Barn, {}, { filters: false }),
        }),
      }),
    ],
  },
  once,
);

/** What is logged while the application of this file starts. */
const started: string[] = [];
beforeAll(() => {
  started.push(log.text('warn'));
});
afterAll(() => {
  heard.length = 0;
});

contract('Hooks and listeners hear of the trash, and whether a record stays', async ({ request, save }) => {
  heard.length = 0;
  const { id } = await save(Barn, { code: 'A' });
  await request().delete(`/barns/${id}`);
  await request().post(`/barns/trash/${id}/restore`);
  await request().delete(`/barns/${id}`);
  await request().delete(`/barns/trash/${id}`);
  expect(heard).toEqual([
    'before delete true',
    'after delete true',
    'deleted A true',
    'before restore undefined',
    'after restore undefined',
    'restored A {"deletedAt":null}',
    'before delete true',
    'after delete true',
    'deleted A true',
    'before delete false',
    'after delete false',
    'deleted A false',
  ]);
});

contract('softDeleteFilter hides from queries, and leaves endpoints as they are', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Barn, { code: 'A' });
  await save(Barn, { code: 'B' });
  await request().delete(`/plain/${id}`);
  expect((await request().get('/scoped')).body.data).toBe(1);
  expect((await request().get('/found')).body.data).toEqual({ live: 1, all: 2 });
  const statements = await Statements.of(subject);
  const read = () => request().get(`/plain/trash/${id}`);
  await read();
  expect(await statements.during(read)).toEqual([
    expect.stringMatching(/where "e0"."id" = \$1 and "e0"."deleted_at" is not null$/),
  ]);
  expect((await request().get('/plain/trash')).body.data).toMatchObject([{ code: 'A' }]);
  expect((await request().post(`/plain/trash/${id}/restore`)).body.data).toMatchObject({ deleted_at: null });
  // The constraint is one of all records here.
  await request().delete(`/plain/${id}`);
  const again = await request().post('/plain').send({ code: 'A' });
  expect([again.status, Object.keys(again.body.input_errors)]).toEqual([400, ['code']]);
});

contract('Documents show the trash, and its mark as one that nobody writes', ({ app }) => {
  const document = openApiDocument(app);
  for (const [method, path] of [
    ['get', '/barns/trash'],
    ['get', '/barns/trash/{id}'],
    ['post', '/barns/trash/{id}/restore'],
    ['delete', '/barns/trash/{id}'],
  ] as const)
    expect(Object.keys(operationAt(document, method, path).responses)).toContain('200');
  expect(JSON.stringify(operationAt(document, 'post', '/barns').requestBody)).not.toContain('deleted_at');
  expect(JSON.stringify(document)).toMatch(/"deleted_at":\{[^}]*"readOnly":true/);
});

contract(
  'Deleted records are purged or restored, not both, and those that others refer to stay',
  async ({ request, save, em }) => {
    const pinned = await save(Leaf, { name: 'pinned' });
    await save(Pin, { leaf: pinned.id });
    expect((await request().delete(`/leaves/${pinned.id}`)).status).toBe(200);
    let live: readonly number[] = [];
    for (let nth = 0; nth < 60; nth += 1) live = [...live, (await save(Leaf, { name: 'leaf' })).id];
    let purged = 0;
    // Each round gives the sweep, which is the other one that purges, time to be in the way.
    while (purged === 0) {
      expect((await request().delete('/leaves/bulk').send({ ids: live })).status).toBe(200);
      const restored = await Promise.all(live.map((id) => request().post(`/leaves/trash/${id}/restore`)));
      const statuses = restored.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
      purged = statuses.filter((status) => status === 404).length;
      live = live.filter((_, index) => statuses[index] === 200);
    }
    const left = await em()
      .fork()
      .find(Leaf, {}, { filters: false, orderBy: { id: 'asc' } });
    expect(left.map(({ id }) => id)).toEqual([pinned.id, ...live]);
    expect((await request().post(`/leaves/trash/${pinned.id}/restore`)).status).toBe(200);
  },
);

contract('What is restored while a purge waits for it stays', async (subject) => {
  const { save, em } = subject;
  // Nobody purges it before its table is locked: its time has not come yet.
  const { id } = await save(Leaf, { name: 'back', deletedAt: new Date(Date.now() + 2000) });
  await em()
    .fork()
    .transactional(async (inner) => {
      const execute = (sql: string) => (inner as SqlEntityManager).execute(sql);
      await execute('lock table leaf in exclusive mode');
      await heldUp(subject);
      await execute(`update leaf set deleted_at = null where id = ${id}`);
    });
  const { id: gone } = await save(Leaf, { name: 'gone', deletedAt: new Date(0) });
  const idsOf = async () =>
    (await em().fork().find(Leaf, {}, { filters: false })).map((leaf) => leaf.id).filter((one) => one >= id);
  while ((await idsOf()).includes(gone));
  expect(await idsOf()).toEqual([id]);
});

contract('Records that a purge leaves, however many, hide none behind them', async ({ em }) => {
  const due = `now() + interval '1 s'`;
  const insert = (name: string, count: number) =>
    (em() as SqlEntityManager).execute(
      `insert into leaf (name, deleted_at) select '${name}', ${due} from generate_series(1, ${count})`,
    );
  await insert('held', 1000);
  await em()
    .fork()
    .transactional(async (inner) => {
      const execute = (sql: string) => (inner as SqlEntityManager).execute(sql);
      await execute(`select id from leaf where name = 'held' for update`);
      await insert('behind', 1);
      const count = (name: string) => em().fork().count(Leaf, { name }, { filters: false });
      while ((await count('behind')) > 0);
      expect(await count('held')).toBe(1000);
      await execute(`delete from leaf where name = 'held'`);
    });
});

test('The start warns of what the database has against the mark', () => {
  expect(started.join('\n')).toContain(
    `Barn: barn_code_unique is unique among deleted records, too, so that nobody can use the values of one again; make it alter table "barn" drop constraint "barn_code_unique"; CREATE UNIQUE INDEX barn_code_unique ON public.barn USING btree (code) where "deleted_at" is null; or say uniqueAmong: 'all'`,
  );
  expect(started.join('\n')).toContain(
    `Barn: the policy live_barns looks at 'deleted_at' of rows that are read, so that PostgreSQL refuses to delete (42501)`,
  );
});
