import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { List } from '@nest-endpoints/core';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';
import { stock, Ware } from '../support/entities/stock.js';
import { wares } from './advanced-search.wares.js';
import { idsOfPages, listing, pages, walked } from './keyset.walk.js';
import { Parcel } from './parcel.js';

const { contract } = service(
  {
    entities: [...stock, Parcel],
    endpoints: [
      wares({ pagination: 'keyset' }),
      new List({
        url: 'parcels',
        modelClass: Parcel,
        readableColumnNames: ['id'],
        sortableColumnNames: ['weight', 'volume', 'scannedAt', 'collectedAt'],
        defaultSortColumnName: 'weight',
        pagination: 'keyset',
      }),
    ],
  },
  postgresqlOnly,
);

/** Sets a column of every ware past MikroORM, whose JavaScript values cannot hold what a database can. */
const set = async ({ em }: Subject, column: string, values: readonly (string | null)[]) => {
  const manager = em() as SqlEntityManager;
  for (const [index, value] of values.entries()) {
    await manager.insert(Ware, { id: index + 1 });
    await manager.execute(`update ware set ${column} = ? where id = ?`, [value, index + 1]);
  }
};

contract('Keyset pages over microseconds reach every record of one millisecond', async (subject) => {
  const instants = Array.from({ length: 30 }, (_, index) => {
    const micros = String((index * 7) % 30).padStart(3, '0');
    return `2024-05-05 10:00:00.123${micros}+00`;
  });
  await set(subject, 'sold_at', instants);
  const order = instants.map((text, index) => [text, index + 1] as const);
  const expected = order.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, id]) => id);
  expect(await walked(subject, ['sold_at', 'asc'])).toEqual(expected);
  expect(await walked(subject, ['sold_at', 'desc'])).toEqual(expected.toReversed());
});

contract('Keyset pages over instants that no calendar has reach every record once', async (subject) => {
  await set(subject, 'sold_at', [
    'infinity',
    '2024-05-05 10:00:00.000001+00',
    null,
    '-infinity',
    '0044-03-15 00:00:00+00 BC',
    'infinity',
    '20000-01-01 00:00:00+00',
  ]);
  expect(await walked(subject, ['sold_at', 'asc'])).toEqual([4, 5, 2, 7, 1, 6, 3]);
  expect(await walked(subject, ['sold_at', 'desc'])).toEqual([3, 1, 6, 7, 2, 5, 4]);
});

contract('Keyset pages over NaN and the infinities reach every record once', async (subject) => {
  const weights = ['0.1', '-0', '0', null, 'Infinity', '-Infinity', '5e-324', 'NaN', '1e300', 'NaN'];
  await set(subject, 'weight', weights);
  expect(await walked(subject, ['weight', 'asc'])).toEqual([6, 2, 3, 7, 1, 9, 5, 8, 10, 4]);
  expect(await walked(subject, ['weight', 'desc'])).toEqual([4, 8, 10, 5, 9, 1, 7, 2, 3, 6]);
});

contract(
  'Keyset pages over single-precision numbers and long ones compare them as stored',
  async (subject) => {
    const manager = subject.em() as SqlEntityManager;
    const weights = ['0.1', '16777217', '0.1', '-3.4028235e38', '1e-45', null];
    const volumes = ['9007199254740991', '-9007199254740991', '0', null, '0', '1'];
    for (const [index, weight] of weights.entries())
      await manager.execute(
        'insert into parcel (weight, volume, scanned_at, collected_at) values (?, ?, ?, ?)',
        [
          weight,
          volumes[index] ?? null,
          `2024-05-05 10:00:00.12${index}+00`,
          `2024-05-05 10:00:00.${9 - index}+00`,
        ],
      );
    const by = async (sort: string) =>
      idsOfPages(await pages(listing(subject, `/parcels?limit=1&sort=${sort}`))).flat();
    expect(await by('weight')).toEqual([4, 5, 1, 3, 2, 6]);
    expect(await by('weight&direction=desc')).toEqual([6, 2, 1, 3, 5, 4]);
    expect(await by('volume')).toEqual([2, 3, 5, 6, 1, 4]);
    expect(await by('scanned_at&direction=desc')).toEqual([6, 5, 4, 3, 2, 1]);
    expect(await by('collected_at')).toEqual([6, 5, 4, 3, 2, 1]);
  },
);
