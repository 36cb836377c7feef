import { expect, test } from '@jest/globals';
import { AdvancedSearch, Delete, Get, RestfulApi, SimpleSearch, Update } from '@nest-endpoints/core';
import { stock, Ware } from '../support/entities/stock.js';
import { stopped } from './stopped.js';
import { wares } from './where.stock.js';

type Where = NonNullable<NonNullable<Parameters<typeof wares>[1]>['where']>;

/** What stops the start of a list with this one `where`. */
const refusal = (entry: unknown) =>
  stopped(() => wares('wares', { where: [entry] as Where }), { entities: stock });

/** A message that names endpoint, option, the entry and, behind it, what is wrong. */
const naming = (entry: string, problem: string) =>
  new RegExp(
    `List 'wares': where: .*${entry.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}.*${problem}`,
    's',
  );

test('A where string with an unknown column stops the start', async () => {
  for (const name of ['siez', 'depot.nme', 'depto.name', 'parts.nme', 'size.name', 'depot.', '__proto__'])
    expect(await refusal(`${name} = 1`)).toMatch(naming(name, 'allowed: .*size'));
});

test('A where string with a bare relation stops the start', async () => {
  for (const name of ['depot', 'parts', 'tags'])
    expect(await refusal(`${name} = 1`)).toMatch(naming(name, 'allowed: '));
});

test("A where string with an operator that the column's type does not know stops the start", async () => {
  const entries = ['size like 1', 'fragile > true', 'code < aaaaaaaa-0000-4000-8000-000000000000'];
  for (const entry of [...entries, 'madeOn like 2020', 'depotId >= 1', 'soldAt like 2024'])
    expect(await refusal(entry)).toMatch(naming(entry, "operator '.+' is not for .+; allowed: =?"));
});

test("A where string with a value that is not of the column's type stops the start", async () => {
  const entries = {
    'size = ten': 'value should be an integer',
    'size = 1.5': 'value should be an integer',
    'size = ': 'value should be an integer',
    'size = null': 'value should be an integer',
    'size in (1, two)': 'value should be an integer',
    'size in (1,,2)': 'value should be an integer',
    'size = 2147483648': 'value should be between',
    'weight > heavy': 'value should be a number',
    'price = 1,5': 'value should be a decimal number',
    'fragile = yes': 'value should be a boolean',
    'madeOn > 2020-02-30': 'given value did not appear to be a valid date',
    'soldAt > 2020-02-03T10:00:00': 'date is missing timezone information',
    'code = 1': 'value should be a UUID',
    'state = broken': 'value should be one of: new, used, Broken',
    'depot.rank = first': 'value should be an integer',
    'parts.count in (x)': 'value should be an integer',
    'depotId = Kiel': 'value should be an integer',
  };
  for (const [entry, problem] of Object.entries(entries))
    expect(await refusal(entry)).toMatch(naming(entry, problem));
});

test('A where string whose quotes do not fit stops the start', async () => {
  const open = 'a value in quotes must end with its quote';
  // What follows looks like another condition, and that is the nearer mistake.
  const two = 'an entry is one condition';
  const values = [
    [`'anvil`, open],
    [`"anvil`, open],
    [`''anvil''`, open],
    [`'`, open],
    [`'anvil' or 1=1`, two],
    [`'anvil' and size != '1'`, two],
  ] as const;
  for (const [value, problem] of values)
    for (const entry of [`label = ${value}`, `label != ${value}`, `label like ${value}`])
      expect(await refusal(entry)).toMatch(naming(entry, problem));
});

test('A where string with an operator that is none stops the start', async () => {
  for (const operator of ['<>', '==', '=<', '=>', '===', '!==', '<=>=', '!', '~'])
    expect(await refusal(`label ${operator} anvil`)).toContain(`is not 'column operator value'`);
});

test('A where string with a value behind an operator that takes none stops the start', async () => {
  for (const entry of ['size is null 1', 'size is not null x'])
    expect(await refusal(entry)).toMatch(naming(entry, 'takes no value'));
  for (const entry of ['size is 1', 'label is not anvil'])
    expect(await refusal(entry)).toMatch(naming(entry, 'value should be null'));
});

test('A where string that is no condition stops the start', async () => {
  for (const entry of [
    '',
    ' ',
    'size',
    '= 1',
    'size 10',
    'size == 10 or',
    'size ! 10',
    '1 = 1 or size',
    '(size = 1)',
  ])
    expect(await refusal(entry)).toMatch(/List 'wares': where: /);
  expect(await refusal('size near 1')).toMatch(naming('size near 1', 'operators: <=>, !=, '));
  expect(await refusal('size between 1')).toMatch(naming('size between 1', 'value should be a list of two'));
  expect(await refusal('size notin 1')).toMatch(naming('size notin 1', 'operators: '));
});

test('A where string with a list that cannot be read stops the start', async () => {
  for (const entry of [
    `label in ('a)`,
    `label in (a, 'b)`,
    `label in ('a' 'b')`,
    `label in ('a'b)`,
    'size in (1',
  ])
    expect(await refusal(entry)).toMatch(naming(entry, ''));
});

test('A filter object with an unknown property stops the start', async () => {
  const entries = [
    { siez: 1 },
    { depot: { siez: 'Kiel' } },
    { depot: { region: { siez: 1 } } },
    { parts: { siez: 1 } },
    { $or: [{ size: 1 }, { siez: 2 }] },
    { $and: [{ $not: { siez: 2 } }] },
    { parts: { $some: { siez: 1 } } },
    { depotId: 1, siez: 2 },
  ];
  for (const entry of entries)
    expect(await refusal(entry)).toMatch(
      /List 'wares': where: unknown property '(siez|depotId)'.*allowed: id, /,
    );
});

test('A filter object with an unknown operator stops the start', async () => {
  for (const entry of [{ size: { $foo: 1 } }, { $xor: [{ size: 1 }] }, { depot: { rank: { $over: 1 } } }])
    expect(await refusal(entry)).toMatch(/List 'wares': where: .*\$(foo|xor|over)/s);
});

test('An entry of where that is no string, filter object or function stops the start', async () => {
  for (const entry of [undefined, null, 5, true, ['size = 1'], Object.create(Object.create(null))])
    expect(await refusal(entry)).toMatch(/List 'wares': where: /);
});

test('A where that is no list stops the start', async () => {
  for (const where of ['size = 1', { size: 1 }, () => ({ size: 1 })]) {
    const list = () => wares('wares', { where: where as unknown as Where });
    expect(await stopped(list, { entities: stock })).toMatch(/List 'wares': where: /);
  }
});

test('A wrong where stops the start of every kind that takes one', async () => {
  const where = ['siez = 1'];
  const readable = { modelClass: Ware, readableColumnNames: ['id'], where } as const;
  const written = { ...readable, writeableColumnNames: ['label'] } as const;
  const sorted = { sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;
  const listed = { ...readable, ...sorted, searchableColumnNames: ['id'] } as const;
  const kinds = {
    SimpleSearch: () => new SimpleSearch({ ...listed, url: 'x' }),
    AdvancedSearch: () => new AdvancedSearch({ ...listed, url: 'x' }),
    Get: () => new Get({ ...readable, url: 'x/:id' }),
    Update: () => new Update({ ...written, url: 'x/:id' }),
    Delete: () => new Delete({ modelClass: Ware, where, url: 'x/:id' }),
    RestfulApi: () => new RestfulApi({ ...listed, ...written, url: 'x' }),
  };
  for (const [kind, make] of Object.entries(kinds)) {
    const message = await stopped(make, { entities: stock });
    expect(message).toMatch(new RegExp(`${kind === 'RestfulApi' ? '' : kind}.*where: .*'siez'.*size`, 's'));
  }
});
