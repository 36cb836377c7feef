import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Batch, EndpointGroup, IdempotencyRecord, PlainAnswers, RestfulApi } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { bodyIn, documented, operationAt } from '../support/documents.js';

const Crew = defineEntity({
  name: 'Crew',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    version: p.integer().version(),
    updated: p
      .datetime(3)
      .onCreate(() => new Date(0))
      .onUpdate(() => new Date(5000)),
    lead: () => p.oneToOne(Sailor).mappedBy('leads').nullable(),
    sailors: () => p.oneToMany(Sailor).mappedBy('crew'),
    ports: () => p.manyToMany(Port),
  },
});

const Port = defineEntity({
  name: 'Port',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

const Sailor = defineEntity({
  name: 'Sailor',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    firstShip: p.string().nullable(),
    crew: () => p.manyToOne(Crew).nullable(),
    leads: () => p.oneToOne(Crew).owner().nullable(),
    knots: () => p.oneToMany(Knot).mappedBy('sailor'),
  },
});

const Knot = defineEntity({
  name: 'Knot',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    sailor: () => p.manyToOne(Sailor),
    loops: () => p.oneToMany(Loop).mappedBy('knot'),
  },
});

const Loop = defineEntity({
  name: 'Loop',
  properties: { id: p.integer().primary().autoincrement(), size: p.integer(), knot: () => p.manyToOne(Knot) },
});

const crews = {
  modelClass: Crew,
  writeableColumnNames: ['name'],
  readableColumnNames: ['id', 'name', 'version', 'updated', 'lead.name'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  maximumDepth: 3,
  writeableRelations: {
    lead: { writeableColumnNames: ['name'], operations: ['create', 'update', 'delete'] },
    ports: { writeableColumnNames: ['name'], operations: ['create', 'link', 'unlink'], replace: true },
    sailors: {
      writeableColumnNames: ['name', 'firstShip'],
      maximum: 1000,
      replace: true,
      writeableRelations: {
        knots: {
          writeableColumnNames: ['name'],
          writeableRelations: { loops: { writeableColumnNames: ['size'] } },
        },
      },
    },
  },
} as const;

const { contract } = service(
  {
    entities: [Crew, Port, Sailor, Knot, Loop, IdempotencyRecord],
    endpoints: [
      documented([
        new EndpointGroup({
          endpoints: [
            new Batch({ url: 'batch' }),
            new RestfulApi({ ...crews, url: 'crews', idempotency: true }),
            new RestfulApi({ ...crews, url: 'titled', externalCasing: 'TitleCase' }),
            new RestfulApi({ ...crews, url: 'plain', answers: new PlainAnswers() }),
          ],
        }),
      ]),
    ],
  },
  once,
);

const crew = {
  name: 'Pequod',
  lead: { create: { name: 'Ahab' } },
  sailors: [{ name: 'Ishmael', first_ship: 'x', knots: [{ name: 'bowline', loops: [{ size: 1 }] }] }],
};

contract('Three levels are written, and a single record that has the key of its own', async (subject) => {
  const { request, count } = subject;
  const { body, status } = await request().post('/crews').send(crew);
  expect([status, body.data.lead]).toEqual([201, { name: 'Ahab' }]);
  expect([await count(Sailor), await count(Knot), await count(Loop)]).toEqual([2, 1, 1]);
  const path = `/crews/${body.data.id}`;
  const changed = await request()
    .patch(path)
    .send({ lead: { update: { name: 'Starbuck' } } });
  expect(changed.body.data).toMatchObject({
    version: 2,
    updated: '1970-01-01T00:00:05+00:00',
    lead: { name: 'Starbuck' },
  });
  expectAnswer(
    await request()
      .patch(path)
      .send({ lead: { update: { name: 'A' }, delete: true } }),
    400,
    inputErrors({ lead: 'value should have one of: create, update, delete' }),
  );
  expectAnswer(
    await request()
      .patch(path)
      .send({ lead: { delete: 7 } }),
    400,
    inputErrors({ 'lead.delete': 'value should be true' }),
  );
  const gone = await request()
    .patch(path)
    .send({ lead: { delete: true } });
  expect(gone.body.data).toMatchObject({ version: 3, lead: null });
  expectAnswer(
    await request()
      .patch(path)
      .send({ lead: { delete: true } }),
    400,
    inputErrors({ 'lead.delete': 'the given record does not exist' }),
  );
});

contract('A fourth level and too many records are input errors', async ({ request, count }) => {
  const send = (sailors: unknown) => request().post('/crews').send({ name: 'A', sailors });
  const deep = [{ name: 'B', knots: [{ name: 'C', loops: [{ size: 1, turns: [{}] }] }] }];
  expectAnswer(
    await send(deep),
    400,
    inputErrors({
      'sailors.0.knots.0.loops.0.turns': 'Input column turns is not an allowed input column.',
    }),
  );
  const all = Array.from({ length: 1000 }, (_, index) => ({ name: `s${index}` }));
  expectAnswer(
    await send([...all, { name: 'one more' }]),
    400,
    inputErrors({ sailors: 'value must not have more than 1000 records' }),
  );
  const [first = { name: '' }, ...others] = all;
  expectAnswer(
    await send([{ ...first, knots: [{ name: 'k' }] }, ...others]),
    400,
    inputErrors({ 'sailors.0.knots': 'a request must not have more than 1000 related records' }),
  );
  const bad = await send(all.map(() => ({ name: 7 })));
  expect(Object.keys(bad.body.input_errors)).toHaveLength(100);
  expect(await count(Crew)).toBe(0);
});

contract(
  'Names of related records are cased like all others, in bodies and in places',
  async ({ request }) => {
    const sent = { Name: 'A', Sailors: [{ Name: 'B', FirstShip: 'x' }] };
    const { status, body } = await request().post('/titled').send(sent);
    expect(status).toBe(201);
    const path = `/titled/${body.Data.Id}`;
    const bad = { Sailors: { Create: [{ Name: 'C', FirstShip: 1 }] } };
    const refused = await request().patch(path).send(bad);
    expect(refused.body.InputErrors).toEqual({ 'Sailors.Create.0.FirstShip': 'value should be a string' });
    const problem = await request()
      .post('/plain')
      .send({ name: 'A', sailors: [{ name: 1 }] });
    expect(problem.body.errors).toEqual({ '/sailors/0/name': 'value should be a string' });
  },
);

contract('Related records are written once under an Idempotency-Key, and in a Batch', async (subject) => {
  const { request, count } = subject;
  const send = () => request().post('/crews').set('Idempotency-Key', 'k').send(crew);
  const first = await send();
  const again = await send();
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(await count(Sailor)).toBe(2);
  const bad = await request()
    .post('/crews')
    .set('Idempotency-Key', 'b')
    .send({ ...crew, sailors: [{ name: 1 }] });
  expect(bad.status).toBe(400);
  const operations = [
    { method: 'POST', path: '/crews', body: crew, as: 'crew' },
    { method: 'PATCH', path: '/crews/{crew.id}', body: { sailors: { create: [{ name: 'Queequeg' }] } } },
  ];
  const batch = await request().post('/batch').send({ operations });
  expect([batch.status, batch.body.error]).toEqual([200, '']);
  expect(await count(Sailor)).toBe(5);
  const undone = [...operations, { method: 'PATCH', path: '/crews/999', body: {} }];
  expect((await request().post('/batch').send({ operations: undone })).status).toBe(404);
  expect([await count(Crew), await count(Sailor)]).toEqual([2, 5]);
});

contract('Documents show what bodies may have of related records', ({ app }) => {
  const document = openApiDocument(app);
  const created = bodyIn(document, operationAt(document, 'post', '/crews'));
  expect(created.properties).toMatchObject({
    lead: { properties: { create: { properties: { name: { type: 'string' } }, required: ['name'] } } },
    sailors: {
      type: 'array',
      maxItems: 1000,
      items: { properties: { first_ship: {}, knots: { items: { properties: { loops: {} } } } } },
    },
  });
  const changed = bodyIn(document, operationAt(document, 'patch', '/crews/{id}'));
  const [linking, ports] = changed.properties.ports.anyOf;
  expect(Object.keys(linking.properties)).toEqual(['create', 'link', 'unlink']);
  expect(linking.properties.link).toMatchObject({ type: 'array', items: { type: 'integer' } });
  // An entry of the list is new, or one that is there and stays as it is.
  expect(ports.items.anyOf).toMatchObject([
    { properties: { name: { type: 'string' } }, required: ['name'] },
    { properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false },
  ]);
  expect(changed.properties.lead).toMatchObject({
    maxProperties: 1,
    properties: { update: {}, delete: { enum: [true] } },
  });
  const [operations, list] = changed.properties.sailors.anyOf;
  expect(Object.keys(operations.properties)).toEqual(['create', 'update', 'delete']);
  expect(operations.properties.update.items).toMatchObject({
    properties: { id: { type: 'integer' }, if_match: { type: 'string' } },
    required: ['id'],
  });
  expect(operations.properties.delete.items).toMatchObject({ type: 'integer' });
  expect(list).toMatchObject({ type: 'array', maxItems: 1000 });
});
