import { expect, test } from '@jest/globals';
import { EndpointGroup, Get, List } from '@nest-endpoints/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { startUpError } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { stopped } from './stopped.js';

/** A name that the types refuse, as it would come from JavaScript. */
const misspelt = 'titel' as 'title';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;

test('An unknown readable column stops the start with an error that names endpoint, option, value and the allowed names', async () => {
  const get = new Get({ ...titles, url: 'books/:id', readableColumnNames: [misspelt] });
  expect(await startUpError(libraryWith([get]))).toMatch(
    /Get.*books\/:id.*readableColumnNames.*'titel'.*title.*pages/s,
  );
});

test('An unknown sortable column stops the start', async () => {
  const message = await startUpError(libraryWith([books({ sortableColumnNames: [misspelt] })]));
  expect(message).toMatch(/sortableColumnNames.*'titel'/s);
});

test('A lookup column that is not unique in the metadata stops the start', async () => {
  const get = new Get({ ...titles, url: 'books/:title', recordLookupColumnName: 'title' });
  expect(await startUpError(libraryWith([get]))).toMatch(/recordLookupColumnName.*'title'/s);
});

test('A casing that does not exist stops the start', async () => {
  const group = () =>
    new EndpointGroup({ endpoints: [books()], externalCasing: 'kebab-case' as 'camelCase' });
  expect(await stopped(group)).toMatch(/externalCasing.*'kebab-case'.*snake_case/s);
});

const plain = service(
  libraryWith(
    [new List({ ...titles, url: 'books', sortableColumnNames: ['title'], defaultSortColumnName: 'title' })],
    { adapter: () => new FastifyAdapter() },
  ),
  once,
);

plain.contract(
  'A Fastify application without endpointsFastifyOptions is warned at start-up',
  ({ startLog }) => {
    expect(startLog).toMatch(/^warn .*endpointsFastifyOptions/m);
  },
);
