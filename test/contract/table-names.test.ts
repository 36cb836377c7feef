import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { service } from '../support/contract.js';

const chapter = (tableName: string, name: string) => {
  const Chapter = defineEntity({
    name,
    tableName,
    properties: {
      id: p.integer().primary().autoincrement(),
      title: p.string(),
      parent: () => p.manyToOne(Chapter).nullable(),
    },
  });
  return Chapter;
};

/** Tables that are called what statements of the service, or aliases in them, might be called. */
const names = ['page', 'written', 'grouped', 'parts', 'part0', 'k0', 'c0', 'keys', 'select'];
const entities = names.map((name, index) => chapter(name, `Chapter${index}`));

/** Each has a chapter for its parent: a write answers with both in one statement. */
const lines = entities.map((entity, index) =>
  defineEntity({
    name: `Line${index}`,
    properties: {
      id: p.integer().primary().autoincrement(),
      title: p.string(),
      chapter: () => p.manyToOne(entity).nullable(),
    },
  }),
);

const { contract } = service({
  entities: [...entities, ...lines],
  endpoints: [
    ...lines.map(
      (modelClass, index) =>
        new RestfulApi({
          url: `lines/${index}`,
          modelClass,
          readableColumnNames: ['id', 'title', 'chapter.title'],
          writeableColumnNames: ['title', 'chapterId'],
          searchableColumnNames: ['title'],
          sortableColumnNames: ['title'],
          defaultSortColumnName: 'title',
        }),
    ),
    ...entities.flatMap((modelClass, index) =>
      (['offset', 'keyset'] as const).map(
        (pagination) =>
          new RestfulApi({
            url: `${pagination}/${index}`,
            modelClass,
            readableColumnNames: ['title', 'parent.title'],
            writeableColumnNames: ['title', 'parentId'],
            searchableColumnNames: ['title', 'parent.title'],
            sortableColumnNames: ['title', 'parent.title'],
            defaultSortColumnName: 'title',
            pagination,
          }),
      ),
    ),
  ],
});

contract('A table may have any name', async ({ request, save, em }) => {
  for (const [index, entity] of entities.entries())
    for (const pagination of ['offset', 'keyset']) {
      const url = `/${pagination}/${index}`;
      const parent = await save(entity, { title: 'parent' });
      const child = { title: 'child', parent: { title: 'parent' } };
      const created = await request().post(url).send({ title: 'child', parent_id: parent.id });
      expect([names[index], created.status, created.body.data]).toEqual([names[index], 201, child]);
      for (const query of ['', 'title=child', 'sort=parent.title&parent.title=parent']) {
        const { status, body } = await request().get(`${url}?limit=1&${query}`);
        expect([names[index], query, status, body.data]).toEqual([names[index], query, 200, [child]]);
        expect(body.pagination.number_results).toBe(query === '' ? 2 : 1);
      }
      const line = await request().post(`/lines/${index}`).send({ title: 'line', chapter_id: parent.id });
      const written = { id: line.body.data.id, title: 'line', chapter: { title: 'parent' } };
      expect([names[index], line.status, line.body.data]).toEqual([names[index], 201, written]);
      await request().delete(`/lines/${index}/${line.body.data.id}`);
      await em().nativeDelete(entity, {});
    }
});
