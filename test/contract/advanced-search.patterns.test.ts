import { expect } from '@jest/globals';
import { AdvancedSearch } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const { contract } = service(
  libraryWith([
    new AdvancedSearch({
      url: 'search',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title'],
      searchableColumnNames: ['title'],
      defaultSortColumnName: 'title',
    }),
  ]),
  once,
);

/** How long fifty patterns of ten thousand characters take, in milliseconds. */
const timeOf = async ({ request }: Subject, character: string): Promise<number> => {
  const value = `${character.repeat(9999)}a`;
  const where = Array.from({ length: 50 }, () => ({ column: 'title', operator: 'like', value }));
  const begun = performance.now();
  expect((await request().post('/search').send({ where })).status).toBe(200);
  return performance.now() - begun;
};

contract('A pattern of backslashes costs about what one of letters costs', async (subject) => {
  await timeOf(subject, 'x');
  const letters = await timeOf(subject, 'x');
  expect(await timeOf(subject, '\\')).toBeLessThan(20 * letters);
});
