import { expect } from '@jest/globals';
import { SetMetadata } from '@nestjs/common';
import { Create, EndpointGroup, Get, List, SimpleSearch } from '@nest-endpoints/core';
import { expectAnswer, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { MetadataGuard, RefusingGuard, WavingInterceptor } from '../support/enhancers.js';

/** Which endpoint answered, as its response header says. */
const by = (name: string) => ({ responseHeaders: [`X-By: ${name}`] });

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const list = (url: string) => new List({ ...listed, url, ...by(url) });
const create = (url: string) => new Create({ ...titles, url, writeableColumnNames: ['title'], ...by(url) });

const endpoints = [
  list('direct/list'),
  create('written'),
  list('//around//it/'),
  new Get({ ...titles, url: '/codes/{isbn}/', recordLookupColumnName: 'isbn' }),
  new Get({ ...titles, url: 'isbn/:isbn', recordLookupColumnName: 'isbn' }),
  new List({ ...listed, url: 'put', requestMethods: ['PUT'] }),
  new List({ ...listed, url: 'several', requestMethods: ['GET', 'POST'] }),
  new SimpleSearch({ ...listed, url: 'asked', searchableColumnNames: ['title'], requestMethods: ['QUERY'] }),
  list('both'),
  create('both'),
  new List({ ...listed, url: 'twice', ...by('upper') }),
  new List({ ...listed, url: 'twice', ...by('lower') }),
  new EndpointGroup({
    url: 'outer',
    endpoints: [new EndpointGroup({ url: 'inner', endpoints: [list('books')] }), list('books')],
  }),
  list('shelf/special'),
  books({ url: 'shelf' }),
  list('shelf/below'),
  new EndpointGroup({ url: 'closed', endpoints: [list('books')] }),
  list('closed/later'),
  list('closedown'),
  new EndpointGroup({ endpoints: [list('open/books')] }),
  list('open/later'),
  new Create({ ...titles, url: 'guarded', writeableColumnNames: ['title'], guards: [RefusingGuard] }),
  new List({
    ...listed,
    url: 'enhanced',
    guards: [MetadataGuard],
    interceptors: [WavingInterceptor],
    decorators: [SetMetadata('word', 'hello')],
  }),
];

const { contract } = service(libraryWith(endpoints));

contract('The url of an endpoint attached directly is the exact path to invoke it', async ({ request }) => {
  const { headers } = await request().get('/direct/list');
  expect(headers['x-by']).toBe('direct/list');
});

contract("The url of an endpoint in a group is appended to the group's url", async ({ request }) => {
  const { headers } = await request().get('/outer/books');
  expect(headers['x-by']).toBe('books');
});

contract('The urls of nested groups are appended to one another', async ({ request }) => {
  const { status } = await request().get('/outer/inner/books');
  expect(status).toBe(200);
});

contract('A path parameter is written {name} or :name with the same meaning', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '42' });
  expectAnswer(await request().get('/codes/42'), 200, success({ title: 'Emma' }));
  expectAnswer(await request().get('/isbn/42'), 200, success({ title: 'Emma' }));
});

contract("A path that only begins like an endpoint's url does not match", async ({ request }) => {
  expectAnswer(await request().get('/direct/list/more'), 404, notFound);
});

contract('Slashes at the end of a path are optional, however many', async ({ request }) => {
  const { headers } = await request().get('/direct/list///');
  expect(headers['x-by']).toBe('direct/list');
});

contract('Slashes at the start of a path are optional, however many', async ({ raw }) => {
  const { headers } = await raw('GET', '///direct/list');
  expect(headers['x-by']).toBe('direct/list');
});

contract('Doubled slashes inside a path count as one', async ({ request }) => {
  const { headers } = await request().get('/direct//list');
  expect(headers['x-by']).toBe('direct/list');
});

contract('Slashes around the url of an endpoint do not matter', async ({ request }) => {
  const { status } = await request().get('/around/it');
  expect(status).toBe(200);
});

contract('Matching is case-sensitive', async ({ request }) => {
  expectAnswer(await request().get('/Direct/list'), 404, notFound);
});

contract('A path parameter never matches an empty segment', async ({ request }) => {
  expectAnswer(await request().get('/isbn//'), 404, notFound);
});

contract('Percent-encoded text in a path parameter is decoded once, as UTF-8', async ({ request, save }) => {
  await save(Book, { title: 'Ærø', isbn: 'é%41' });
  expectAnswer(await request().get('/isbn/%C3%A9%2541'), 200, success({ title: 'Ærø' }));
});

contract('A percent-encoded slash in a path parameter belongs to the value', async ({ request, save }) => {
  await save(Book, { title: 'Emma', isbn: '4/2' });
  expectAnswer(await request().get('/isbn/4%2F2'), 200, success({ title: 'Emma' }));
});

contract('A malformed escape in a path is answered with the envelope, never a 500', async ({ raw }) => {
  const { status, body } = await raw('GET', '/isbn/%zz');
  expect([400, 404]).toContain(status);
  expect(body).toMatchObject({ status: 'client_error', data: [] });
});

contract(
  'A path parameter of more than 100 characters is answered with the envelope',
  async ({ request }) => {
    expectAnswer(await request().get(`/isbn/${'4'.repeat(150)}`), 404, notFound);
  },
);

contract('HEAD is answered wherever GET is, without a body', async ({ raw }) => {
  const { status, headers, text } = await raw('HEAD', '/direct/list');
  expect([status, headers['x-by'], text]).toEqual([200, 'direct/list', '']);
});

contract('HEAD is Not Found where GET is not answered', async ({ request }) => {
  const { status } = await request().head('/written');
  expect(status).toBe(404);
});

contract('There is no 405: another method on a known path is Not Found', async ({ request }) => {
  expectAnswer(await request().delete('/direct/list'), 404, notFound);
});

contract('A method outside GET POST PUT PATCH DELETE QUERY is Not Found', async ({ raw }) => {
  expectAnswer(await raw('PROPFIND', '/direct/list'), 404, notFound);
});

contract('request_methods replaces the default methods of an endpoint', async ({ request }) => {
  const statuses = [(await request().put('/put')).status, (await request().get('/put')).status];
  expect(statuses).toEqual([200, 404]);
});

contract('An endpoint may answer several methods', async ({ request }) => {
  const statuses = [
    (await request().get('/several')).status,
    (await request().post('/several').send({})).status,
  ];
  expect(statuses).toEqual([200, 200]);
});

contract('A QUERY request is answered where request_methods allows it', async ({ query, save }) => {
  await save(Book, { title: 'Emma' });
  const { body } = await query('/asked').send({ title: 'Emma' });
  expect(body.data).toEqual([{ title: 'Emma' }]);
});

contract(
  'An endpoint takes a request only when path and method match: the next sibling is tried',
  async ({ request }) => {
    const { status } = await request().post('/both').send({ title: 'Emma' });
    expect(status).toBe(201);
  },
);

contract('Of two endpoints that match, the upper one answers', async ({ request }) => {
  const { headers } = await request().get('/twice');
  expect(headers['x-by']).toBe('upper');
});

contract(
  'An endpoint with a special url answers when it stands above the RestfulApi that would swallow it',
  async ({ request }) => {
    const { headers } = await request().get('/shelf/special');
    expect(headers['x-by']).toBe('shelf/special');
  },
);

contract(
  'An endpoint with a special url below the RestfulApi that swallows it never answers',
  async ({ request }) => {
    expectAnswer(await request().get('/shelf/below'), 404, notFound);
  },
);

contract('What an earlier endpoint or group swallows is named in a warning at start-up', ({ startLog }) => {
  expect(startLog).toMatch(/^warn .*shelf\/below/m);
  expect(startLog).toMatch(/^warn .*twice/m);
});

contract(
  'A group with a url takes every request below it, whatever the method: later siblings are not tried',
  async ({ request }) => {
    expectAnswer(await request().get('/closed/later'), 404, notFound);
  },
);

contract('A group takes requests by whole segments only', async ({ request }) => {
  const { headers } = await request().get('/closedown');
  expect(headers['x-by']).toBe('closedown');
});

contract('A group without a url takes only what a member answers', async ({ request }) => {
  const { headers } = await request().get('/open/later');
  expect(headers['x-by']).toBe('open/later');
});

contract('A path that no controller has is answered with the envelope', async ({ request }) => {
  expectAnswer(await request().get('/nowhere/at/all'), 404, notFound);
});

contract('Guards of an endpoint run before its body is judged', async ({ raw }) => {
  const { status } = await raw('POST', '/guarded', {
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  expect(status).toBe(403);
});

contract('Guards, interceptors and decorators given to an endpoint are applied', async ({ request }) => {
  const { headers } = await request().get('/enhanced');
  expect([headers['x-guard'], headers['x-interceptor']]).toEqual(['hello', 'waved']);
});
