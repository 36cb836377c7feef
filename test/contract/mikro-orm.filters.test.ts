import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { List, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';

/** Hidden once it is deleted, softly. */
const Note = defineEntity({
  name: 'Note',
  filters: { alive: { name: 'alive', cond: { deletedAt: null }, default: true } },
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string().unique(),
    deletedAt: p.datetime().nullable(),
    parent: () => p.manyToOne(Note).nullable(),
  },
});

/** Seen by a filter whose values the drivers of databases bind in different ways. */
const Memo = defineEntity({
  name: 'Memo',
  filters: {
    public: {
      name: 'public',
      cond: { secret: false, shownFrom: { $lte: new Date('2026-01-01T00:00:00Z') } },
      default: true,
    },
  },
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    secret: p.boolean(),
    shownFrom: p.datetime(),
  },
});

const { contract } = service(
  {
    entities: [Note, Memo],
    endpoints: [
      new RestfulApi({
        url: 'notes',
        modelClass: Note,
        readableColumnNames: ['text', 'parent.text'],
        writeableColumnNames: ['text', 'deletedAt', 'parentId'],
        sortableColumnNames: ['text', 'parent.text'],
        searchableColumnNames: ['text', 'parent.text'],
        defaultSortColumnName: 'text',
      }),
      new RestfulApi({
        url: 'memos',
        modelClass: Memo,
        readableColumnNames: ['text'],
        writeableColumnNames: ['text'],
        sortableColumnNames: ['text'],
        searchableColumnNames: ['text'],
        defaultSortColumnName: 'text',
      }),
      new List({
        url: 'estimated',
        modelClass: Note,
        readableColumnNames: ['text'],
        sortableColumnNames: ['text'],
        defaultSortColumnName: 'text',
        count: 'estimated',
      }),
      new RestfulApi({
        url: 'mapped',
        modelClass: Note,
        readableColumnNames: ['text', 'parent.text'],
        writeableColumnNames: ['text'],
        sortableColumnNames: ['text'],
        searchableColumnNames: ['text'],
        defaultSortColumnName: 'text',
        outputMap: ({ record }) => record,
      }),
    ],
  },
  everyDatabase,
);

const deletedAt = new Date('2026-01-01T00:00:00Z');
const everything = { filters: false } as const;
const shown = (text: string) => ({ text, parent: null });

contract('A record that a default filter hides is Not Found', async ({ request, save }) => {
  const { id } = await save(Note, { text: 'gone', deletedAt });
  for (const url of ['notes', 'mapped']) {
    expectAnswer(await request().get(`/${url}/${id}`), 404, notFound);
    expectAnswer(await request().patch(`/${url}/${id}`).send({ text: 'back' }), 404, notFound);
    expectAnswer(await request().delete(`/${url}/${id}`), 404, notFound);
  }
});

contract('A record that a default filter hides is not written', async ({ request, save, em }) => {
  const { id } = await save(Note, { text: 'gone', deletedAt });
  await request().patch(`/notes/${id}`).send({ text: 'back' });
  await request().delete(`/notes/${id}`);
  expect(await em().find(Note, {}, everything)).toMatchObject([{ text: 'gone', deletedAt }]);
});

contract(
  'A default filter on a Boolean and an instant narrows reads and writes',
  async ({ request, save }) => {
    const shownFrom = new Date('2026-01-01T00:00:00Z');
    await save(Memo, { text: 'open', secret: false, shownFrom });
    const secret = await save(Memo, { text: 'secret', secret: true, shownFrom });
    const later = await save(Memo, { text: 'later', secret: false, shownFrom: new Date() });
    expect((await request().get('/memos')).body.data).toEqual([{ text: 'open' }]);
    for (const { id } of [secret, later])
      expectAnswer(await request().patch(`/memos/${id}`).send({ text: 'new' }), 404, notFound);
  },
);

contract('A default filter narrows lists, searches and their number_results', async ({ request, save }) => {
  for (const text of ['a', 'b', 'c']) await save(Note, { text });
  await save(Note, { text: 'gone', deletedAt });
  const pagination = { number_results: 3, limit: 2, next_page: { start: 2 } };
  const page = success([shown('a'), shown('b')], pagination);
  expectAnswer(await request().get('/notes?limit=2'), 200, page);
  const none = success([], { number_results: 0, limit: 50, next_page: {} });
  expectAnswer(await request().get('/notes?text=gone'), 200, none);
  expectAnswer(await request().get('/mapped?text=gone'), 200, none);
});

contract('A Create answers the new record although a default filter hides it', async ({ request, em }) => {
  const body = { text: 'gone', deleted_at: '2026-01-01T00:00:00Z' };
  expectAnswer(await request().post('/notes').send(body), 201, success(shown('gone')));
  expect(await em().count(Note, {}, everything)).toBe(1);
});

contract('An Update that takes a record out of a default filter answers it', async ({ request, save }) => {
  const { id } = await save(Note, { text: 'going' });
  const answer = await request().patch(`/notes/${id}`).send({ deleted_at: '2026-01-01T00:00:00Z' });
  expectAnswer(answer, 200, success(shown('going')));
  expectAnswer(await request().get(`/notes/${id}`), 404, notFound);
});

contract('A Unique value of a record that a filter hides is taken', async ({ request, save, em }) => {
  await save(Note, { text: 'gone', deletedAt });
  const text = "Invalid value for 'text': the given value already exists, and must be unique.";
  expectAnswer(await request().post('/notes').send({ text: 'gone' }), 400, inputErrors({ text }));
  expect(await em().count(Note, {}, everything)).toBe(1);
});

contract('A parent that a filter hides is no target of a write', async ({ request, save }) => {
  const parent = await save(Note, { text: 'gone', deletedAt });
  const { id } = await save(Note, { text: 'old' });
  const body = { text: 'new', parent_id: parent.id };
  const refusal = inputErrors({ parent_id: 'the given record does not exist' });
  expectAnswer(await request().post('/notes').send(body), 400, refusal);
  expectAnswer(await request().patch(`/notes/${id}`).send(body), 400, refusal);
});

contract('A parent that a filter hides shows nothing of itself', async ({ request, save }) => {
  const parent = await save(Note, { text: 'gone', deletedAt });
  const { id } = await save(Note, { text: 'kept', parent });
  for (const path of [`/notes/${id}`, '/notes', `/mapped/${id}`, '/mapped']) {
    const { status, body } = await request().get(path);
    expect([path, status, [body.data].flat()]).toEqual([path, 200, [shown('kept')]]);
    expect(JSON.stringify(body)).not.toContain('gone');
  }
});

contract('A parent that a filter hides cannot be searched by', async ({ request, save }) => {
  const parent = await save(Note, { text: 'gone', deletedAt });
  await save(Note, { text: 'kept', parent });
  const pagination = { number_results: 0, limit: 50, next_page: {} };
  expectAnswer(await request().get('/notes?parent.text=gone'), 200, success([], pagination));
});

contract('A record whose parent a filter hides can be written', async ({ request, save, em }) => {
  const parent = await save(Note, { text: 'gone', deletedAt });
  const { id } = await save(Note, { text: 'kept', parent });
  expect((await request().patch(`/notes/${id}`).send({ text: 'changed' })).status).toBe(200);
  expect(await em().findOne(Note, id, everything)).toMatchObject({
    text: 'changed',
    parent: { id: parent.id },
  });
});

contract('Records that a default filter may hide are counted, and not estimated', async ({ request, em }) => {
  const notes = Array.from({ length: 100 }, (_, index) => ({ text: `note ${index}` }));
  await em().insertMany(Note, notes);
  await em()
    .getConnection()
    .execute(isMariaDb ? 'analyze table note' : 'analyze');
  // The planner does not hear of it.
  await em().nativeUpdate(Note, { text: { $like: 'note 1%' } }, { deletedAt });
  const { body } = await request().get('/estimated?limit=1');
  expect(body.pagination.number_results).toBe(89);
});
