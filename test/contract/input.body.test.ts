import { expect } from '@jest/globals';
import { Create, Update } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import type { Subject } from '../support/contract.js';

const titles = {
  modelClass: Book,
  readableColumnNames: ['title', 'inPrint'],
  writeableColumnNames: ['title', 'inPrint'],
} as const;

const { contract } = service(
  libraryWith([
    books(),
    new Create({ ...titles, url: 'titled', externalCasing: 'TitleCase' }),
    new Update({ ...titles, url: 'camel/:id', externalCasing: 'camelCase' }),
  ]),
);

const json = { 'content-type': 'application/json' };
const unknownId = '7d0f4b52-6c1f-4a9e-9a63-0d8c6f0f1a11';

/** Bodies are judged before a record is looked for: Update answers like Create. */
const expectRefusedBodies = async (
  { raw, count }: Subject,
  bodies: readonly (string | Buffer)[],
  error: string,
) => {
  for (const body of bodies) {
    expectAnswer(await raw('POST', '/books', { headers: json, body }), 400, clientError(error));
    expectAnswer(await raw('PATCH', `/books/${unknownId}`, { headers: json, body }), 400, clientError(error));
  }
  expect(await count(Book)).toBe(0);
};

const notAllowed = (name: string) => `Input column ${name} is not an allowed input column.`;

contract('A missing body: A JSON body is required', async ({ raw }) => {
  const required = clientError('A JSON body is required');
  expectAnswer(await raw('POST', '/books'), 400, required);
  expectAnswer(await raw('POST', '/books', { headers: json }), 400, required);
  expectAnswer(await raw('PATCH', `/books/${unknownId}`), 400, required);
});

contract('Content-Length 0 is no body', async ({ raw }) => {
  const headers = { ...json, 'content-length': 0 };
  expectAnswer(await raw('POST', '/books', { headers }), 400, clientError('A JSON body is required'));
});

contract('A chunked body without a byte is no body', async ({ raw }) => {
  const headers = { ...json, 'transfer-encoding': 'chunked' };
  expectAnswer(await raw('POST', '/books', { headers }), 400, clientError('A JSON body is required'));
});

contract('Malformed JSON: The request body is not valid JSON', async (subject) => {
  const halves = [
    '{',
    '{"title":"Emma"',
    '{"title":"Emma",}',
    '{"title":"Emma"}}',
    '{"title":"Emma"}{}',
    '"',
    ' ',
  ];
  const dialects = [
    "{'title':'Emma'}",
    '{title:"Emma"}',
    '{"title":undefined}',
    '{"pages":0x1}',
    '// Emma\n{}',
  ];
  const numbers = [
    'NaN',
    '{"pages":01}',
    '{"pages":+1}',
    '{"pages":1.}',
    '{"price":Infinity}',
    '{"pages":-}',
  ];
  const texts = ['title=Emma', '{"title":"a\tb"}', '{"title":"\\x"}', '{"title":"\\u12"}', '\0', '{}\0'];
  const bodies = [...halves, ...dialects, ...numbers, ...texts];
  await expectRefusedBodies(subject, bodies, 'The request body is not valid JSON');
});

contract('A body that is not valid UTF-8: The request body is not valid JSON', async (subject) => {
  const title = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"title":"'), Buffer.from(bytes), Buffer.from('"}')]);
  const illFormed = [
    title(0xff),
    title(0xe9),
    title(0xc0, 0xaf),
    title(0xed, 0xa0, 0x80),
    title(0xf0, 0x9f, 0x98),
  ];
  const utf16 = Buffer.from('{"title":"Emma"}', 'utf16le');
  await expectRefusedBodies(subject, [...illFormed, utf16], 'The request body is not valid JSON');
});

contract('A body that is an array: The request body must be a JSON object', async (subject) => {
  const bodies = ['[]', '[{"title":"Emma"}]', '[["title","Emma"]]'];
  await expectRefusedBodies(subject, bodies, 'The request body must be a JSON object');
});

contract(
  'A body that is a number, a string or null: The request body must be a JSON object',
  async (subject) => {
    const bodies = ['5', '0', '""', '"title"', '"{}"', 'null', ' null ', 'true', 'false', '1e400'];
    await expectRefusedBodies(subject, bodies, 'The request body must be a JSON object');
  },
);

contract('{} is a valid object', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const answer = await request().patch(`/camel/${id}`).send({});
  expect([answer.status, answer.body.data]).toEqual([200, { title: 'Emma', inPrint: true }]);
  expectAnswer(await request().post('/books').send({}), 400, inputErrors({ title: "'title' is required." }));
});

contract('White space around the object is no matter', async ({ raw }) => {
  const answer = await raw('POST', '/books', { headers: json, body: '\r\n\t {"title" : "Emma"}\n' });
  expect(answer.status).toBe(201);
});

contract('Of a key that is sent twice the last value counts', async ({ raw, em }) => {
  await raw('POST', '/books', { headers: json, body: '{"title":5,"title":"Emma"}' });
  expect(await em().findAll(Book)).toMatchObject([{ title: 'Emma' }]);
});

contract(
  'Unknown keys and failed columns are answered together, each under its own key',
  async ({ request }) => {
    const wrong = { created: 1, nope: 2, pages: '5', price: 'x', author_id: 99, in_print: null };
    const complaints = {
      created: notAllowed('created'),
      nope: notAllowed('nope'),
      title: "'title' is required.",
      pages: 'value should be an integer',
      price: 'value should be a number',
      author_id: 'the given record does not exist',
      in_print: "'in_print' is required.",
    };
    expectAnswer(await request().post('/books').send(wrong), 400, inputErrors(complaints));
  },
);

contract('Keys of input_errors are the names the client sent', async ({ request, save }) => {
  const titled = await request().post('/titled').send({ InPrint: 1, in_print: 1, inPrint: 1 });
  expect(titled.body.InputErrors).toEqual({
    Title: "'Title' is required.",
    InPrint: 'value should be a boolean',
    in_print: notAllowed('in_print'),
    inPrint: notAllowed('inPrint'),
  });
  const { id } = await save(Book, { title: 'Emma' });
  const camel = await request().patch(`/camel/${id}`).send({ inPrint: null, Title: '', titel: 1 });
  expect(camel.body.inputErrors).toEqual({
    inPrint: "'inPrint' is required.",
    Title: notAllowed('Title'),
    titel: notAllowed('titel'),
  });
});

contract('A key __proto__ is an unknown key like any other', async ({ raw, count }) => {
  const body = '{"title":"Emma","__proto__":{"pages":5}}';
  const { status, text } = await raw('POST', '/books', { headers: json, body });
  expect([status, text]).toEqual([400, expect.stringContaining(`"__proto__":"${notAllowed('__proto__')}"`)]);
  expect([await count(Book), Object.prototype]).toEqual([0, {}]);
});

contract('Names that every JavaScript object has are unknown keys too', async ({ request }) => {
  const names = [
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    'valueOf',
    '',
    ' title',
    'author.name',
  ];
  const body = Object.fromEntries(names.map((name) => [name, 'x']));
  const complaints = Object.fromEntries(names.map((name) => [name, notAllowed(name)]));
  const answer = await request()
    .post('/books')
    .send({ ...body, title: 'Emma' });
  expectAnswer(answer, 400, inputErrors(complaints));
});

contract('Of very many unknown keys a hundred are named', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  for (const [count, named] of [
    [99, 99],
    [100, 100],
    [5000, 100],
  ] as const) {
    const names = Array.from({ length: count }, (_, index) => `key${index}`);
    const body = { title: 'Emma', ...Object.fromEntries(names.map((name) => [name, 1])) };
    const complaints = Object.fromEntries(names.slice(0, named).map((name) => [name, notAllowed(name)]));
    expectAnswer(await request().post('/books').send(body), 400, inputErrors(complaints));
    expectAnswer(await request().patch(`/books/${id}`).send(body), 400, inputErrors(complaints));
  }
});

contract('An Update answers unknown keys like a Create', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  const answer = await request().patch(`/books/${id}`).send({ id, title: 'Persuasion', authorId: null });
  const complaints = { id: notAllowed('id'), authorId: notAllowed('authorId') };
  expectAnswer(answer, 400, inputErrors(complaints));
});

contract('Nothing of a refused request is stored', async ({ request, save, em }) => {
  const { id } = await save(Book, { title: 'Emma', pages: 474 });
  await request().post('/books').send({ title: 'Persuasion', pages: 'many' });
  await request().patch(`/books/${id}`).send({ title: 'Persuasion', author_id: 99 });
  await request().patch(`/books/${id}`).send({ title: 'Persuasion', nope: 1 });
  expect(await em().findAll(Book)).toMatchObject([{ title: 'Emma', pages: 474 }]);
});
