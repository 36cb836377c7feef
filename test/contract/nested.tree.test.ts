import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { AdvancedSearch, Get, RestfulApi, Update } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Category = defineEntity({
  name: 'Category',
  uniques: [{ properties: ['parent', 'slug'] }],
  properties: {
    id: p.integer().primary(),
    tenant: p.integer(),
    slug: p.string(),
    parent: () => p.manyToOne(Category).nullable(),
    children: () => p.oneToMany(Category).mappedBy('parent'),
    twin: () => p.manyToOne(Category).nullable(),
    similar: () => p.manyToMany(Category),
  },
});

const Ticket = defineEntity({
  name: 'Ticket',
  properties: { id: p.integer().primary(), tenant: p.integer(), title: p.string() },
});

/** A comment of a ticket, or a reply to one. */
const Comment = defineEntity({
  name: 'Comment',
  properties: {
    id: p.integer().primary(),
    text: p.string(),
    ticket: () => p.manyToOne(Ticket).nullable(),
    replyTo: () => p.manyToOne(Comment).nullable(),
  },
});

const categories = {
  modelClass: Category,
  readableColumnNames: ['id', 'slug', 'parentId', 'twinId'],
  writeableColumnNames: ['id', 'slug', 'twinId'],
  searchableColumnNames: ['slug', 'twin.slug', 'children.slug'],
  sortableColumnNames: ['id', 'slug'],
  defaultSortColumnName: 'id',
} as const;

const wide = ['id', 'parent.slug', 'parent.parent.slug', 'twin.slug', 'children.slug'] as const;

const { contract } = service({
  entities: [Category, Ticket, Comment],
  root: {
    authentication: new Claims(),
    authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
  },
  endpoints: [
    new RestfulApi({ ...categories, url: 'categories/:parentId/categories', parent: 'parent' }),
    new RestfulApi({
      ...categories,
      url: 'hooked/:parentId/categories',
      parent: 'parent',
      beforeSave: () => undefined,
    }),
    new RestfulApi({
      ...categories,
      url: 'linked/:parentId/categories',
      parent: 'parent',
      writeableColumnNames: ['id', 'slug', 'parentId', 'similarIds'],
    }),
    new RestfulApi({
      ...categories,
      url: 'grand/:parentParentId/categories/:parentId/categories',
      parent: 'parent.parent',
    }),
    new AdvancedSearch({
      ...categories,
      url: 'wide/:parentId/categories',
      parent: 'parent',
      readableColumnNames: wide,
      pagination: 'keyset',
    }),
    new Get({
      ...categories,
      url: 'wide/:parentId/categories/:slug',
      recordLookupColumnName: 'slug',
      parent: 'parent',
      readableColumnNames: wide,
    }),
    new Get({
      ...categories,
      url: 'mapped/:parentId/categories/:id',
      parent: 'parent',
      readableColumnNames: ['id', 'parent.slug', 'twin.slug'],
      outputMap: ({ entity, record }) => ({ ...record, same: entity.id === record.id }),
    }),
    new Update({
      ...categories,
      url: 'wide/:parentId/categories/:id',
      parent: 'parent',
      readableColumnNames: wide,
    }),
    new RestfulApi({
      modelClass: Comment,
      url: 'tickets/:ticketId/comments/:replyToId/replies',
      parent: 'replyTo.ticket',
      readableColumnNames: ['id', 'text', 'replyToId'],
      writeableColumnNames: ['id', 'text'],
      searchableColumnNames: ['text'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
  ],
});

const one = { 'X-Claims': JSON.stringify({ tenant: 1 }) };

/**
 * Root 1 has 11 and 12, root 2 has 21; 11 has 111 and 112. 101 is another tenant's root, and has 1001. Comment 1 is of ticket
 * 1, comment 2 of ticket 2; 3 and 4 reply to 1, 5 to 2, 6 to 3.
 */
const open = async ({ em }: Subject): Promise<void> => {
  const all = em();
  for (const [id, parent, slug, twin] of [
    [1, null, 'a', null],
    [2, null, 'b', null],
    [11, 1, 'x', null],
    [12, 1, 'y', 11],
    [21, 2, 'x', 11],
    [111, 11, 'x', 12],
    [112, 11, 'z', 21],
    [101, null, 'a', null],
    [1001, 101, 'x', null],
  ] as const)
    all.create(Category, { id, parent, slug, twin, tenant: id === 101 || id === 1001 ? 2 : 1 });
  for (const id of [1, 2]) all.create(Ticket, { id, tenant: 1, title: `ticket ${id}` });
  for (const [id, ticket, replyTo] of [
    [1, 1, null],
    [2, 2, null],
    [3, null, 1],
    [4, null, 1],
    [5, null, 2],
    [6, null, 3],
  ] as const)
    all.create(Comment, { id, ticket, replyTo, text: `comment ${id}` });
  await all.flush();
};

const ids = async ({ request }: Subject, path: string) => {
  const { status, body } = await request().get(path).set(one);
  return [status, (body.data as { readonly id: number }[]).map(({ id }) => id)];
};

contract('A nested list of a tree has the children of the record that the path names', async (subject) => {
  await open(subject);
  for (const [parent, children] of [
    [1, [11, 12]],
    [2, [21]],
    [11, [111, 112]],
    [112, []],
  ] as const)
    expect(await ids(subject, `/categories/${parent}/categories`)).toEqual([200, children]);
  expect(await ids(subject, '/categories/1/categories?slug=x')).toEqual([200, [11]]);
  const { body } = await subject.request().get('/categories/1/categories?limit=1').set(one);
  expect(body.pagination).toEqual({ number_results: 2, limit: 1, next_page: { start: 1 } });
});

contract('A record of a tree that is not there, or hidden, has no list of children', async (subject) => {
  await open(subject);
  for (const parent of ['999', '101', 'x', '%00'])
    for (const path of [`/categories/${parent}/categories`, `/categories/${parent}/categories/1001`])
      expectAnswer(await subject.request().get(path).set(one), 404, notFound);
});

for (const url of ['categories', 'hooked'])
  contract(`Get, Update and Delete of a tree find children of the record alone (${url})`, async (subject) => {
    await open(subject);
    const request = subject.request();
    for (const path of [`/${url}/1/categories/21`, `/${url}/1/categories/111`, `/${url}/1/categories/1`]) {
      expectAnswer(await request.get(path).set(one), 404, notFound);
      expectAnswer(await request.patch(path).set(one).send({ slug: 'q' }), 404, notFound);
      expectAnswer(await request.delete(path).set(one), 404, notFound);
    }
    const found = { id: 12, slug: 'y', parent_id: 1, twin_id: 11 };
    expectAnswer(await request.get(`/${url}/1/categories/12`).set(one), 200, success(found));
    const changed = await request.patch(`/${url}/1/categories/12`).set(one).send({ slug: 'w' });
    expectAnswer(changed, 200, success({ ...found, slug: 'w' }));
    expectAnswer(await request.delete(`/${url}/11/categories/112`).set(one), 200, success({}));
    expect(await subject.count(Category)).toBe(8);
  });

for (const url of ['categories', 'hooked'])
  contract(
    `A new record of a tree is a child of the record that the path names (${url})`,
    async (subject) => {
      await open(subject);
      const sent = subject.request().post(`/${url}/11/categories`).set(one);
      const created = await sent.send({ id: 113, slug: 'new', twin_id: 2 });
      expectAnswer(created, 201, success({ id: 113, slug: 'new', parent_id: 11, twin_id: 2 }));
      expect(await ids(subject, '/categories/11/categories')).toEqual([200, [111, 112, 113]]);
    },
  );

contract(
  'A record of a tree refers to any that its sender may see, whoever has it for a child',
  async (subject) => {
    await open(subject);
    const patched = (twin: number) =>
      subject.request().patch('/categories/1/categories/12').set(one).send({ twin_id: twin });
    for (const twin of [1, 2, 21, 12, 112]) expect((await patched(twin)).status).toBe(200);
    for (const twin of [101, 1001, 999])
      expectAnswer(await patched(twin), 400, inputErrors({ twin_id: 'the given record does not exist' }));
    const linked = (similar: readonly number[]) =>
      subject.request().patch('/linked/1/categories/12').set(one).send({ similar_ids: similar });
    for (const similar of [[2, 21, 111], [21]]) expect((await linked(similar)).status).toBe(200);
    const { similar } = await subject.em().findOneOrFail(Category, 12, { populate: ['similar'] });
    expect(similar.getIdentifiers()).toEqual([21]);
  },
);

contract('A client moves no record of a tree to another parent', async (subject) => {
  await open(subject);
  const request = subject.request();
  const moved = await request.patch('/linked/1/categories/12').set(one).send({ parent_id: 2 });
  expectAnswer(moved, 400, inputErrors({ parent_id: 'must be your own' }));
  const other = await request.post('/linked/1/categories').set(one).send({ id: 9, slug: 'q', parent_id: 2 });
  expectAnswer(other, 400, inputErrors({ parent_id: 'must be your own' }));
  expect(await ids(subject, '/categories/2/categories')).toEqual([200, [21]]);
});

contract(
  'What records of a tree refer to is shown, sorted and searched wherever it is in the tree',
  async (subject) => {
    await open(subject);
    const twelve = {
      id: 12,
      parent: { slug: 'a', parent: null },
      twin: { slug: 'x' },
      children: [],
    };
    const eleven = { id: 11, parent: twelve.parent, twin: null, children: [{ slug: 'x' }, { slug: 'z' }] };
    const request = subject.request();
    const searched = async (where: readonly object[]) => {
      const { body } = await request.post('/wide/1/categories').set(one).send({ where });
      return body.data as unknown;
    };
    expect(await searched([])).toEqual([eleven, twelve]);
    expect(await searched([{ column: 'twin.slug', operator: '=', value: 'x' }])).toEqual([twelve]);
    expect(await searched([{ column: 'children.slug', operator: '=', value: 'z' }])).toEqual([eleven]);
    expectAnswer(await request.get('/wide/1/categories/y').set(one), 200, success(twelve));
    const deep = { id: 112, parent: { slug: 'x', parent: { slug: 'a' } }, twin: { slug: 'x' }, children: [] };
    expectAnswer(await request.get('/wide/11/categories/z').set(one), 200, success(deep));
    const written = await request.patch('/wide/11/categories/112').set(one).send({ slug: 'zz' });
    expectAnswer(written, 200, success(deep));
    const mapped = await request.get('/mapped/1/categories/12').set(one);
    expectAnswer(mapped, 200, success({ id: 12, parent: { slug: 'a' }, twin: { slug: 'x' }, same: true }));
  },
);

contract('A column that is unique among the children of a record is a lookup', async (subject) => {
  await open(subject);
  const found = async (path: string) => {
    const { status, body } = await subject.request().get(path).set(one);
    return [status, (body.data as { readonly id?: number }).id];
  };
  expect(await found('/wide/1/categories/x')).toEqual([200, 11]);
  expect(await found('/wide/2/categories/x')).toEqual([200, 21]);
  expect(await found('/wide/2/categories/y')).toEqual([404, undefined]);
});

contract('Two levels of a tree are told apart by their parameters', async (subject) => {
  await open(subject);
  expect(await ids(subject, '/grand/1/categories/11/categories')).toEqual([200, [111, 112]]);
  for (const path of [
    '/grand/2/categories/11/categories',
    '/grand/1/categories/1/categories',
    '/grand/x/categories/11/categories',
  ])
    expectAnswer(await subject.request().get(path).set(one), 404, notFound);
});

contract('A parent of the same entity may have a parent of another one', async (subject) => {
  await open(subject);
  expect(await ids(subject, '/tickets/1/comments/1/replies')).toEqual([200, [3, 4]]);
  for (const path of ['/tickets/2/comments/1/replies', '/tickets/1/comments/3/replies'])
    expectAnswer(await subject.request().get(path).set(one), 404, notFound);
  const sent = subject.request().post('/tickets/2/comments/2/replies').set(one);
  const created = await sent.send({ id: 7, text: 'new' });
  expectAnswer(created, 201, success({ id: 7, text: 'new', reply_to_id: 2 }));
});
