import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { IdempotencyRecord, PlainAnswers, RestfulApi } from '@nest-endpoints/core';
import { problem } from '../support/answers.js';
import { service } from '../support/contract.js';

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    version: p.integer().version(),
  },
});

const { contract } = service({
  entities: [Note, IdempotencyRecord],
  root: { answers: new PlainAnswers() },
  endpoints: [
    new RestfulApi({
      url: 'notes',
      modelClass: Note,
      readableColumnNames: ['id', 'text'],
      writeableColumnNames: ['text'],
      searchableColumnNames: ['text'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      idempotency: true,
      preconditionRequired: true,
    }),
  ],
});

contract('A plain record has its entity tag, and who knows it gets a 304 without a body', async (subject) => {
  const { request, raw, save } = subject;
  await save(Note, { text: 'A' });
  const { body, headers } = await request().get('/notes/1');
  expect([body, headers['etag']]).toEqual([{ id: 1, text: 'A' }, '"1"']);
  const known = await raw('GET', '/notes/1', { headers: { 'If-None-Match': '"1"' } });
  expect([known.status, known.text, known.headers.etag]).toEqual([304, '', '"1"']);
  const head = await raw('HEAD', '/notes/1');
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', '"1"']);
});

contract('A plain record is changed in the version that If-Match names', async ({ request, save }) => {
  await save(Note, { text: 'A' });
  const patch = (tag?: string) => {
    const sent = request().patch('/notes/1').send({ text: 'B' });
    return tag === undefined ? sent : sent.set('If-Match', tag);
  };
  const unsaid = await patch();
  expect([unsaid.status, unsaid.body]).toEqual([428, problem(428, 'Precondition Required')]);
  const stale = await patch('"7"');
  expect([stale.status, stale.body]).toEqual([412, problem(412, 'Precondition Failed')]);
  const right = await patch('"1"');
  expect([right.status, right.body, right.headers['etag']]).toEqual([200, { id: 1, text: 'B' }, '"2"']);
});

contract('A plain answer is kept under an Idempotency-Key, with its headers', async ({ request }) => {
  const post = (text: string) => request().post('/notes').set('Idempotency-Key', 'key').send({ text });
  const [first, again, other] = [await post('A'), await post('A'), await post('B')];
  for (const name of ['etag', 'location', 'content-type'])
    expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
  expect([first.status, first.body, first.headers['location']]).toEqual([
    201,
    { id: 1, text: 'A' },
    '/notes/1',
  ]);
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
    201,
    first.text,
    'true',
  ]);
  expect([other.status, other.body]).toEqual([
    409,
    problem(409, 'Conflict', 'The Idempotency-Key was sent with another request before'),
  ]);
});
