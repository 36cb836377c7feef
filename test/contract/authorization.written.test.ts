import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  anyOf,
  CreateMany,
  Delete,
  DeleteMany,
  EndpointGroup,
  Import,
  RestfulApi,
  softDelete,
  UpdateMany,
} from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const owned = {
  id: p.integer().primary().autoincrement(),
  tenant: p.string().length(20),
  name: p.string().length(20),
  deletedAt: p.datetime().nullable(),
} as const;

const Spoon = defineEntity({ name: 'Spoon', properties: owned });

const Fork = defineEntity({
  name: 'Fork',
  properties: { ...owned, code: p.string().length(20).unique() },
});

const Cup = defineEntity({
  name: 'Cup',
  properties: {
    ...owned,
    saucers: () => p.oneToMany(Saucer).mappedBy('cup'),
    spoon: () => p.manyToOne(Spoon).nullable(),
  },
});

const Saucer = defineEntity({
  name: 'Saucer',
  properties: {
    ...owned,
    cup: () => p.manyToOne(Cup).nullable(),
  },
});

softDelete(Saucer, { columnName: 'deletedAt' });

/** A sender may write for two tenants, so that bodies say which; a function may say another one. */
const either = anyOf(
  new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
  new TenantRecords({ columnName: 'tenant', claim: 'second' }),
);

const lost = ({ record }: { readonly record: { name: string; tenant: string } }): void => {
  if (record.name === 'lost') record.tenant = 'other';
};

const saving = { beforeSave: lost };
const deleting = { beforeDelete: lost };
const hooks = { ...saving, ...deleting };
const writeable = ['name', 'tenant'] as const;
const lines = { modelClass: Fork, writeableColumnNames: ['name', 'tenant', 'code'] } as const;
const searched = {
  readableColumnNames: ['id', 'name'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;
const operations = ['create', 'update', 'delete', 'unlink'] as const;

const { contract } = service(
  {
    entities: [Cup, Fork, Saucer, Spoon],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        authorization: either,
        endpoints: [
          new RestfulApi({
            ...searched,
            ...hooks,
            modelClass: Spoon,
            url: 'spoons',
            writeableColumnNames: ['name', 'tenant'],
          }),
          new RestfulApi({
            ...searched,
            ...hooks,
            modelClass: Saucer,
            url: 'saucers',
            writeableColumnNames: writeable,
          }),
          new RestfulApi({
            ...searched,
            modelClass: Cup,
            url: 'cups',
            writeableColumnNames: writeable,
            writeableRelations: {
              saucers: { through: 'saucers', operations },
              spoon: { through: 'spoons' },
            },
          }),
          new CreateMany({
            ...saving,
            modelClass: Saucer,
            url: 'many',
            readableColumnNames: ['id'],
            writeableColumnNames: writeable,
            answer: 'ids',
          }),
          new UpdateMany({
            ...saving,
            modelClass: Saucer,
            url: 'many',
            readableColumnNames: ['id'],
            writeableColumnNames: writeable,
            answer: 'ids',
          }),
          new DeleteMany({ ...deleting, modelClass: Saucer, url: 'many' }),
          new Delete({ ...deleting, modelClass: Saucer, url: 'one/:id' }),
          new Import({ ...lines, url: 'import' }),
          new Import({ ...lines, url: 'chunks', mode: 'chunks' }),
          new Import({ ...lines, url: 'met', conflictColumnNames: ['code'], onConflict: 'update' }),
          new Import({ ...lines, ...saving, url: 'hooked' }),
        ],
      }),
    ],
  },
  everyDatabase,
);

const claims = JSON.stringify({ tenant: 'a', second: 'b' });

const fill = async ({ save }: Subject): Promise<void> => {
  const spoon = await save(Spoon, { tenant: 'a', name: 'spoon' });
  const cup = await save(Cup, { tenant: 'a', name: 'cup', spoon: spoon.id });
  await save(Saucer, { tenant: 'a', name: 'lost', cup: cup.id });
};

const stored = async ({ em }: Subject): Promise<unknown> => {
  const own = em().fork();
  const order = { orderBy: { id: 'asc' } } as const;
  const all = [
    ...(await own.find(Spoon, {}, order)),
    ...(await own.find(Cup, {}, order)),
    ...(await own.find(Saucer, {}, order)),
  ];
  return all.map(({ tenant, name, deletedAt }) => [tenant, name, deletedAt]);
};

const elsewhere = { name: 'new', tenant: 'other' };
const within = { name: 'new', tenant: 'b' };
const moved = { name: 'lost', tenant: 'b' };

contract(
  'Nested writes and those of many keep no record outside of what binds the sender',
  async (subject) => {
    await fill(subject);
    const before = await stored(subject);
    const { request } = subject;
    for (const wrong of [elsewhere, moved])
      for (const [method, path, body] of [
        ['post', '/cups', { ...within, saucers: [wrong] }],
        ['post', '/cups', { ...within, spoon: { create: wrong } }],
        ['patch', '/cups/1', { saucers: { create: [wrong] } }],
        ['patch', '/cups/1', { saucers: { update: [{ id: 1, ...wrong }] } }],
        ['patch', '/cups/1', { spoon: { update: wrong } }],
        ['patch', '/cups/1', { saucers: { unlink: [1] } }],
        ['patch', '/cups/1', { saucers: { delete: [1] } }],
        ['post', '/many', { records: [within, wrong] }],
        ['patch', '/many', { ids: [1], changes: wrong }],
        ['delete', '/many', { ids: [1] }],
        ['delete', '/one/1', undefined],
      ] as const) {
        const { status } = await request()[method](path).set('x-claims', claims).send(body);
        expect([method, path, body, status]).toEqual([method, path, body, 404]);
        expect(await stored(subject)).toEqual(before);
      }
    await request()
      .patch('/cups/1')
      .set('x-claims', claims)
      .send({ saucers: { create: [within] }, spoon: { update: within } })
      .expect(200);
  },
);

contract('An Import refuses the lines that are outside of what binds the sender', async (subject) => {
  const { request, count, save } = subject;
  await save(Fork, { tenant: 'a', name: 'fork', code: 'there' });
  const told = async (path: string, lines: readonly string[]): Promise<unknown> => {
    const sent = request().post(path).set('x-claims', claims).set('content-type', 'text/csv');
    const { text } = await sent.send(`name,tenant,code\n${lines.join('\n')}\n`).expect(200);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  };
  const refused = [
    { line: 3, error: 'Not Found' },
    { status: 'input_errors', data: { lines: 2, created: 0, updated: 0, failed: 1 } },
  ];
  expect(await told('/import', ['new,b,one', 'new,other,two'])).toEqual(refused);
  expect(await told('/met', ['new,b,one', 'new,other,two'])).toEqual(refused);
  expect(await told('/met', ['new,b,one', 'new,other,there'])).toEqual(refused);
  expect(await told('/hooked', ['new,b,one', 'lost,b,two'])).toEqual(refused);
  expect(await count(Fork)).toBe(1);
  expect(await told('/chunks', ['new,b,one', 'new,other,two'])).toEqual([
    { line: 3, error: 'Not Found' },
    { status: 'input_errors', data: { lines: 2, created: 1, updated: 0, failed: 1 } },
  ]);
  expect(await count(Fork)).toBe(2);
});
