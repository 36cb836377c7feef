import { expect, jest } from '@jest/globals';
import { AdvancedSearch, type ColumnPathOf } from '@nest-endpoints/core';
import { fc, seed } from '../support/property.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { stock, Ware } from '../support/entities/stock.js';
import { conditionsOn, searchableNames, sortableNames, sorts, treesOn } from './search.arbitrary.js';
import { searched } from './stock.reference.js';
import { someWares, storeWares } from './stock.records.js';

jest.setTimeout(240_000);

const inward = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const search = (url: string, pagination: 'offset' | 'keyset') =>
  new AdvancedSearch({
    url,
    modelClass: Ware,
    readableColumnNames: ['id'],
    sortableColumnNames: sortableNames.map(inward) as ColumnPathOf<Ware>[],
    searchableColumnNames: searchableNames.map(inward) as ColumnPathOf<Ware>[],
    defaultSortColumnName: 'id',
    maximumLimit: 0,
    pagination,
  });

const { contract } = service(
  {
    entities: stock,
    endpoints: [search('offset', 'offset'), search('keyset', 'keyset')],
  },
  everyDatabase,
);

const options = (numRuns: number) =>
  ({ numRuns, interruptAfterTimeLimit: 200_000, markInterruptAsFailure: true }) as const;

type Page = Readonly<Record<string, unknown>>;

interface Answered {
  readonly status: number;
  readonly body: {
    readonly data: { readonly id: number }[];
    readonly pagination: { readonly number_results?: number; readonly next_page: Page };
  };
}

const asked = async ({ request }: Subject, url: string, body: object): Promise<Answered> => {
  const { status, body: answer } = await request().post(`/${url}`).send(body);
  expect([status, answer.error]).toEqual([200, '']);
  return { status, body: answer as Answered['body'] };
};

const ids = ({ body }: Answered): number[] => body.data.map(({ id }) => id);

/** Every page by next_page, from the first to the last. */
const walked = async (subject: Subject, url: string, body: object): Promise<number[][]> => {
  const pages: number[][] = [];
  for (let page: Page | undefined = {}; page && pages.length < 1000;) {
    const answer: Answered = await asked(subject, url, { ...body, ...page });
    pages.push(ids(answer));
    page =
      Object.keys(answer.body.pagination.next_page).length > 0 ? answer.body.pagination.next_page : undefined;
  }
  return pages;
};

contract('A search answers what a plain filter and sort of the same records gives', async (subject) => {
  const wares = someWares(subject, 300, seed);
  await storeWares(subject, wares);
  const property = fc.asyncProperty(conditionsOn(subject.database), sorts, async (where, sort) => {
    const answer = await asked(subject, 'offset', { where, sort, limit: 1000 });
    const expected = searched(wares, where, sort);
    expect(ids(answer)).toEqual(expected);
    expect(answer.body.pagination.number_results).toBe(expected.length);
  });
  await fc.assert(property, options(Number(process.env['RUNS'] ?? 600)));
});

contract(
  'Groups of conditions meet what a plain filter with two truth values does, nulls or not',
  async (subject) => {
    const wares = someWares(subject, 200, seed);
    await storeWares(subject, wares);
    const property = fc.asyncProperty(treesOn(subject.database), sorts, async (where, sort) => {
      expect(ids(await asked(subject, 'offset', { where, sort, limit: 1000 }))).toEqual(
        searched(wares, where, sort),
      );
    });
    await fc.assert(property, options(Number(process.env['RUNS'] ?? 300)));
  },
);

contract('Keyset and offset pages give the same records in the same order', async (subject) => {
  const wares = someWares(subject, 120, seed);
  await storeWares(subject, wares);
  const property = fc.asyncProperty(
    conditionsOn(subject.database),
    sorts,
    fc.integer({ min: 1, max: 40 }),
    async (where, sort, limit) => {
      const few = where.slice(0, 1);
      const expected = searched(wares, few, sort);
      const [offset, keyset] = [
        await walked(subject, 'offset', { where: few, sort, limit }),
        await walked(subject, 'keyset', { where: few, sort, limit }),
      ];
      expect(keyset).toEqual(offset);
      expect(keyset.flat()).toEqual(expected);
    },
  );
  await fc.assert(property, options(60));
});
