import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, Delete, Get, List, SimpleSearch } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const created = { ...titles, writeableColumnNames: ['title'] } as const;
const unknownId = '00000000-0000-4000-8000-000000000000';

/** A parent that the database keeps as long as a Copy refers to it. */
const Shelf = defineEntity({
  name: 'Shelf',
  properties: { id: p.integer().primary().autoincrement(), mark: p.string() },
});
const Copy = defineEntity({
  name: 'Copy',
  properties: { id: p.integer().primary().autoincrement(), shelf: () => p.manyToOne(Shelf) },
});

const { contract } = service({
  entities: [...library, Shelf, Copy],
  endpoints: [
    new Delete({ url: 'shelves/:id', modelClass: Shelf }),
    new Create({ ...created, url: 'accepted', createStatus: 202 }),
    new Create({ ...created, url: 'accepted/mapped', createStatus: 202, outputMap: () => 'done' }),
    books({ url: 'plain', createStatus: 200 }),
    new SimpleSearch({ ...listed, url: 'search', searchableColumnNames: ['title'] }),
    new Get({
      ...titles,
      url: 'broken/:id',
      outputMap: () => {
        throw new Error('a secret');
      },
    }),
    new List({ ...listed, url: 'sql', outputMap: ({ em }) => em.execute('select hidden from missing') }),
    new List({ ...listed, url: 'odd', outputMap: () => Promise.reject(new TypeError('a secret')) }),
    books({ readableColumnNames: ['title'] }),
  ],
});

/** A refusal with whatever sentence. */
const aSentence = { ...clientError(''), error: expect.stringMatching(/\w+ \w+/) };

const json = (contentType: string, body = '{"title":"Emma"}') => ({
  headers: { 'content-type': contentType },
  body,
});

contract('A success is 200', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const answers = [
    await request().get('/books'),
    await request().get(`/books/${id}`),
    await request().patch(`/books/${id}`).send({ title: 'Emmy' }),
    await request().delete(`/books/${id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

contract('A SimpleSearch by POST is 200', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  const { status, body } = await request().post('/search').send({ title: 'Emma' });
  expect([status, body.data]).toEqual([200, [{ title: 'Emma' }]]);
});

contract('A SimpleSearch by QUERY is 200', async ({ query }) => {
  expect((await query('/search').send({ title: 'Emma' })).status).toBe(200);
});

contract('A successful Create is 201', async ({ request }) => {
  const answer = await request().post('/books').send({ title: 'Emma' });
  expectAnswer(answer, 201, success({ title: 'Emma' }));
});

contract('createStatus sets the status code of a successful Create', async ({ request }) => {
  const body = { title: 'Emma' };
  expectAnswer(await request().post('/accepted').send(body), 202, success(body));
  expectAnswer(await request().post('/accepted/mapped').send(body), 202, success('done'));
  expect((await request().post('/plain').send(body)).status).toBe(200);
});

contract('createStatus leaves the status code of refusals alone', async ({ request }) => {
  const { status } = await request().post('/accepted').send({});
  expect(status).toBe(400);
});

contract('A path that does not match is 404, client_error, Not Found', async ({ request }) => {
  expectAnswer(await request().get('/books/1/2'), 404, notFound);
});

contract('A method that does not match is 404, client_error, Not Found', async ({ request }) => {
  expectAnswer(await request().put('/books').send({ title: 'Emma' }), 404, notFound);
});

contract('A record that Get does not find is 404, client_error, Not Found', async ({ request }) => {
  expectAnswer(await request().get(`/books/${unknownId}`), 404, notFound);
});

contract('A record that Update does not find is 404, client_error, Not Found', async ({ request }) => {
  expectAnswer(await request().patch(`/books/${unknownId}`).send({ title: 'Emma' }), 404, notFound);
});

contract('A record that Delete does not find is 404, client_error, Not Found', async ({ request }) => {
  expectAnswer(await request().delete(`/books/${unknownId}`), 404, notFound);
});

contract('A missing body is 400, client_error, with a sentence', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().post('/books'), 400, clientError('A JSON body is required'));
  expectAnswer(await request().patch(`/books/${id}`), 400, clientError('A JSON body is required'));
});

contract('A content type without a body is a missing body', async ({ raw }) => {
  const answer = await raw('POST', '/books', json('text/plain', ''));
  expectAnswer(answer, 400, clientError('A JSON body is required'));
});

contract('A body that is not JSON is 400, client_error, with a sentence', async ({ raw }) => {
  for (const body of ['{', '{"title":"Emma"} x', "{'title':1}", '{"title":"Emma",}', 'NaN', ' ']) {
    const answer = await raw('POST', '/books', json('application/json', body));
    expectAnswer(answer, 400, clientError('The request body is not valid JSON'));
  }
});

contract('A body that is not an object is 400, client_error, with a sentence', async ({ raw }) => {
  for (const body of ['[]', '[{"title":"Emma"}]', '5', '"Emma"', 'null', 'true']) {
    const answer = await raw('POST', '/books', json('application/json', body));
    expectAnswer(answer, 400, clientError('The request body must be a JSON object'));
  }
});

contract(
  'A bad list parameter is 400, client_error, with a sentence that names the parameter',
  async ({ request }) => {
    for (const name of ['limit', 'start', 'sort', 'direction', 'nonsense']) {
      const { status, body } = await request().get(`/books?${name}=-`);
      expect([status, body]).toEqual([400, { ...aSentence, error: expect.stringContaining(`'${name}'`) }]);
    }
  },
);

contract(
  'A body with a content type that is neither JSON nor +json is 415, client_error, with a sentence',
  async ({ raw, count }) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonp'];
    for (const type of [...types, 'multipart/form-data; boundary=x', 'json', 'application/json+xml']) {
      const { status, body } = await raw('POST', '/books', json(type));
      expect({ type, status, body }).toEqual({ type, status: 415, body: aSentence });
    }
    expect(await count(Book)).toBe(0);
  },
);

contract('A body with a content type that ends in +json is read', async ({ raw }) => {
  const types = [
    'application/vnd.api+json',
    'model/gltf+json',
    'APPLICATION/JSON',
    'Application/Problem+JSON',
  ];
  for (const type of [...types, 'application/json;charset=utf-8', 'application/ld+json; profile="x"'])
    expect({ type, ...(await raw('POST', '/books', json(type))) }).toMatchObject({ type, status: 201 });
});

contract('A body without a content type is read as JSON', async ({ raw }) => {
  const answer = await raw('POST', '/books', { body: '{"title":"Emma"}' });
  expectAnswer(answer, 201, success({ title: 'Emma' }));
});

const padded = (size: number) => '{"title":"Emma"}'.padEnd(size, ' ');

contract('A body larger than 1 MiB is 413, client_error, with a sentence', async ({ raw, count }) => {
  const { status, body } = await raw('POST', '/books', json('application/json', padded(1_048_577)));
  expect([status, body]).toEqual([413, aSentence]);
  expect(await count(Book)).toBe(0);
});

contract('A body of exactly 1 MiB is read', async ({ raw }) => {
  const { status } = await raw('POST', '/books', json('application/json', padded(1_048_576)));
  expect(status).toBe(201);
});

contract('A body of unknown length that is larger than 1 MiB is 413', async ({ url }) => {
  const body = ReadableStream.from([Buffer.alloc(1_048_576, ' '), Buffer.from('{}')]);
  const { status } = await fetch(`${url}/books`, { method: 'POST', body, duplex: 'half' });
  expect(status).toBe(413);
});

contract('Failed validation is 400, input_errors, with an empty error', async ({ request }) => {
  const answer = await request().post('/books').send({});
  expectAnswer(answer, 400, inputErrors({ title: "'title' is required." }));
});

contract(
  'Deleting a record that another one refers to is 409, client_error, with a sentence without SQL',
  async ({ request, save, count }) => {
    const shelf = await save(Shelf, { mark: 'A' });
    await save(Copy, { shelf });
    const { status, body } = await request().delete(`/shelves/${shelf.id}`);
    expect([status, body]).toEqual([409, aSentence]);
    expect(body.error).not.toMatch(/constraint|foreign|violat|table|delete from|shelf|"|_/i);
    expect(await count(Shelf)).toBe(1);
  },
);

contract('Something unforeseen is 500, failure, Internal Server Error', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  for (const path of [`/broken/${id}`, '/sql', '/odd'])
    expectAnswer(await request().get(path), 500, failure('Internal Server Error'));
});

contract('An unforeseen error shows no stack, SQL or driver text on the wire', async ({ raw, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  for (const path of [`/broken/${id}`, '/sql', '/odd']) {
    const { status, text, headers } = await raw('GET', path);
    expect([path, status, text]).toEqual([path, 500, JSON.stringify(failure('Internal Server Error'))]);
    expect(text + JSON.stringify(headers)).not.toMatch(/secret|hidden|missing|relation|select|\.ts|at /);
  }
});

contract('An unforeseen error is logged', async ({ request, save, log }) => {
  await save(Book, { title: 'Emma' });
  const { headers } = await request().get('/sql').set('X-Request-Id', 'request-42');
  expect(log.text('error')).toContain('missing');
  expect(headers['x-request-id']).toBe('request-42');
  expect(log.text('error')).toContain('request-42');
});

contract('A refusal is not logged as an error', async ({ request, log }) => {
  await request().post('/books').send({});
  await request().get('/nowhere');
  expect(log.text('error')).toBe('');
});
