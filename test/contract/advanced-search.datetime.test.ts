import { expect } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { AdvancedSearch, DatetimeColumn } from '@nest-endpoints/core';
import { everyDatabase, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { stock, Ware } from '../support/entities/stock.js';
import { found, stockWith, wares, type Sent } from './advanced-search.wares.js';
import { Parcel } from './parcel.js';

const milliseconds = { soldAt: { type: new DatetimeColumn({ precision: 'milliseconds' }) } };

const parcels = new AdvancedSearch({
  url: 'parcels',
  modelClass: Parcel,
  readableColumnNames: ['id', 'collectedAt'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['collectedAt'],
  defaultSortColumnName: 'id',
});

const application = {
  ...stockWith([wares(), wares({ url: 'precise', columnOverrides: milliseconds }), parcels]),
  entities: [...stock, Parcel],
};

const { contract } = service(application, everyDatabase);
const onPostgresql = service(application, postgresqlOnly).contract;

const library = service(
  libraryWith([
    new AdvancedSearch({
      url: 'books',
      modelClass: Book,
      readableColumnNames: ['title', 'created', 'updated'],
      sortableColumnNames: ['title'],
      searchableColumnNames: ['created', 'updated'],
      defaultSortColumnName: 'title',
    }),
  ]),
  everyDatabase,
).contract;

/** One second, and its neighbours: 1 to 6 in order. */
const instants = [
  '2024-05-05T10:00:00.999Z',
  '2024-05-05T10:00:01.000Z',
  '2024-05-05T10:00:01.001Z',
  '2024-05-05T10:00:01.250Z',
  '2024-05-05T10:00:01.999Z',
  '2024-05-05T10:00:02.000Z',
];

const store = ({ em }: Subject, texts: readonly string[] = instants) =>
  em().insertMany(
    Ware,
    texts.map((text, index) => ({ id: index + 1, soldAt: new Date(text) })),
  );

/** Instants finer than those of JavaScript. */
const storeFinely = async ({ em }: Subject, texts: readonly string[]): Promise<void> => {
  const manager = em() as SqlEntityManager;
  for (const [index, text] of texts.entries()) {
    await manager.insert(Ware, { id: index + 1 });
    await manager.execute('update ware set sold_at = ? where id = ?', [text, index + 1]);
  }
};

const soldAt = (operator: string, value: unknown): Sent[] => [{ column: 'sold_at', operator, value }];

contract('Datetimes are compared at the seconds they are written with', async (subject) => {
  await store(subject);
  for (const value of [
    '2024-05-05T10:00:01Z',
    '2024-05-05T10:00:01.999+00:00',
    '2024-05-05T12:00:01+02:00',
  ]) {
    const by = (operator: string) => found(subject, soldAt(operator, value));
    expect(await by('=')).toEqual([2, 3, 4, 5]);
    expect(await by('<=>')).toEqual([2, 3, 4, 5]);
    expect(await by('!=')).toEqual([1, 6]);
    expect(await by('<')).toEqual([1]);
    expect(await by('<=')).toEqual([1, 2, 3, 4, 5]);
    expect(await by('>')).toEqual([6]);
    expect(await by('>=')).toEqual([2, 3, 4, 5, 6]);
    expect(await found(subject, soldAt('in', [value, '2024-05-05T10:00:00Z']))).toEqual([1, 2, 3, 4, 5]);
    expect(await found(subject, soldAt('between', [value, value]))).toEqual([2, 3, 4, 5]);
  }
});

contract('Datetimes with precision milliseconds are compared at milliseconds', async (subject) => {
  await store(subject);
  const by = (operator: string, value: unknown) => found(subject, soldAt(operator, value), '/precise');
  expect(await by('=', '2024-05-05T10:00:01.250Z')).toEqual([4]);
  expect(await by('=', '2024-05-05T10:00:01Z')).toEqual([2]);
  expect(await by('!=', '2024-05-05T10:00:01Z')).toEqual([1, 3, 4, 5, 6]);
  expect(await by('<', '2024-05-05T10:00:01.250Z')).toEqual([1, 2, 3]);
  expect(await by('<=', '2024-05-05T10:00:01.250Z')).toEqual([1, 2, 3, 4]);
  expect(await by('>', '2024-05-05T10:00:01.250Z')).toEqual([5, 6]);
  expect(await by('>=', '2024-05-05T10:00:01.250Z')).toEqual([4, 5, 6]);
  expect(await by('in', ['2024-05-05T10:00:00.999Z', '2024-05-05T10:00:02Z'])).toEqual([1, 6]);
});

onPostgresql('Microseconds of a Datetime do not count in a search', async (subject) => {
  await storeFinely(subject, [
    '2024-05-05 10:00:00.999999+00',
    '2024-05-05 10:00:01.000001+00',
    '2024-05-05 10:00:01.250999+00',
    '2024-05-05 10:00:01.999999+00',
    '2024-05-05 10:00:02+00',
  ]);
  const second = '2024-05-05T10:00:01Z';
  for (const [operator, seconds, milliseconds] of [
    ['=', [2, 3, 4], [2]],
    ['!=', [1, 5], [1, 3, 4, 5]],
    ['<', [1], [1]],
    ['<=', [1, 2, 3, 4], [1, 2]],
    ['>', [5], [3, 4, 5]],
    ['>=', [2, 3, 4, 5], [2, 3, 4, 5]],
  ] as const) {
    expect(await found(subject, soldAt(operator, second))).toEqual(seconds);
    expect(await found(subject, soldAt(operator, second), '/precise')).toEqual(milliseconds);
  }
  expect(await found(subject, soldAt('in', [second]))).toEqual([2, 3, 4]);
  expect(await found(subject, soldAt('in', ['2024-05-05T10:00:01.250Z']), '/precise')).toEqual([3]);
});

contract('Datetimes before 1970 are compared as those after it', async (subject) => {
  await store(subject, [
    '1969-12-31T23:59:58.999Z',
    '1969-12-31T23:59:59.500Z',
    '1970-01-01T00:00:00Z',
    '0001-01-01T00:00:00.500Z',
    '1815-12-23T00:00:00.001Z',
  ]);
  expect(await found(subject, soldAt('=', '1969-12-31T23:59:59Z'))).toEqual([2]);
  expect(await found(subject, soldAt('<', '1969-12-31T23:59:59Z'))).toEqual([1, 4, 5]);
  expect(await found(subject, soldAt('in', ['1969-12-31T23:59:58Z', '0001-01-01T00:00:00Z']))).toEqual([
    1, 4,
  ]);
  expect(await found(subject, soldAt('<=', '1815-12-23T00:00:00Z'))).toEqual([4, 5]);
});

contract('The first and the last second of the calendar can be searched', async (subject) => {
  await store(subject, ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']);
  for (const [operator, first, last] of [
    ['=', [1], [2]],
    ['!=', [2], [1]],
    ['<', [], [1]],
    ['<=', [1], [1, 2]],
    ['>', [2], []],
    ['>=', [1, 2], [2]],
  ] as const) {
    expect(await found(subject, soldAt(operator, '0001-01-01T00:00:00Z'))).toEqual(first);
    expect(await found(subject, soldAt(operator, '9999-12-31T23:59:59Z'))).toEqual(last);
  }
  const both = ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'];
  expect(await found(subject, soldAt('in', both))).toEqual([1, 2]);
});

contract('An instant is read whatever the offset it is written with', async (subject) => {
  await store(subject, ['2024-05-05T10:00:01Z']);
  for (const value of ['2024-05-05T10:00:01Z', '2024-05-05t15:30:01+05:30', '2024-05-04T20:00:01-1400'])
    expect([value, await found(subject, soldAt('=', value))]).toEqual([value, [1]]);
  expect(await found(subject, soldAt('=', '2024-05-05T10:00:01+01:00'))).toEqual([]);
});

library('A record is found by the Created and Updated values it shows', async ({ request, save }) => {
  await save(Book, { title: 'Emma', created: new Date('2024-05-05T10:00:01.789Z') });
  const { created, updated } = (await request().post('/books')).body.data[0];
  expect(created).toBe('2024-05-05T10:00:01+00:00');
  for (const [column, value] of Object.entries({ created, updated }))
    for (const [operator, count] of [
      ['=', 1],
      ['<=', 1],
      ['>=', 1],
      ['!=', 0],
      ['<', 0],
      ['>', 0],
    ] as const) {
      const answer = await request()
        .post('/books')
        .send({ where: [{ column, operator, value }] });
      expect([column, operator, answer.body.data.length]).toEqual([column, operator, count]);
    }
});

contract('A Timestamp that is stored as a date-time is compared at the seconds it shows', async (subject) => {
  await subject.save(Parcel, { id: 1, collectedAt: new Date('2024-05-05T10:00:00.700Z') });
  await subject.save(Parcel, { id: 2, collectedAt: new Date('2024-05-05T10:00:01Z') });
  const value = Date.parse('2024-05-05T10:00:00Z') / 1000;
  expect((await subject.request().post('/parcels')).body.data[0]).toEqual({ id: 1, collected_at: value });
  const by = (operator: string, sent: unknown = value) =>
    found(subject, [{ column: 'collected_at', operator, value: sent }], '/parcels');
  expect({
    '=': await by('='),
    '!=': await by('!='),
    '<': await by('<'),
    '<=': await by('<='),
    '>': await by('>'),
    '>=': await by('>='),
    in: await by('in', [value]),
  }).toEqual({ '=': [1], '!=': [2], '<': [], '<=': [1], '>': [2], '>=': [1, 2], in: [1] });
});
