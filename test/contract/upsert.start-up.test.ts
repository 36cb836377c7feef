import { expect, test } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { CreateMany, RestfulApi, Upsert, type EndpointOrGroup } from '@nest-endpoints/core';
import { startApplication } from '../support/application.js';
import { stopped } from './stopped.js';
import { Item, items, Stock, Warehouse } from './upserted.stock.js';

const Part = defineEntity({
  name: 'Part',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string(),
    size: p.integer(),
    place: p.string().nullable().unique(),
    mark: p.string(),
    isOld: p.boolean().default(false),
  },
  uniques: [
    { properties: ['code', 'size'] },
    { properties: ['mark'], where: 'is_old = false' },
    { properties: ['size', 'place'] },
  ],
});

const entities = [Warehouse, Item, Stock, Part];

const parts = {
  modelClass: Part,
  url: 'parts',
  readableColumnNames: ['id'],
  writeableColumnNames: ['code', 'size', 'place', 'mark'],
} as const;

const message = (make: () => EndpointOrGroup) => stopped(make, { entities });

test('Columns that are not those of one full unique constraint stop the start, which lists what there is', async () => {
  for (const conflictColumnNames of [
    ['code'],
    ['size'],
    ['mark'],
    ['place'],
    ['code', 'size', 'mark'],
    ['size', 'place'],
  ] as const)
    expect(
      await message(() => new Upsert({ ...parts, conflictColumnNames: [...conflictColumnNames] })),
    ).toMatch(
      /^Upsert 'parts': conflictColumnNames: .* are not the columns of one unique constraint, all of them not null; allowed: id; code, size$/,
    );
  expect(await message(() => new Upsert({ ...parts, url: ':code', recordLookupColumnName: 'code' }))).toMatch(
    /recordLookupColumnName: 'code' is not unique in the entity, or may be null; allowed: id; code, size/,
  );
});

test('A key that nobody writes stops the start: a generated id, or a column that is not writeable', async () => {
  expect(await message(() => new Upsert({ ...parts, url: 'parts/:id' }))).toMatch(
    /recordLookupColumnName: 'id' cannot be written: /,
  );
  expect(
    await message(
      () => new Upsert({ ...parts, conflictColumnNames: ['code', 'size'], writeableColumnNames: ['code'] }),
    ),
  ).toMatch(/conflictColumnNames: 'size' is neither writeable, nor in the path, nor set by the service/);
  expect(await message(() => new Upsert(parts))).toMatch(
    /url: '\/parts' has no parameter ':id', by which the record is found, and there are no conflictColumnNames/,
  );
  const api = {
    ...items,
    url: 'items',
    sortableColumnNames: ['code'],
    searchableColumnNames: ['code'],
    defaultSortColumnName: 'code',
    upsert: true,
  } as const;
  expect(await message(() => new RestfulApi(api))).toMatch(/'id' cannot be written: the database counts it/);
});

test('A column of another record, an unknown one, and a version that is not there stop the start', async () => {
  const wrong = (name: string) => () => new Upsert({ ...parts, conflictColumnNames: [name as never] });
  expect(await message(wrong('codes'))).toMatch(
    /conflictColumnNames: unknown column 'codes' \(did you mean 'code'\?\)/,
  );
  const stock = () =>
    new Upsert({
      modelClass: Stock,
      url: 'stocks',
      readableColumnNames: ['id'],
      writeableColumnNames: ['sku'],
      conflictColumnNames: ['warehouse.name' as never],
    });
  expect(await message(stock)).toMatch(/'warehouse.name' is a column of another record/);
  expect(
    await message(
      () => new Upsert({ ...parts, conflictColumnNames: ['code', 'size'], preconditionRequired: true }),
    ),
  ).toMatch(/preconditionRequired: Part has no version/);
});

test('A CreateMany that changes what is there stops the start without its columns, and for wrong ones', async () => {
  const bulk = (options: object) => () => new CreateMany({ ...parts, ...options });
  expect(await message(bulk({ onConflict: 'update' }))).toMatch(
    /^CreateMany 'parts': onConflict: 'update' needs conflictColumnNames$/,
  );
  expect(await message(bulk({ conflictColumnNames: ['code', 'size'] }))).toMatch(
    /conflictColumnNames: need onConflict: 'update' or 'ignore'$/,
  );
  expect(await message(bulk({ conflictColumnNames: ['mark'], onConflict: 'ignore' }))).toMatch(
    /conflictColumnNames: mark are not the columns of one unique constraint, .*; allowed: id; code, size$/,
  );
  expect(await message(bulk({ conflictColumnNames: ['code'], onConflict: 'refuse' }))).toMatch(
    /conflictColumnNames: code are not the columns of one unique constraint/,
  );
  const several = { conflictColumnNames: ['code', 'size'], onConflict: 'ignore' };
  expect(await message(bulk({ ...several, writeableColumnNames: ['code'] }))).toMatch(
    /conflictColumnNames: 'size' is neither writeable, nor in the path, nor set by the service/,
  );
});

/** An application on a table that somebody has made by hand. */
const startOn = (table: string) =>
  startApplication('express', 'postgresql', {
    entities: [Part],
    endpoints: [new Upsert({ ...parts, conflictColumnNames: ['code', 'size'] })],
    orm: { schemaGenerator: { skipTables: ['part'] } },
    providers: [
      {
        provide: 'table',
        inject: [MikroORM],
        useFactory: (orm: MikroORM) => orm.em.getConnection().execute(table),
      },
    ],
  });

test('A unique index of the database that is about some rows alone stops the start', async () => {
  const columns = 'id serial primary key, code text not null, size int not null';
  for (const index of ['(code, size) where size > 0', '(lower(code), size)', '(code)'])
    await expect(
      startOn(`create table part (${columns}); create unique index ours on part ${index}`),
    ).rejects.toThrow(
      /conflictColumnNames: the table part has no unique index of code, size alone, for all rows; it has: .*part_pkey.*ours/,
    );
  const whole = await startOn(
    `create table part (${columns}); create unique index ours on part (size, code)`,
  );
  await whole.close();
});
