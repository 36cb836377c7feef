import { expect, test } from '@jest/globals';
import { stock } from '../support/entities/stock.js';
import { stopped } from './stopped.js';
import { wares } from './where.stock.js';

type Options = NonNullable<Parameters<typeof wares>[1]>;

/** What stops the start of a list with these joins. */
const refusal = (joins: readonly unknown[], where: readonly string[] = []) =>
  stopped(() => wares('wares', { joins: joins as Options['joins'], where } as Options), { entities: stock });

const parts = 'JOIN part AS p ON p.ware_id=ware.id';

test('An unknown relation path in joins stops the start', async () => {
  for (const path of [
    'depto',
    'depot.regon',
    'size',
    'depot.name',
    'parts.ware.depto',
    '',
    'depot.',
    '__proto__',
  ])
    expect(await refusal([path])).toMatch(new RegExp(`List 'wares': joins: '${path}'.*allowed: `));
});

test('An unknown table in a join string stops the start', async () => {
  for (const table of ['shelf', 'pg_user', 'WARE', 'Part'])
    expect(await refusal([`JOIN ${table} AS p ON p.id=ware.id`])).toMatch(
      new RegExp(`List 'wares': joins: 'JOIN ${table} .*'${table}'`),
    );
});

test('An unknown column in a join string stops the start', async () => {
  for (const on of ['p.waer_id=ware.id', 'p.ware_id=ware.ident', 'p.ctid=ware.id'])
    expect(await refusal([`JOIN part AS p ON ${on}`])).toMatch(
      /List 'wares': joins: .*has no column '\w+'.*id/,
    );
});

test('A column that is no single value of its table stops the start in a join string', async () => {
  for (const on of ['p.id=ware.tagIds', 'p.id=ware.tags', 'p.id=ware.parts'])
    expect(await refusal([`JOIN part AS p ON ${on}`])).toMatch(/List 'wares': joins: .*column '\w+'/);
});

test('An unknown alias in a join string stops the start', async () => {
  for (const on of ['part.ware_id=ware.id', 'p.ware_id=w.id', 'p.ware_id=depot.id'])
    expect(await refusal([`JOIN part AS p ON ${on}`])).toMatch(
      /List 'wares': joins: .*unknown.*allowed: ware, p/,
    );
});

test('An alias that is taken stops the start', async () => {
  for (const joins of [
    [parts, parts],
    [parts, 'JOIN depot AS p ON p.id=ware.depot_id'],
    ['JOIN ware ON ware.id=ware.id'],
  ])
    expect(await refusal(joins)).toMatch(/List 'wares': joins: .*taken/);
});

test('A join string that is no join of the grammar stops the start', async () => {
  const strings = [
    'RIGHT JOIN part AS p ON p.ware_id=ware.id',
    'FULL JOIN part AS p ON p.ware_id=ware.id',
    'FULL OUTER JOIN part AS p ON p.ware_id=ware.id',
    'NATURAL JOIN part',
    'CROSS JOIN part',
    'JOIN part',
    'JOIN part AS p',
    'JOIN part AS p ON',
    'JOIN part AS p USING (id)',
    'JOIN part AS p ON p.ware_id',
    'JOIN part AS p ON p.ware_id > ware.id',
    'JOIN part AS p ON p.ware_id = 1',
    'JOIN part AS p ON 1=1',
    'JOIN part AS p ON true',
    'JOIN part AS p ON p.ware_id=ware.id OR p.id=ware.id',
    'JOIN part AS p ON p.ware_id=ware.id AND',
    'JOIN part, depot ON part.id=depot.id',
    'some words',
  ];
  for (const join of strings)
    expect(await refusal([join])).toMatch(/List 'wares': joins: .*JOIN table \[AS alias\] ON a\.x=b\.y/);
});

test('A join string that brings SQL of its own stops the start', async () => {
  const strings = [
    `${parts}; drop table ware`,
    `${parts} --`,
    `${parts} WHERE 1=1`,
    `${parts} UNION SELECT 1`,
    `JOIN (select 1) AS p ON p.ware_id=ware.id`,
    `JOIN part AS p ON p.ware_id=(select 1)`,
    `JOIN part AS "p"; drop table ware; --" ON p.ware_id=ware.id`,
    `JOIN public.part AS p ON p.ware_id=ware.id`,
    `${parts} JOIN depot AS d ON d.id=ware.depot_id`,
  ];
  for (const join of strings) expect(await refusal([join])).toMatch(/List 'wares': joins: /);
});

test('A where string that an alias cannot take stops the start', async () => {
  const entries = {
    'p.nme = nut': "'p' has no column 'nme'",
    'p.ware.id = 1': "'p' has no column",
    'q.name = nut': "unknown column 'q.name'",
    'p.count = two': 'value should be an integer',
    'p.count like 1': "operator 'like'",
    'p.count is null 1': 'takes no value',
    'p = 1': "'p' has no column ''",
  };
  for (const [entry, problem] of Object.entries(entries))
    expect(await refusal([parts], [entry])).toMatch(new RegExp(`List 'wares': where: .*${problem}`));
});

test('An entry of joins that is no string or function stops the start', async () => {
  for (const join of [undefined, null, 5, true, { depot: true }, ['depot']])
    expect(await refusal([join])).toMatch(/List 'wares': joins: /);
});
