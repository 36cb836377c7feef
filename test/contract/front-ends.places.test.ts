import { expect } from '@jest/globals';
import { EndpointsClient } from '@nest-endpoints/client';
import { Callable, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { Note, notes, recorded } from './front-ends.world.js';

const options = {
  modelClass: Note,
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['text'],
  sortableColumnNames: ['text'],
  searchableColumnNames: ['text'],
  defaultSortColumnName: 'text',
} as const;

const { contract } = service(
  {
    entities: [Note],
    endpoints: [
      new EndpointGroup({
        url: 'api',
        endpoints: [
          new Schema({ url: 'schema', schemaConfiguration: licensed, wholeApplication: true }),
          new RestfulApi({ ...options, url: 'notes' }),
        ],
      }),
      new Callable({ url: 'health', toCall: () => 'fine' }),
      new RestfulApi({ ...options, url: 'notes', readOnly: true }),
      new RestfulApi({ ...options, url: 'old/notes', readOnly: true }),
    ],
  },
  once,
);

contract('Endpoints beside the path of the service move none of those below it', async (subject) => {
  await notes(subject, 'a');
  const { fetch, sent } = recorded();
  const client = new EndpointsClient({ url: `${subject.url}/api`, fetch });
  const records = await client.records('notes');
  expect((await records.get(1)).record).toEqual({ id: 1, text: 'a' });
  expect((await records.update(1, { text: 'b' })).record).toEqual({ id: 1, text: 'b' });
  expect((await (await client.records('old/notes')).list()).records).toEqual([{ id: 1, text: 'b' }]);
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/schema',
    'GET /api/notes/1',
    'PATCH /api/notes/1',
    'GET /old/notes',
  ]);
  expect((await client.resources()).map(({ name }) => name)).toEqual(['notes', 'old/notes']);
});

contract('The token and the headers of the service are sent to no other origin', async (subject) => {
  await notes(subject, 'a');
  const { fetch, sent } = recorded();
  const elsewhere = subject.url.replace('127.0.0.1', 'localhost');
  expect(elsewhere).not.toBe(subject.url);
  let asked = 0;
  const token = (): string => {
    asked += 1;
    return 'secret';
  };
  const schema = `${elsewhere}/api/schema`;
  const client = new EndpointsClient({
    ...{ url: `${subject.url}/api`, schema, fetch, token, headers: { 'X-Tenant': 'a' } },
  });
  expect((await (await client.records('notes')).list()).total).toBe(1);
  const told = sent.map(({ headers }) => [headers.get('Authorization'), headers.get('X-Tenant')]);
  expect([told, asked]).toEqual([
    [
      [null, null],
      ['Bearer secret', 'a'],
    ],
    1,
  ]);
  const same = new EndpointsClient({
    url: `${subject.url}/api`,
    schema: `${subject.url}/api/schema`,
    fetch,
    token,
  });
  await same.resources();
  expect(sent.at(-1)?.headers.get('Authorization')).toBe('Bearer secret');
});
