import { expect } from '@jest/globals';
import { EndpointsClient } from '@nest-endpoints/client';
import { Create, Delete, EndpointGroup, RestfulApi, Update } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { refusal } from './front-ends.refusal.js';
import { Bay } from './front-ends.world.js';

const shown = { modelClass: Bay, readableColumnNames: ['number', 'name'] } as const;
const written = { ...shown, writeableColumnNames: ['id', 'number', 'name'] } as const;
const listed = {
  ...shown,
  searchableColumnNames: ['number'],
  sortableColumnNames: ['number'],
  defaultSortColumnName: 'number',
} as const;

/** Records with everything, and those whose Create or Update alone tells how they are shown. */
const bays = [
  new RestfulApi({ ...written, ...listed, url: 'bays', idColumnName: 'number' }),
  new Create({ ...written, url: 'made-bays' }),
  new Delete({ modelClass: Bay, url: 'made-bays/:number', recordLookupColumnName: 'number' }),
  new Update({ ...written, url: 'changed-bays/:number', recordLookupColumnName: 'number' }),
];

const { contract } = service(
  {
    entities: [Bay],
    root: { inputErrorsStatus: 200 },
    endpoints: [
      new Schema({ url: 'schema', schemaConfiguration: licensed, wholeApplication: true }),
      ...bays,
      new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: bays }),
    ],
  },
  once,
);

contract('Records are known where input errors have the status code of a success', async ({ url }) => {
  const client = new EndpointsClient(url);
  for (const [name, key] of [
    ['bays', 'number'],
    ['made-bays', 'number'],
    ['changed-bays', 'number'],
    ['title/bays', 'Number'],
    ['title/made-bays', 'Number'],
    ['title/changed-bays', 'Number'],
  ] as const) {
    const { resource } = await client.records(name);
    expect([name, resource.key, resource.columns.get(key)?.isReadable]).toEqual([name, key, true]);
  }
  const made = await client.records('made-bays');
  const { record } = await made.create({ own_id: 1, number: 5, name: 'A' });
  expect(record).toEqual({ id: 5, number: 5, name: 'A' });
  const changed = await client.records('changed-bays');
  expect((await changed.update(5, { ...record, name: 'B' })).record).toEqual({ ...record, name: 'B' });
  const refused = await refusal(changed.update(5, { name: '' }));
  expect([refused.status, [...refused.inputErrors.keys()]]).toEqual([200, ['name']]);
  await made.delete(5);
});
