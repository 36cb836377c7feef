import { expect, test } from '@jest/globals';
import { EndpointGroup, Get, List, RestfulApi, type HttpMethod } from '@nest-endpoints/core';
import { books } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { stopped } from './stopped.js';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const list = (requestMethods: readonly string[]) =>
  new List({
    ...titles,
    url: 'found',
    sortableColumnNames: ['title'],
    defaultSortColumnName: 'title',
    requestMethods: requestMethods as HttpMethod[],
  });

const started = 'Error: the application started';
const allowed = 'GET.*POST.*PUT.*PATCH.*DELETE.*QUERY';

test('A method that is not allowed in request_methods stops the start', async () => {
  for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'ALL', '', '*'])
    expect(await stopped(() => list(['GET', method]))).toMatch(
      new RegExp(`List.*found.*requestMethods.*'${method.replace('*', '\\*')}'.*${allowed}`, 's'),
    );
});

test('A method in lower case stops the start', async () => {
  for (const method of ['get', 'Post', ' GET'])
    expect(await stopped(() => list([method]))).toMatch(
      new RegExp(`List.*found.*requestMethods.*'${method}'.*${allowed}`, 's'),
    );
});

test('An empty list of request_methods stops the start', async () => {
  expect(await stopped(() => list([]))).toMatch(new RegExp(`List.*found.*requestMethods.*${allowed}`, 's'));
});

test('A method in lower case in request_methods of a RestfulApi stops the start', async () => {
  const api = () => books({ url: 'shelved', requestMethods: ['get' as 'GET', 'POST'] });
  expect(await stopped(api)).toMatch(new RegExp(`requestMethods.*'get'.*${allowed}`, 's'));
});

test('An empty list of request_methods of a RestfulApi stops the start', async () => {
  const api = () => books({ url: 'shelved', requestMethods: [] });
  expect(await stopped(api)).toMatch(new RegExp(`requestMethods.*${allowed}`, 's'));
});

test("An empty list of an operation's methods of a RestfulApi stops the start", async () => {
  const api = () => books({ url: 'shelved', createRequestMethods: [] });
  expect(await stopped(api)).toMatch(new RegExp(`createRequestMethods.*${allowed}`, 's'));
});

test("A method that is not allowed in an operation's methods of a RestfulApi stops the start", async () => {
  const api = () => books({ url: 'shelved', createRequestMethods: ['post' as 'POST'] });
  expect(await stopped(api)).toMatch(new RegExp(`[rR]equestMethods.*'post'.*${allowed}`, 's'));
});

test("A response header that is not 'key: value' stops the start", async () => {
  for (const header of ['X-By', ': value', 'X By: value', 'X-By: a\r\nX-Other: b', 'X-Bÿ: value', '']) {
    const get = () => new Get({ ...titles, url: 'found/:id', responseHeaders: [header] });
    expect(await stopped(get)).toMatch(/Get.*found\/:id.*responseHeaders/s);
  }
});

test("A response header of a group that is not 'key: value' stops the start", async () => {
  const group = () => new EndpointGroup({ endpoints: [list(['GET'])], responseHeaders: ['X-By'] });
  expect(await stopped(group)).toMatch(/responseHeaders.*X-By/s);
});

test('A response header without a value does not stop the start', async () => {
  const get = () => new Get({ ...titles, url: 'found/:id', responseHeaders: ['X-By:', 'X-Also:a: b'] });
  expect(await stopped(get)).toBe(started);
});

test('A url with a segment that is neither a plain word nor one parameter stops the start', async () => {
  for (const url of [
    'books/:',
    'books/{}',
    'books/{id',
    'books/:id?',
    'books/*',
    'a b',
    ':id.json',
    'books/:1d',
  ]) {
    const get = () => new Get({ ...titles, url });
    expect(await stopped(get)).toMatch(/Get.*url/s);
  }
});

test('A RestfulApi may lack every operation', async () => {
  const none = { createEndpoint: null, listEndpoint: null, getEndpoint: null } as const;
  const api = () => books({ ...none, url: 'shelved', updateEndpoint: null, deleteEndpoint: null });
  expect(api()).toBeInstanceOf(RestfulApi);
  expect(await stopped(api)).toBe(started);
});
