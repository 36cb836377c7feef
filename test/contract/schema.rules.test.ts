import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, MaximumValue, MinimumValue, PhoneColumn, RestfulApi } from '@nest-endpoints/core';
import { openApiDocument, type OpenApiDocument } from '@nest-endpoints/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { once, service, type Subject } from '../support/contract.js';
import { bodyIn, operationAt, schemaIn, type Part } from '../support/documents.js';

const Crate = defineEntity({
  name: 'Crate',
  properties: {
    code: p.string().length(4).primary(),
    title: p.string().length(20),
    price: p.decimal('string').precision(5).scale(2).nullable(),
    weight: p.decimal('string').precision(5).scale(2).nullable(),
    share: p.decimal('string').precision(3).scale(3).nullable(),
    serial: p.bigint('string').nullable(),
    phone: p.string().nullable(),
    facts: p.json<unknown>(),
    shelves: () => p.oneToMany(Shelf).mappedBy('crate'),
  },
});
const Shelf = defineEntity({
  name: 'Shelf',
  properties: {
    id: p.integer().primary().autoincrement(),
    label: p.string(),
    crate: () => p.manyToOne(Crate).nullable(),
  },
});
defineColumns(Crate, {
  phone: { type: new PhoneColumn() },
  weight: { validators: [new MinimumValue(0), new MaximumValue(2000)] },
});

const written = ['title', 'price', 'weight', 'share', 'serial', 'phone', 'facts'] as const;
const { contract } = service(
  {
    entities: [Crate, Shelf],
    endpoints: [
      new RestfulApi({
        url: 'crates',
        modelClass: Crate,
        readableColumnNames: ['code', ...written],
        writeableColumnNames: ['code', ...written],
        searchableColumnNames: ['code', 'price', 'phone'],
        sortableColumnNames: ['code'],
        defaultSortColumnName: 'code',
        upsert: true,
        bulk: true,
        bulkUrl: '~bulk',
        byConditions: true,
        aggregate: { url: '~aggregate', groupableColumnNames: ['title'] },
        facets: { url: '~facets', facetColumnNames: ['title'] },
        writeableRelations: { shelves: { through: 'shelves' } },
      }),
      new RestfulApi({
        url: 'shelves',
        modelClass: Shelf,
        readableColumnNames: ['id', 'label'],
        writeableColumnNames: ['label'],
        searchableColumnNames: ['id'],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  once,
);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const fits = (schema: Part, value: unknown): boolean => ajv.validate(schema, value);

/** The schema of a column in the body of a Create. */
const columnOf = (document: OpenApiDocument, name: string): Part =>
  bodyIn(document, operationAt(document, 'post', '/crates')).properties[name];

const parameterOf = (document: OpenApiDocument, method: string, path: string, name: string): Part =>
  operationAt(document, method, path).parameters.find((one) => one.name === name)?.schema;

/** Whether the service takes each value in a column of a new record. */
const taken = async ({ request }: Subject, name: string, values: readonly unknown[]): Promise<boolean[]> => {
  const outcomes: boolean[] = [];
  for (const [index, value] of values.entries()) {
    const body = { code: `${index}`, title: 'Pears', facts: 1, [name]: value };
    outcomes.push((await request().post('/crates').send(body)).status === 201);
  }
  return outcomes;
};

const columns: Readonly<Record<string, readonly unknown[]>> = {
  price: ['999.99', '1000', '-01000.5', '0000.999', 999.994, 999.995, -999.995, 1e300],
  weight: [-0.01, 0, 999.994, 999.995],
  share: ['0.5', '1.5', 0.9994, 0.9995, -1],
  serial: ['5', 9_007_199_254_740_991, 9_007_199_254_740_992],
  phone: ['+31 (0)20 123 45 67', '..-.', '+', '123456', '1234567 ', '1234567890123456', '( 1234567'],
  title: ['a', ' ', ' a', '\t\n'],
  facts: [0, null, ' ', {}, [null], false],
};

for (const [name, values] of Object.entries(columns))
  contract(`A document allows of a column what the service takes: ${name}`, async (subject) => {
    const schema = columnOf(openApiDocument(subject.app), name);
    expect(values.map((value) => fits(schema, value))).toEqual(await taken(subject, name, values));
  });

contract('A document tells one bound on each side', ({ app }) => {
  const { anyOf } = columnOf(openApiDocument(app), 'weight');
  const [number] = (anyOf as readonly Part[]).filter(({ type }) => type === 'number');
  expect(number).toEqual({ type: 'number', minimum: 0, exclusiveMaximum: 999.995 });
});

contract('A document allows as a search term what a search takes', async ({ app, request }) => {
  const document = openApiDocument(app);
  for (const [name, values] of Object.entries({ price: ['5', '1000'], phone: ['020-1234567', '1-2'] })) {
    const schema = parameterOf(document, 'get', '/crates', name);
    for (const value of values) {
      const { status } = await request()
        .get('/crates')
        .query({ [name]: value });
      expect([value, fits(schema, value)]).toEqual([value, status === 200]);
    }
  }
});

contract('A key in the path of an Upsert has the rules of its column in documents', async (subject) => {
  const schema = parameterOf(openApiDocument(subject.app), 'put', '/crates/{code}', 'code');
  for (const code of ['a', ' ', 'abcde']) {
    const { status } = await subject
      .request()
      .put(`/crates/${encodeURIComponent(code)}`)
      .send({ title: 'Pears', facts: 1 });
    expect([code, fits(schema, code)]).toEqual([code, status === 201]);
  }
});

contract('Conditions that name records are at least one, in documents, too', async ({ app, request }) => {
  const document = openApiDocument(app);
  const { oneOf } = bodyIn(document, operationAt(document, 'delete', '/crates/~bulk'));
  expect(oneOf[2].properties.where).toMatchObject({ minItems: 1 });
  const { status } = await request().delete('/crates/~bulk').send({ where: [], maximum: 1 });
  expect(status).toBe(400);
});

contract(
  'What an Update says of related records is something, in documents, too',
  async ({ app, request }) => {
    const document = openApiDocument(app);
    const { properties } = bodyIn(document, operationAt(document, 'patch', '/crates/{code}'));
    expect(schemaIn(document, properties.shelves)).toMatchObject({ minProperties: 1 });
    await request().post('/crates').send({ code: 'a', title: 'Pears', facts: 1 });
    expect((await request().patch('/crates/a').send({ shelves: {} })).status).toBe(400);
  },
);

contract('Lists in a query string have an entry, in documents, too', async ({ app, request }) => {
  const document = openApiDocument(app);
  for (const [path, name] of [
    ['/crates/~aggregate', 'group_by'],
    ['/crates/~aggregate', 'measure'],
    ['/crates/~facets', 'facets'],
  ] as const) {
    expect(parameterOf(document, 'get', path, name)).toMatchObject({ minItems: 1 });
    expect((await request().get(`${path}?${name}=`)).status).toBe(400);
  }
});
