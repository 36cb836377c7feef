import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { OwnRecords } from '@nest-endpoints/auth';
import {
  AdvancedSearch,
  Authorization,
  Callable,
  EndpointGroup,
  Get,
  List,
  RestfulApi,
  Update,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

/** Hidden from everybody once it is torn, and from all but its owner before. */
const Page = defineEntity({
  name: 'Page',
  filters: { whole: { name: 'whole', cond: { torn: false }, default: true } },
  properties: {
    id: p.integer().primary(),
    owner: p.string(),
    text: p.string(),
    torn: p.boolean().default(false),
    parent: () => p.manyToOne(Page).nullable(),
    children: () => p.oneToMany(Page).mappedBy('parent'),
  },
});

/** Hidden from everybody with its page, which no comparison of its own columns tells. */
const Line = defineEntity({
  name: 'Line',
  filters: { ofWhole: { name: 'ofWhole', cond: { page: { torn: false } }, default: true } },
  properties: { id: p.integer().primary(), page: () => p.manyToOne(Page) },
});

class Owners extends Authorization<{ owner: string }, { owner: string }> {
  override filterModel(_query: unknown, { owner }: { owner: string }) {
    return { owner };
  }
}

class PageOwners extends Authorization<{ page: object }, { owner: string }> {
  override filterModel(_query: unknown, { owner }: { owner: string }) {
    return { page: { owner } };
  }
}

const pages = {
  modelClass: Page,
  readableColumnNames: ['id', 'parent.text', 'children.text'],
  searchableColumnNames: ['text', 'parent.text', 'children.text'],
  sortableColumnNames: ['id', 'text'],
  defaultSortColumnName: 'id',
} as const;

const written = { ...pages, writeableColumnNames: ['id', 'owner', 'text', 'parentId'] } as const;

const { contract } = service({
  entities: [Page, Line],
  endpoints: [
    new RestfulApi({
      ...written,
      url: 'owned',
      authentication: new Claims(),
      authorization: new OwnRecords('owner', 'owner'),
    }),
    new List({
      modelClass: Line,
      url: 'lines',
      readableColumnNames: ['id'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      authentication: new Claims(),
      authorization: new PageOwners(),
    }),
    new EndpointGroup({
      authentication: new Claims(),
      authorization: new Owners(),
      endpoints: [
        new AdvancedSearch({ ...pages, url: 'search', pagination: 'keyset' }),
        new List({ ...pages, url: 'grouped', groupByColumnName: 'text' }),
        new List({ ...pages, url: 'estimated', count: 'estimated' }),
        new List({ ...pages, url: 'mapped', outputMap: ({ record }) => record }),
        new Get({ ...pages, url: 'mapped/:id', outputMap: ({ record }) => record }),
        new Update({
          ...pages,
          url: 'hooked/:id',
          writeableColumnNames: ['text'],
          beforeSave: () => undefined,
        }),
        new Callable({
          ...pages,
          url: 'queried',
          returnRecords: true,
          toCall: ({ em }) => em.find(Page, { owner: 'me' }),
        }),
        new RestfulApi({ ...written, url: 'pages' }),
      ],
    }),
  ],
});

const me = { 'X-Claims': JSON.stringify({ owner: 'me' }) };

const fill = async ({ save }: Subject): Promise<void> => {
  await save(Page, { id: 1, owner: 'me', text: 'one' });
  await save(Page, { id: 2, owner: 'me', text: 'two', torn: true });
  await save(Page, { id: 3, owner: 'you', text: 'three' });
};

const hidden = [2, 3];

contract(
  'Where an authorization narrows, default filters go on hiding records from lists',
  async (subject) => {
    await fill(subject);
    for (const path of ['/pages', '/owned', '/search', '/grouped', '/estimated', '/mapped']) {
      const { body } = await subject.request().get(path).set(me);
      expect([path, body.data]).toEqual([path, [{ id: 1, parent: null, children: [] }]]);
      expect([path, body.pagination.number_results]).toEqual([path, 1]);
    }
    const queried = await subject.request().get('/queried').set(me);
    expect(queried.body.data).toMatchObject([{ id: 1 }]);
  },
);

contract(
  'Where an authorization narrows, a record that a default filter hides is Not Found',
  async (subject) => {
    await fill(subject);
    const { request, em } = subject;
    for (const id of hidden) {
      for (const url of ['pages', 'owned', 'mapped'])
        expectAnswer(await request().get(`/${url}/${id}`).set(me), 404, notFound);
      for (const url of ['pages', 'owned', 'hooked'])
        expectAnswer(await request().patch(`/${url}/${id}`).set(me).send({ text: 'new' }), 404, notFound);
      for (const url of ['pages', 'owned'])
        expectAnswer(await request().delete(`/${url}/${id}`).set(me), 404, notFound);
    }
    const all = await em().find(Page, {}, { filters: false, orderBy: { id: 'asc' } });
    expect(all.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
    expect((await request().patch('/pages/1').set(me).send({ text: 'new' })).status).toBe(200);
  },
);

contract('Where an authorization narrows, default filters go on hiding relations', async (subject) => {
  await fill(subject);
  const { request, save } = subject;
  for (const id of hidden) {
    await save(Page, { id: 10 * id, owner: 'me', text: `child of ${id}`, parent: id });
    await subject.em().nativeUpdate(Page, id, { parent: 1 }, { filters: false });
    for (const path of ['/pages', '/owned', '/mapped'])
      expect(
        (
          await request()
            .get(`${path}/${10 * id}`)
            .set(me)
        ).body.data.parent,
      ).toBeNull();
    const text = id === 2 ? 'two' : 'three';
    for (const column of ['parent.text', 'children.text'])
      expect(
        (
          await request()
            .get('/pages')
            .query({ [column]: text })
            .set(me)
        ).body.data,
      ).toEqual([]);
    const refusal = inputErrors({ parent_id: 'the given record does not exist' });
    expectAnswer(await request().patch('/pages/1').set(me).send({ parent_id: id }), 400, refusal);
  }
  for (const path of ['/pages/1', '/mapped/1'])
    expect((await request().get(path).set(me)).body.data.children).toEqual([]);
});

contract('What a filter and an authorization each ask of other tables holds together', async (subject) => {
  await fill(subject);
  for (const id of [1, 2, 3]) await subject.save(Line, { id, page: id });
  expect((await subject.request().get('/lines').set(me)).body.data).toEqual([{ id: 1 }]);
});
