import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  AfterColumn,
  BeforeColumn,
  Callable,
  defineColumns,
  EmailColumn,
  InTheFuture,
  InThePast,
  MaximumValue,
  MinimumLength,
  MinimumValue,
  PlainAnswers,
  PhoneColumn,
  RestfulApi,
} from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { z } from 'zod';
import { once, service } from '../support/contract.js';
import { operationAt, type Part } from '../support/documents.js';

const Voyage = defineEntity({
  name: 'Voyage',
  properties: {
    id: p.integer().primary().autoincrement(),
    ship: p.string().length(60),
    call: p.string().length(4).nullable(),
    crew: p.integer(),
    depth: p.integer(),
    price: p.decimal().precision(10).scale(2),
    weight: p.double(),
    miles: p.bigint(),
    isDry: p.boolean(),
    kind: p.enum(['cargo', 'ferry']),
    mark: p.uuid(),
    notes: p.json().nullable(),
    stops: p.array().nullable(),
    mail: p.string().length(100),
    phone: p.string().length(30),
    builtOn: p.date(),
    leavesOn: p.date(),
    arrivesOn: p.date(),
    bookedAt: p.datetime(),
    least: p.integer(),
    most: p.integer(),
  },
});

defineColumns(Voyage, {
  ship: { validators: [new MinimumLength(6)] },
  crew: { validators: [new MinimumValue(7), new MaximumValue(9)] },
  depth: { validators: [new MaximumValue(-5)] },
  mail: { type: new EmailColumn() },
  phone: { type: new PhoneColumn() },
  builtOn: { validators: [new InThePast()] },
  leavesOn: { validators: [new InTheFuture()] },
  arrivesOn: { validators: [new AfterColumn('leavesOn')] },
  bookedAt: { validators: [new InThePast()] },
  least: { validators: [new BeforeColumn('most')] },
});

const columns = [
  ...([
    'ship',
    'call',
    'crew',
    'depth',
    'price',
    'weight',
    'miles',
    'isDry',
    'kind',
    'mark',
    'notes',
    'stops',
  ] as const),
  ...(['mail', 'phone', 'builtOn', 'leavesOn', 'arrivesOn', 'bookedAt', 'least', 'most'] as const),
] as const;

const voyages = {
  modelClass: Voyage,
  readableColumnNames: ['id', ...columns],
  writeableColumnNames: columns,
  sortableColumnNames: ['id', 'ship'],
  searchableColumnNames: ['ship', 'crew'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Voyage],
    endpoints: [
      new AdvancedSearch({ ...voyages, url: 'voyages/search' }),
      new RestfulApi({ ...voyages, url: 'voyages' }),
      new RestfulApi({ ...voyages, url: 'plain', answers: new PlainAnswers() }),
      new Callable({
        url: 'booked',
        requestMethods: ['POST'],
        inputSchema: z.strictObject({
          seats: z.int().min(2).max(5),
          name: z.string().min(3),
          on: z.iso.date(),
        }),
        toCall: ({ requestData: { seats } }) => seats,
      }),
      new Callable({
        url: 'written',
        requestMethods: ['POST'],
        modelClass: Voyage,
        writeableColumnNames: columns,
        toCall: () => 'read',
      }),
      new Callable({
        url: 'asked',
        querySchema: z.strictObject({ seats: z.coerce.number().optional() }),
        toCall: () => 'read',
      }),
    ],
  },
  once,
);

contract('The example of a request body is one that its endpoint accepts', async ({ app, request }) => {
  const document = openApiDocument(app);
  const exampleAt = (method: string, path: string): Part =>
    operationAt(document, method, path).requestBody?.content['application/json'].example;
  const created = exampleAt('post', '/voyages');
  expect(Object.keys(created as object)).toHaveLength(columns.length);
  const { status, body } = await request().post('/voyages').send(created);
  expect([status, body.input_errors]).toEqual([201, {}]);
  const { id } = body.data as { id: number };
  const changed = await request()
    .patch(`/voyages/${String(id)}`)
    .send(exampleAt('patch', '/voyages/{id}'));
  expect([changed.status, changed.body.input_errors]).toEqual([200, {}]);
  for (const [path, expected] of [
    ['/voyages/search', 200],
    ['/plain', 201],
    ['/booked', 200],
    ['/written', 200],
  ] as const)
    expect([path, (await request().post(path).send(exampleAt('post', path))).status]).toEqual([
      path,
      expected,
    ]);
});

contract('The example of a refused value names a column of the operation itself', ({ app }) => {
  const document = openApiDocument(app);
  const refused = (method: string, path: string, type = 'application/json'): Part =>
    (operationAt(document, method, path).responses['400'] as Part).content[type].examples.input_errors.value;
  expect(refused('post', '/voyages').input_errors).toEqual({ ship: "'ship' is required." });
  expect(refused('post', '/plain', 'application/problem+json').errors).toEqual({
    '/ship': "'ship' is required.",
  });
  expect(refused('get', '/voyages').input_errors).toEqual({ crew: 'value should be an integer' });
  expect(refused('post', '/booked').input_errors).toEqual({ seats: "'seats' is required." });
  expect(refused('get', '/asked').input_errors).toEqual({ seats: 'value should be a number' });
});
