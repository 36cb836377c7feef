import { expect } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { everyPage } from './every-page.js';
import type { Subject } from '../support/contract.js';

const { contract } = service(
  libraryWith([
    new List({
      url: 'books',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title', 'pages', 'inPrint'],
      defaultSortColumnName: 'title',
      defaultLimit: 200,
    }),
  ]),
  once,
);

const many = 10_000;
const titles = Array.from({ length: many }, (_, index) => String(index).padStart(5, '0'));

/** Ten thousand books; every seventh has no pages, the others share seven counts. */
const fill = ({ em }: Subject) =>
  em().insertMany(
    Book,
    titles.map((title, index) => ({
      id: crypto.randomUUID(),
      title,
      pages: index % 7 === 0 ? null : index % 8,
      inPrint: index % 2 === 0,
      created: new Date(),
      updated: new Date(),
    })),
  );

contract('10,000 records page through by next_page without a repeat or a gap', async (subject) => {
  await fill(subject);
  const records = await everyPage(subject, '/books');
  expect(records.map(({ title }) => title)).toEqual(titles);
});

contract('10,000 records that tie page through without a repeat or a gap', async (subject) => {
  await fill(subject);
  for (const query of ['sort=pages&direction=asc', 'sort=pages&direction=desc', 'sort=in_print']) {
    const records = await everyPage(subject, `/books?${query}`);
    expect(records.map(({ title }) => title).sort()).toEqual(titles);
  }
});

contract('number_results stays the total on every page of 10,000 records', async (subject) => {
  await fill(subject);
  for (const start of [0, 9_800, 9_999, 10_000]) {
    const { body } = await subject.request().get(`/books?start=${start}`);
    expect(body.pagination.number_results).toBe(many);
  }
});
