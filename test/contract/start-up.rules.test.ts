import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AfterColumn,
  BeforeColumn,
  Create,
  CreatedByIpColumn,
  CreatedByUserAgentColumn,
  Get,
  InThePast,
  InTheFuture,
  ListColumn,
  Update,
  defineColumns,
  type ColumnDefinition,
} from '@nest-endpoints/core';
import { stopped } from './stopped.js';

const Fair = defineEntity({
  name: 'Fair',
  properties: {
    id: p.integer().primary(),
    title: p.string(),
    opens: p.date(),
    closes: p.datetime(),
    visitors: p.integer(),
    budget: p.decimal('string'),
    ip: p.string().nullable(),
    grid: p.array().columnType('int[][]').nullable(),
    total: p.integer().persist(false).formula('1'),
  },
});

defineColumns(Fair, { ip: { type: new CreatedByIpColumn() } });

const fairs = { modelClass: Fair, readableColumnNames: ['title'], writeableColumnNames: ['title'] } as const;
const withFair = { entities: [Fair] };
const started = 'Error: the application started';

/** The start of an application whose endpoints have these definitions for a column. */
const overridden = (columnOverrides: Record<string, ColumnDefinition>) =>
  stopped(() => new Create({ ...fairs, url: 'fairs', columnOverrides }), withFair);

test('A rule about an unknown column stops the start', async () => {
  for (const rule of [new BeforeColumn('close'), new AfterColumn('constructor')]) {
    const message = await overridden({ opens: { validators: [rule] } });
    expect(message).toMatch(
      new RegExp(`Create.*fairs.*validators.*'${rule.siblingColumnName}'.*'opens'.*allowed: closes$`),
    );
  }
});

test('A rule about a column that cannot be compared stops the start', async () => {
  for (const [column, other] of [
    ['opens', 'title'],
    ['title', 'opens'],
    ['title', 'ip'],
    ['opens', 'visitors'],
    ['opens', 'opens'],
  ] as const) {
    const message = await overridden({ [column]: { validators: [new BeforeColumn(other)] } });
    expect(message).toMatch(new RegExp(`Create.*fairs.*validators.*'${other}'.*'${column}'`));
  }
});

test('A rule about a column that can be compared does not stop the start', async () => {
  expect(await overridden({ opens: { validators: [new BeforeColumn('closes')] } })).toBe(started);
  expect(await overridden({ budget: { validators: [new BeforeColumn('visitors')] } })).toBe(started);
});

test('A rule about past or future on a column that is no time stops the start', async () => {
  for (const rule of [new InThePast(), new InTheFuture()])
    for (const column of ['title', 'visitors'])
      expect(await overridden({ [column]: { validators: [rule] } })).toMatch(
        new RegExp(`Create.*fairs.*validators.*${rule.name}.*'${column}'`),
      );
});

test('A CreatedBy column as writeable stops the start', async () => {
  const option = { url: 'fairs', writeableColumnNames: ['title', 'ip'] } as const;
  expect(await stopped(() => new Create({ ...fairs, ...option }), withFair)).toMatch(
    /Create.*fairs.*writeableColumnNames.*'ip'.*CreatedByIp/,
  );
  const update = () => new Update({ ...fairs, ...option, url: 'fairs/:id' });
  expect(await stopped(update, withFair)).toMatch(/Update.*fairs\/:id.*writeableColumnNames.*'ip'/);
  const columnOverrides = { title: { type: new CreatedByUserAgentColumn() } };
  const override = () => new Create({ ...fairs, url: 'fairs', columnOverrides });
  expect(await stopped(override, withFair)).toMatch(/Create.*fairs.*writeableColumnNames.*'title'/);
});

test('A CreatedBy column that is computed stops the start', async () => {
  expect(await overridden({ total: { type: new CreatedByIpColumn() } })).toMatch(
    /'total'.*CreatedByIp.*computed/,
  );
});

test('A List on a property that holds no list stops the start', async () => {
  const columnOverrides = { opens: { type: new ListColumn() } };
  const get = () =>
    new Get({ modelClass: Fair, url: 'fairs/:id', readableColumnNames: ['opens'], columnOverrides });
  expect(await stopped(get, withFair)).toMatch(/'opens'.*List/);
});

test('A list of lists in the database stops the start', async () => {
  const get = () => new Get({ modelClass: Fair, url: 'fairs/:id', readableColumnNames: ['grid'] });
  expect(await stopped(get, withFair)).toMatch(/Get.*fairs\/:id.*readableColumnNames.*'grid'.*int\[\]\[\]/);
});
