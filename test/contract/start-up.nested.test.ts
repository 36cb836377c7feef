import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Get } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { stopped } from './stopped.js';

const startOf = (url: string, parent: unknown) =>
  stopped(() => new Get({ url, modelClass: Book, readableColumnNames: ['title'], parent } as never));

test.each([
  ['authors/:authorId/books/:id', 'writer', /parent.*'writer' is no parent of Book.*allowed: .*author/],
  ['authors/:authorId/books/:id', 'autor', /parent.*did you mean 'author'/],
  ['authors/:authorId/books/:id', 'title', /parent.*'title' is no parent of Book/],
  ['authors/:authorId/books/:id', 'author.name', /parent.*'name' is no parent of Author/],
  ['authors/books/:id', 'author', /url.*no parameter for 'author', e\.g\. ':authorId'/],
  ['authors/:author/books/:id', 'author', /url.*no parameter for 'author'/],
  ['authors/:authorId/books/:id', '', /parent.*is not allowed; allowed: relations/],
  ['authors/:authorId/books/:id', 5, /parent.*is not allowed; allowed: relations/],
  ['authors/:authorId/books/:id', 'author.', /parent.*is not allowed; allowed: relations/],
])('A parent that the path does not name stops the start: %s, %s', async (url, parent, problem) => {
  expect(await startOf(url, parent)).toMatch(problem);
});

const Folder = defineEntity({
  name: 'Folder',
  properties: { id: p.integer().primary(), parent: () => p.manyToOne(Folder).nullable() },
});

test('Two levels of a tree need two parameters, and the start tells the name of the second', async () => {
  const list = (url: string) => () =>
    new Get({ url, modelClass: Folder, parent: 'parent.parent', readableColumnNames: ['id'] });
  const options = { entities: [Folder], root: {} };
  expect(await stopped(list('folders/:parentId/folders/:id'), options)).toMatch(
    /url: the path has no parameter for 'parent', e\.g\. ':parentParentId'/,
  );
  expect(await stopped(list('folders/:id'), options)).toMatch(
    /no parameter for 'parent', e\.g\. ':parentId'/,
  );
  for (const outer of ['parentParentId', 'parent_parent_id'])
    expect(await stopped(list(`folders/:${outer}/folders/:parentId/folders/:id`), options)).toBe(
      'Error: the application started',
    );
});

const { contract } = service(
  libraryWith([
    new Get({
      url: 'authors/:authorId/books/:id',
      modelClass: Book,
      parent: 'author',
      readableColumnNames: ['title'],
    }),
  ]),
  once,
);

contract('A parent that the path names starts', async ({ request }) => {
  expect((await request().get('/authors/1/books/1')).status).toBe(404);
});
