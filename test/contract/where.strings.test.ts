import { expect } from '@jest/globals';
import { everyDatabase, service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { idsOf, injected, stockUp, stockWith, tried, wares } from './where.stock.js';

const tables = {
  operators: [
    ['size = 10', '1'],
    ['size != 10', '2 3 5'],
    ['size < 20', '1'],
    ['size <= 20', '1 2 3'],
    ['size > 20', '5'],
    ['size >= 20', '2 3 5'],
    ['size <=> 10', '1'],
    ['size <=> null', '4'],
    ['size in (10, 30)', '1 5'],
    ['size in ()', ''],
    ['size not in (10, 30)', '2 3'],
    ['size not in ()', '1 2 3 5'],
    ['size between (10, 20)', '1 2 3'],
    ['label contains OWL', '2'],
    ['label starts with A%', '3'],
    ['size is null', '4'],
    ['size is not null', '1 2 3 5'],
    ['size is not NULL', '1 2 3 5'],
    ['label like a%', '1 3'],
    ['label like _owl%', '2'],
    ['label like a\\%b', '3'],
    ['fragile is true', '2 3'],
    ['fragile is not true', '1 4 5'],
    ['fragile is null', '4 5'],
  ],
  types: [
    ['id = 3', '3'],
    ['label = anvil', '1'],
    ['weight >= 2.5', '2'],
    ['price = 9.9', '1'],
    ['price < 10.0', '1'],
    ['serial = 9007199254740993', '1'],
    ['serial = 9007199254740992', ''],
    ['fragile = true', '2 3'],
    ['fragile != true', '1'],
    ['madeOn < 2021-01-01', '1'],
    ['soldAt = 2024-05-05T10:00:00Z', '1'],
    ['soldAt = 2024-05-05T12:00:00+02:00', '1'],
    ['soldAt > 2024-05-05T10:00:00Z', ''],
    ['checkedAt > 50', '1'],
    ['code = AAAAAAAA-0000-4000-8000-000000000000', '1'],
    ['state in (new, used)', '1 2'],
    ['depotId = 1', '1 3'],
    ['depotId in (1, 3)', '1 3 5'],
    ['depotId is null', '4'],
  ],
  spaces: [
    ['size=10', '1'],
    ['  size   =10  ', '1'],
    ['size>=20', '2 3 5'],
    ['size<=>10', '1'],
    ['size!=10', '2 3 5'],
    ['size   is   not   null', '1 2 3 5'],
    ['size IS NOT NULL', '1 2 3 5'],
    ['size In(10,30)', '1 5'],
    ['size in 10,30', '1 5'],
    ['label LIKE a%', '1 3'],
    ['fragile IS true', '2 3'],
    ['label\n=\tanvil', '1'],
  ],
  quotes: [
    [`label = 'anvil'`, '1'],
    [`label = "anvil"`, '1'],
    [`label='anvil'`, '1'],
    [`label = ' anvil'`, ''],
    [`label = bowl, deep`, '2'],
    [`label in ('bowl, deep', anvil)`, '1 2'],
    [`label in ("bowl, deep", 'anvil')`, '1 2'],
    [`label like '%deep'`, '2'],
    [`size = '10'`, '1'],
    [`label = 'null'`, ''],
    [`label = '${injected.replaceAll("'", "''")}'`, '5'],
  ],
  metacharacters: [
    [`label = ${injected}`, '5'],
    [`label in ('${injected.replaceAll("'", "''")}')`, '5'],
    [`label = anvil' or 1=1 --`, ''],
    [`label = ''' or 1=1 --'`, ''],
    [`label = a%b`, '3'],
    [`label = %`, ''],
    [`label = ?`, ''],
    [`label = $1`, ''],
    [`label = :label`, ''],
    [`label = \\`, ''],
    [`label like '''); drop table ware; --'`, ''],
  ],
  parents: [
    ['depot.name = Kiel', '1 3'],
    ['depot.name != Kiel', '2 5'],
    ['depot.region.title = south', '2'],
    ['depot.regionId = 1', '1 3'],
    ['depot.rank is null', '4 5'],
    ['depot.region.title is not null', '1 2 3'],
  ],
  children: [
    ['parts.name = nut', '1 2'],
    ['parts.name is null', '2'],
    ['parts.name is not null', '1 2'],
    ['parts.count > 1', '1'],
    ['parts.name in (bolt, nut)', '1 2'],
    ['parts.name != nut', '1'],
    ['tags.word = red', '1 2'],
    ['tags.word in (red, blue)', '1 2'],
    ['tags.id is not null', '1 2'],
  ],
} satisfies Record<string, readonly (readonly [string, string])[]>;

const { endpoints, shown } = tried(tables);

const { contract } = service(
  stockWith([
    ...endpoints,
    wares('several', { where: ['size = 20', 'fragile = true', 'depot.name = Kiel'] }),
    wares('contrary', { where: ['size = 20', 'size = 10'] }),
    wares('apart', { where: ['parts.name = nut', 'parts.count = 2'] }),
    wares('none', { where: [] }),
  ]),
  everyDatabase,
);

contract('A where string compares a column by any operator', async (subject) => {
  await stockUp(subject);
  expect(await shown('operators', subject)).toEqual(tables.operators);
});

contract("A where string reads its value with the column's type", async (subject) => {
  await stockUp(subject);
  expect(await shown('types', subject)).toEqual(tables.types);
});

contract('A where string may have spaces or none, and word operators in any letter case', async (subject) => {
  await stockUp(subject);
  expect(await shown('spaces', subject)).toEqual(tables.spaces);
});

contract('Quotes around the value of a where string are left out', async (subject) => {
  await stockUp(subject);
  expect(await shown('quotes', subject)).toEqual(tables.quotes);
});

contract('The value of a where string is never read as SQL', async (subject) => {
  await stockUp(subject);
  expect(await shown('metacharacters', subject)).toEqual(tables.metacharacters);
  expect(await subject.count(Ware)).toBe(5);
});

contract('A where string may name a column of a parent', async (subject) => {
  await stockUp(subject);
  expect(await shown('parents', subject)).toEqual(tables.parents);
});

contract(
  'A where string over a to-many path keeps the records that have such a one, each once',
  async (subject) => {
    await stockUp(subject);
    expect(await shown('children', subject)).toEqual(tables.children);
  },
);

contract('All where strings of an endpoint must be met', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  expect(idsOf(await request().get('/several'))).toBe('3');
  expect(idsOf(await request().get('/contrary'))).toBe('');
  expect(idsOf(await request().get('/none'))).toBe('1 2 3 4 5');
});

contract('Each where string over a to-many path asks for a related record of its own', async (subject) => {
  await stockUp(subject);
  expect(idsOf(await subject.request().get('/apart'))).toBe('1');
});
