import { test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { List, SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { during } from '../support/during.js';

/** In a schema of its own, whatever that of the others is. */
const Remark = defineEntity({
  name: 'Remark',
  schema: 'shared',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    isOpen: p.boolean(),
    author: () => p.manyToOne(Author),
  },
});

const Author = defineEntity({
  name: 'Author',
  properties: {
    id: p.integer().primary(),
    isKnown: p.boolean(),
    remarks: () =>
      p
        .oneToMany(Remark)
        .mappedBy('author')
        .where({ isOpen: true, author: { isKnown: true } }),
  },
});

const authors = {
  modelClass: Author,
  readableColumnNames: ['id', 'remarks.text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const options = {
  entities: [Author, Remark],
  orm: { schema: 'tenant_a' },
  endpoints: [
    new List({ ...authors, url: 'authors' }),
    new SimpleSearch({ ...authors, url: 'search', searchableColumnNames: ['remarks.text'] }),
  ],
};

test('A relation with a `where` leads into the schema of its entity, whatever the others have', async () => {
  await during(options, async (application) => {
    const { request } = application;
    const em = application.em();
    em.create(Author, { id: 1, isKnown: true });
    em.create(Author, { id: 2, isKnown: false });
    for (const [id, author, isOpen] of [
      [1, 1, true],
      [2, 1, false],
      [3, 2, true],
    ] as const)
      em.create(Remark, { id, author, isOpen, text: `${id}` });
    await em.flush();
    const [first, second] = [
      { id: 1, remarks: [{ text: '1' }] },
      { id: 2, remarks: [] },
    ];
    expectAnswer(
      await request().get('/authors'),
      200,
      success([first, second], { number_results: 2, limit: 50, next_page: {} }),
    );
    for (const [text, found] of [
      ['1', [first]],
      ['2', []],
      ['3', []],
    ] as const)
      expectAnswer(
        await request().get('/search').query({ 'remarks.text': text }),
        200,
        success(found, { number_results: found.length, limit: 50, next_page: {} }),
      );
  });
});
