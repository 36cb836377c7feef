import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  defineColumns,
  Get,
  List,
  RestfulApi,
  SimpleSearch,
  StringColumn,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, inputErrors, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';

/** An entity with a value that its endpoint lets nobody give. */
const Label = defineEntity({
  name: 'Label',
  properties: { id: p.integer().primary().autoincrement(), text: p.string(), owner: p.string() },
});

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    label: () => p.manyToOne(Label),
  },
});

/** Metadata says nothing of what an `inet` may be. */
const Host = defineEntity({
  name: 'Host',
  properties: {
    id: p.integer().primary().autoincrement(),
    address: p.string().columnType('inet').unique(),
    name: p.string().unique(),
  },
});

// The service's own word that it is a text.
defineColumns(Host, { address: { type: new StringColumn() } });

const shown = { modelClass: Host, readableColumnNames: ['address', 'name'] } as const;

const { contract } = service(
  {
    entities: [Host, Label, Note],
    endpoints: [
      new RestfulApi({
        ...shown,
        url: 'hosts',
        idColumnName: 'address',
        writeableColumnNames: ['address', 'name'],
        sortableColumnNames: ['name'],
        searchableColumnNames: ['address'],
        defaultSortColumnName: 'name',
      }),
      new List({
        ...shown,
        url: 'broken',
        sortableColumnNames: ['name'],
        defaultSortColumnName: 'name',
        where: ['address = nowhere'],
      }),
      new List({
        ...shown,
        url: 'at/:address/hosts',
        sortableColumnNames: ['name'],
        defaultSortColumnName: 'name',
        where: [({ query, routingData }) => query.andWhere({ address: String(routingData['address']) })],
      }),
      new SimpleSearch({
        ...shown,
        url: 'keyed/:key/hosts',
        sortableColumnNames: ['name'],
        searchableColumnNames: ['name'],
        defaultSortColumnName: 'name',
        where: [({ routingData }) => ({ id: routingData['key'] }) as never],
      }),
      new Get({
        ...shown,
        url: 'keyed/:key/hosts/:name',
        recordLookupColumnName: 'name',
        where: [({ routingData }) => ({ id: routingData['key'] }) as never],
      }),
      new List({
        ...shown,
        url: 'headed',
        sortableColumnNames: ['name'],
        defaultSortColumnName: 'name',
        where: [() => ({ id: 'x' }) as never],
      }),
      new Create({
        url: 'labels',
        modelClass: Label,
        readableColumnNames: ['text'],
        writeableColumnNames: ['text'],
      }),
      new Create({
        url: 'notes',
        modelClass: Note,
        readableColumnNames: ['text'],
        writeableColumnNames: ['text'],
      }),
    ],
  },
  postgresqlOnly,
);

contract(
  'A look-up by a value that only the database refuses finds nothing',
  async ({ request, save, log }) => {
    await save(Host, { address: '10.0.0.1', name: 'first' });
    const found = success({ address: '10.0.0.1', name: 'first' });
    expectAnswer(await request().get('/hosts/10.0.0.1'), 200, found);
    expectAnswer(await request().get('/hosts/secret'), 404, clientError('Not Found'));
    expectAnswer(await request().patch('/hosts/secret').send({ name: 'x' }), 404, clientError('Not Found'));
    expectAnswer(await request().delete('/hosts/secret'), 404, clientError('Not Found'));
    expect(log.text('warn')).toContain('SQLSTATE 22P02');
    expect(log.text()).not.toContain('"secret"');
  },
);

contract(
  'A search for a value that only the database refuses is a 400 without SQL',
  async ({ request, log }) => {
    const { status, body } = await request().get('/hosts?address=10.0.0.1');
    expect([status, body.data]).toEqual([200, []]);
    const answer = await request().get('/hosts?address=secret');
    expectAnswer(answer, 400, clientError('The database refuses a value of the search'));
    expect(log.text('warn')).toContain('SQLSTATE 22P02');
  },
);

contract(
  'A value of a write that only the database refuses is input_errors on its column',
  async ({ request }) => {
    const answer = await request().post('/hosts').send({ address: 'secret', name: 'x' });
    expectAnswer(answer, 400, inputErrors({ address: 'value is refused by a rule of the database' }));
  },
);

contract('A value of the configuration that the database refuses is a 500', async ({ request, log }) => {
  expectAnswer(await request().get('/broken'), 500, failure('Internal Server Error'));
  expect(log.text('error')).toContain('SQLSTATE 22P02');
});

contract(
  'A path parameter that a where function uses finds nothing where the database refuses it',
  async ({ request, save }) => {
    const { id } = await save(Host, { address: '10.0.0.1', name: 'first' });
    const none = clientError('Not Found');
    for (const path of [
      '/at/secret/hosts',
      '/keyed/x/hosts',
      '/keyed/x/hosts?name=first',
      '/keyed/x/hosts/first',
    ])
      expectAnswer(await request().get(path), 404, none);
    expectAnswer(await request().get('/keyed/99999999999999999999/hosts'), 404, none);
    for (const path of ['/at/10.0.0.1/hosts', `/keyed/${id}/hosts`, `/keyed/${id}/hosts?name=first`])
      expect([path, (await request().get(path)).body.data]).toEqual([
        path,
        [{ address: '10.0.0.1', name: 'first' }],
      ]);
    expectAnswer(
      await request().get(`/keyed/${id}/hosts/first`),
      200,
      success({ address: '10.0.0.1', name: 'first' }),
    );
    // Without a path parameter it is the function's own mistake.
    expectAnswer(await request().get('/headed'), 500, failure('Internal Server Error'));
  },
);

contract('A Create that can give a required property no value is warned of at the start', ({ startLog }) => {
  const told = startLog.split('\n').filter((line) => line.includes('can store nothing'));
  expect(told).toEqual([
    "warn Create 'labels' can store nothing: 'owner' must have a value, and nothing gives it one; name it in writeableColumnNames, or give it a default or an onCreate Endpoints",
    // As it is written, and not as the entity has it.
    "warn Create 'notes' can store nothing: 'label_id' must have a value, and nothing gives it one; name it in writeableColumnNames, or give it a default or an onCreate Endpoints",
  ]);
});

contract('The log names a property that nothing gives a value', async ({ request, log }) => {
  const answer = await request().post('/labels').send({ text: 'secret' });
  expectAnswer(answer, 500, failure('Internal Server Error'));
  expect(log.text('error')).toContain('Label.owner must have a value, and nothing gives it one');
  expect(log.text()).not.toContain('secret');
});
