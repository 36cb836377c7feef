import { expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Callable, Create, Get, List, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';

const Label = defineEntity({
  name: 'Label',
  properties: { id: p.integer().primary(), name: p.string(), live: p.boolean().default(true) },
});

/** A post shows the comments that are open, the labels that are live, and its editor where that is one. */
const Post = defineEntity({
  name: 'Post',
  properties: {
    id: p.integer().primary(),
    title: p.string(),
    comments: () => p.oneToMany(Comment).mappedBy('post').where({ open: true }),
    replies: () =>
      p
        .oneToMany(Comment)
        .mappedBy('post')
        .where({ $or: [{ writer: { name: 'Ann' } }, { text: '?' }] }),
    labels: () => p.manyToMany(Label).where({ live: true }),
    allLabels: () => p.manyToMany(Label),
  },
});
const Writer = defineEntity({
  name: 'Writer',
  properties: { id: p.integer().primary(), name: p.string() },
});
const Comment = defineEntity({
  name: 'Comment',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    open: p.boolean(),
    post: () => p.manyToOne(Post).nullable(),
    writer: () => p.manyToOne(Writer).nullable(),
  },
});

const listed = { sortableColumnNames: ['id'], defaultSortColumnName: 'id' } as const;
const shown = ['id', 'comments.text', 'replies.id', 'labels.name', 'labelIds'] as const;

const { contract } = service(
  {
    entities: [Post, Comment, Label, Writer],
    endpoints: [
      new RestfulApi({
        ...listed,
        url: 'posts',
        modelClass: Post,
        readableColumnNames: [...shown],
        writeableColumnNames: ['id', 'title', 'allLabelIds'],
        searchableColumnNames: ['comments.text', 'comments.id', 'labels.name'],
      }),
      new Get({
        url: 'mapped/:id',
        modelClass: Post,
        readableColumnNames: [...shown],
        outputMap: ({ record }) => record,
      }),
      new Get({
        url: 'first/:id',
        modelClass: Post,
        readableColumnNames: ['comments.id'],
        columnOverrides: { comments: { limit: 1 } },
      }),
      new AdvancedSearch({
        ...listed,
        url: 'search',
        modelClass: Post,
        readableColumnNames: ['id'],
        searchableColumnNames: ['comments.text', 'comments.id', 'labels.name'],
      }),
      new AdvancedSearch({
        ...listed,
        url: 'from-comments',
        modelClass: Comment,
        readableColumnNames: ['id', 'post.labels.name'],
        searchableColumnNames: ['post.comments.text', 'post.labels.id'],
      }),
      ...Object.entries({
        where: { where: ['comments.text = shut'] },
        joins: { joins: ['comments'] },
        path: { joins: ['labels'] },
      }).map(
        ([url, options]) =>
          new List({ ...listed, url, modelClass: Post, readableColumnNames: ['id'], ...options }),
      ),
      new Callable({
        url: 'called',
        modelClass: Post,
        readableColumnNames: [...shown],
        returnRecords: true,
        toCall: ({ em }) => em.find(Post, {}, { orderBy: { id: 'asc' } }),
      }),
    ],
  },
  everyDatabase,
);

/** Two posts: the second has nothing that its relations lead to. */
const publish = async ({ save, em }: Subject): Promise<void> => {
  const ann = await save(Writer, { id: 1, name: 'Ann' });
  const one = await save(Post, { id: 1, title: 'one' });
  const two = await save(Post, { id: 2, title: 'two' });
  await save(Comment, { id: 1, text: 'shut', open: false, post: one, writer: ann });
  await save(Comment, { id: 2, text: 'open', open: true, post: one });
  await save(Comment, { id: 3, text: 'shut', open: false, post: two });
  await save(Label, { id: 1, name: 'live' });
  await save(Label, { id: 2, name: 'gone', live: false });
  await link(em(), 1, [1, 2]);
  await link(em(), 2, [2]);
};

const link = async (
  em: ReturnType<Subject['em']>,
  post: number,
  labels: readonly number[],
): Promise<void> => {
  for (const label of labels)
    await em
      .getConnection()
      .execute(`insert into post_labels (post_id, label_id) values (${post}, ${label})`);
};

const first = {
  id: 1,
  comments: [{ text: 'open' }],
  replies: [{ id: 1 }],
  labels: [{ name: 'live' }],
  label_ids: [1],
};
const second = { id: 2, comments: [], replies: [], labels: [], label_ids: [] };

contract("A list shows the related records that the relation's own where leads to", async (subject) => {
  await publish(subject);
  const { request } = subject;
  expectAnswer(await request().get('/posts/1'), 200, success(first));
  expect((await request().get('/posts')).body.data).toEqual([first, second]);
  expectAnswer(await request().get('/first/1'), 200, success({ comments: [{ id: 2 }] }));
  expect((await request().get('/called')).body.data).toEqual([first, second]);
  const mapped = {
    id: 1,
    comments: first.comments,
    replies: [{ id: 1 }],
    labels: first.labels,
    labelIds: [1],
  };
  expectAnswer(await request().get('/mapped/1'), 200, success(mapped));
});

contract("A search finds no record by what the relation's own where leaves out", async (subject) => {
  await publish(subject);
  const { request } = subject;
  const page = (ids: readonly number[]) => [ids.map((id) => ({ id })), ids.length];
  const found = async (where: object[]) => {
    const { body } = await request().post('/search').send({ where });
    return [body.data, body.pagination.number_results];
  };
  const by = (column: string, operator: string, value?: unknown) => ({ column, operator, value });
  expect(await found([by('comments.text', '=', 'shut')])).toEqual(page([]));
  expect(await found([by('comments.text', 'like', '%')])).toEqual(page([1]));
  expect(await found([by('labels.name', '=', 'gone')])).toEqual(page([]));
  expect(await found([by('labels.name', 'in', ['gone', 'live'])])).toEqual(page([1]));
  expect(await found([by('comments.id', 'is not null')])).toEqual(page([1]));
  expect((await request().get('/posts?comments.text=shut')).body.data).toEqual([]);
  expect((await request().get('/posts?comments.text=open&limit=1')).body.pagination.number_results).toBe(1);
});

contract("A path over a parent obeys the where of the parent's relations", async (subject) => {
  await publish(subject);
  const { request } = subject;
  const found = async (column: string, value: unknown) => {
    const { body } = await request()
      .post('/from-comments')
      .send({ where: [{ column, operator: '=', value }] });
    return body.data;
  };
  const labels = { labels: [{ name: 'live' }] };
  expect(await found('post.comments.text', 'shut')).toEqual([]);
  expect(await found('post.comments.text', 'open')).toEqual([
    { id: 1, post: labels },
    { id: 2, post: labels },
  ]);
  expect(await found('post.labels.id', 2)).toEqual([]);
});

contract("A where string and a relation path of joins obey the relation's own where", async (subject) => {
  await publish(subject);
  for (const [url, ids] of Object.entries({ where: [], joins: [1], path: [1] }))
    expect([url, (await subject.request().get(`/${url}`)).body.data]).toEqual([
      url,
      ids.map((id) => ({ id })),
    ]);
});

test('A list of keys whose relation has a where cannot be written, which stops the start', async () => {
  const create = new Create({
    url: 'posts',
    modelClass: Post,
    readableColumnNames: ['id'],
    writeableColumnNames: ['id', 'title', 'labelIds'],
  });
  const message = await startUpError({
    entities: [Post, Comment, Label, Writer],
    endpoints: [create],
  });
  expect(message).toContain(
    "Create 'posts': writeableColumnNames: 'labelIds' cannot be written: its relation has",
  );
});
