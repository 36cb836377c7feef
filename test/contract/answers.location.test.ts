import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Cors,
  Create,
  EndpointGroup,
  Get,
  IdempotencyRecord,
  PlainAnswers,
  RestfulApi,
} from '@nest-endpoints/core';
import { VersioningType } from '@nestjs/common';
import { service, type Subject } from '../support/contract.js';

const Topic = defineEntity({
  name: 'Topic',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    slug: p.string().nullable().unique(),
    secret: p.string().nullable().unique().hidden(),
    version: p.integer().version(),
  },
});

const Post = defineEntity({
  name: 'Post',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => crypto.randomUUID()),
    topic: () => p.manyToOne(Topic),
    text: p.string(),
  },
});

const topics = {
  modelClass: Topic,
  readableColumnNames: ['name'],
  writeableColumnNames: ['name', 'slug', 'secret'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['name'],
  defaultSortColumnName: 'name',
} as const;

const endpoints = [
  new RestfulApi({ ...topics, url: 'topics', idempotency: true }),
  new RestfulApi({ ...topics, url: 'slugs', idColumnName: 'slug', idempotency: true }),
  new RestfulApi({
    ...topics,
    url: 'shown',
    idColumnName: 'slug',
    idempotency: true,
    readableColumnNames: ['slug'],
    externalCasing: 'TitleCase',
  }),
  new RestfulApi({ ...topics, url: 'secrets', idColumnName: 'secret' }),
  new RestfulApi({ ...topics, url: 'plain', answers: new PlainAnswers() }),
  new RestfulApi({ ...topics, url: 'mapped', outputMap: ({ record }) => ({ called: record.name }) }),
  new RestfulApi({ ...topics, url: 'hooked', beforeSave: () => undefined }),
  new RestfulApi({ ...topics, url: 'accepted', createStatus: 202 }),
  new RestfulApi({ ...topics, url: 'unread', getEndpoint: null }),
  new RestfulApi({ ...topics, url: 'posted', getRequestMethods: ['POST'] }),
  new RestfulApi({
    modelClass: Post,
    url: 'topics-of/:topicId/posts',
    parent: 'topic',
    readableColumnNames: ['text'],
    writeableColumnNames: ['text'],
    searchableColumnNames: ['text'],
    sortableColumnNames: ['text'],
    defaultSortColumnName: 'text',
  }),
  new EndpointGroup({
    url: 'apart/:shelf',
    endpoints: [
      new Get({ ...topics, url: 'found/:slug', recordLookupColumnName: 'slug' }),
      new Get({ ...topics, url: ':id/name' }),
      new Get({ ...topics, url: 'of/:other/:id' }),
      new Create({ ...topics, url: 'new/topics' }),
      new Create({ ...topics, url: 'found' }),
    ],
  }),
  new EndpointGroup({
    url: 'exposed',
    securityHeaders: [new Cors('https://app.example')],
    responseHeaders: ['X-Extra: 1'],
    endpoints: [new RestfulApi({ ...topics, url: 'topics' })],
  }),
  new EndpointGroup({
    url: 'asked',
    responseHeaders: () => ['X-Extra: 1'],
    endpoints: [new RestfulApi({ ...topics, url: 'topics' })],
  }),
  new Create({ ...topics, url: 'alone/topics' }),
];

const { contract } = service({
  entities: [Topic, Post, IdempotencyRecord],
  root: { internalCasing: 'camelCase' },
  endpoints,
});

/** What a Create says in `Location`, and the status of a GET there; undefined for a Create that says nothing. */
const placed = async (
  { request }: Subject,
  path: string,
  body: object,
): Promise<readonly [location: string, status: number] | undefined> => {
  const { status, headers } = await request().post(path).send(body);
  expect([path, status]).toEqual([path, path === '/accepted' ? 202 : 201]);
  const location = headers['location'];
  return location === undefined ? undefined : [location, (await request().get(location)).status];
};

contract('A Create of a RestfulApi says in Location where its record can be read', async (subject) => {
  expect(await placed(subject, '/topics', { name: 'A' })).toEqual(['/topics/1', 200]);
  expect(await placed(subject, '//topics/?', { name: 'B' })).toEqual(['/topics/2', 200]);
  expect((await subject.request().get('/topics/2')).body.data).toEqual({ name: 'B' });
});

contract(
  'Location is the same whatever the answer is written with, and however the record is saved',
  async (subject) => {
    expect(await placed(subject, '/plain', { name: 'A' })).toEqual(['/plain/1', 200]);
    expect(await placed(subject, '/mapped', { name: 'B' })).toEqual(['/mapped/2', 200]);
    expect(await placed(subject, '/hooked', { name: 'C' })).toEqual(['/hooked/3', 200]);
  },
);

contract('Location has the column by which the Get looks up, percent-encoded', async (subject) => {
  for (const [slug, segment] of [
    ['plain', 'plain'],
    ['a b/ü?', 'a%20b%2F%C3%BC%3F'],
    ['50%', '50%25'],
  ] as const)
    expect(await placed(subject, '/slugs', { name: 'A', slug })).toEqual([`/slugs/${segment}`, 200]);
});

contract('Where no path can name the record there is no Location', async (subject) => {
  for (const slug of [null, '.', '..'])
    expect(await placed(subject, '/slugs', { name: 'A', slug })).toBeUndefined();
  expect(await placed(subject, '/secrets', { name: 'A', secret: 'hidden' })).toBeUndefined();
});

contract('A Create without a Get beside it, or without the status 201, has no Location', async (subject) => {
  for (const path of ['/unread', '/posted', '/alone/topics', '/accepted'])
    expect([path, await placed(subject, path, { name: 'A' })]).toEqual([path, undefined]);
});

contract('Path parameters of the Create stand in Location, too', async (subject) => {
  await subject.save(Topic, { name: 'A' });
  const { headers } = await subject.request().post('/topics-of/1/posts').send({ text: 'Hello' });
  expect(headers['location']).toMatch(/^\/topics-of\/1\/posts\/[0-9a-f-]{36}$/);
  expect((await subject.request().get(headers['location'] ?? '')).body.data).toEqual({ text: 'Hello' });
});

contract(
  'A Create in a group finds a Get of the group that ends with the lookup, and of which it knows the rest',
  async (subject) => {
    const body = { name: 'A', slug: 'x' };
    expect(await placed(subject, '/apart/top%20left/new/topics', body)).toEqual([
      '/apart/top%20left/found/x',
      200,
    ]);
    expect(await placed(subject, '/apart/left/found', { name: 'B', slug: 'y' })).toEqual([
      '/apart/left/found/y',
      200,
    ]);
  },
);

contract(
  'An answer that is given again under an Idempotency-Key has the Location of the first',
  async (subject) => {
    const { request, platform } = subject;
    for (const [path, body] of [
      ['/topics', { name: 'A' }],
      ['/shown', { Name: 'B', Slug: 'b' }],
    ] as const) {
      const post = () => request().post(path).set('Idempotency-Key', `${platform}${path}`).send(body);
      const [first, again] = [await post(), await post()];
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
      expect(first.headers['location']).toMatch(/^\/(topics\/1|shown\/b)$/);
      expect(again.headers['location']).toBe(first.headers['location']);
    }
  },
);

contract('A kept answer that does not show the column of the Get has no Location', async ({ request }) => {
  const post = () => request().post('/slugs').set('Idempotency-Key', 'key').send({ name: 'A', slug: 'a' });
  expect([(await post()).headers['location'], (await post()).headers['location']]).toEqual([
    '/slugs/a',
    undefined,
  ]);
});

contract(
  'Location stands beside the other headers, and scripts of other origins may read it',
  async ({ request }) => {
    for (const path of ['/exposed/topics', '/asked/topics']) {
      const { headers } = await request().post(path).send({ name: 'A' });
      expect([headers['location'], headers['x-extra'], headers['etag']]).toEqual([
        expect.stringMatching(`^${path}/[12]$`),
        '1',
        '"1"',
      ]);
      if (path === '/exposed/topics') expect(headers['access-control-expose-headers']).toBe('ETag, Location');
    }
  },
);

contract('A Create that is refused has no Location', async ({ request }) => {
  const { status, headers } = await request().post('/topics').send({});
  expect([status, headers['location']]).toEqual([400, undefined]);
});

const mounted = service({
  entities: [Topic, IdempotencyRecord],
  root: { internalCasing: 'camelCase' },
  endpoints: [new RestfulApi({ ...topics, url: 'topics' })],
  configure: (app) => {
    app.setGlobalPrefix('api');
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  },
});

mounted.contract('Location has the global prefix and the version', async (subject) => {
  expect(await placed(subject, '/api/v1/topics', { name: 'A' })).toEqual(['/api/v1/topics/1', 200]);
});
