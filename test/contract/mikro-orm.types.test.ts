import { expect, test } from '@jest/globals';
import { Type, defineEntity, p } from '@mikro-orm/core';
import { Callable, Create, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { everyDatabase, service } from '../support/contract.js';
import type { Subject } from '../support/contract.js';

const reversed = (text: string | null): string | null => text && Array.from(text).reverse().join('');

/** Stored backwards by JavaScript. */
class Backwards extends Type<string | null, string | null> {
  override convertToDatabaseValue(value: string | null): string | null {
    return reversed(value);
  }

  override convertToJSValue(value: string | null): string | null {
    return reversed(value);
  }

  override getColumnType(): string {
    return 'varchar(20)';
  }
}

/** Stored behind a mark by the database. */
class MarkedInSql extends Type<string, string> {
  override convertToDatabaseValueSQL(key: string): string {
    return `concat('~', ${key})`;
  }

  override convertToJSValueSQL(key: string): string {
    return `substr(${key}, 2)`;
  }

  override getColumnType(): string {
    return 'varchar(20)';
  }
}

const Address = defineEntity({
  name: 'Address',
  embeddable: true,
  properties: { streetName: p.string(), city: p.string().nullable() },
});

const Firm = defineEntity({
  name: 'Firm',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    nameLength: p.integer().formula((columns) => `length(${columns['name']})`),
    lengthExactly: p.bigint('string').formula((columns) => `length(${columns['name']})`),
    half: p.decimal('string').formula((columns) => `length(${columns['name']}) * 0.5`),
    code: p.type(Backwards).nullable().unique(),
    token: p.type(MarkedInSql).nullable(),
    address: () => p.embedded(Address).nullable(),
    billing: () => p.embedded(Address).object().nullable(),
    parent: () => p.manyToOne(Firm).nullable(),
  },
});

const { contract } = service(
  {
    entities: [Address, Firm],
    endpoints: [
      new RestfulApi({
        url: 'codes',
        modelClass: Firm,
        idColumnName: 'code',
        readableColumnNames: ['name', 'code'],
        writeableColumnNames: ['name'],
        sortableColumnNames: ['code'],
        searchableColumnNames: ['code'],
        defaultSortColumnName: 'code',
      }),
      new RestfulApi({
        url: 'firms',
        modelClass: Firm,
        readableColumnNames: [
          'name',
          'nameLength',
          'code',
          'token',
          'address.streetName',
          'address.city',
          'billing',
          'parent.nameLength',
          'parent.code',
        ],
        writeableColumnNames: ['name', 'code', 'token', 'parentId'],
        sortableColumnNames: ['name', 'nameLength', 'address.streetName', 'parent.nameLength'],
        searchableColumnNames: [
          'name',
          'nameLength',
          'lengthExactly',
          'half',
          'code',
          'token',
          'address.city',
          'parent.code',
          'parent.nameLength',
        ],
        defaultSortColumnName: 'name',
      }),
      new Callable({
        url: 'returned',
        modelClass: Firm,
        readableColumnNames: ['name', 'address.streetName', 'address.city'],
        returnRecords: true,
        toCall: ({ em }) => em.find(Firm, {}, { orderBy: { name: 'asc' } }),
      }),
    ],
  },
  everyDatabase,
);

const namesOf = ({ body }: { body: { data: { name: string }[] } }): string =>
  body.data.map(({ name }) => name).join(' ');

const columns = {
  address: { streetName: 'Main Street 1', city: 'Bath' },
  billing: { streetName: 'Box 7', city: null },
};

/** What the table holds, unconverted. */
const stored = ({ em }: Subject) =>
  em().getConnection().execute('select code, token, address_street_name from firm order by name');

contract('Embedded values of a returned instance are shown as a list shows them', async (subject) => {
  const { request, save } = subject;
  await save(Firm, { name: 'Smith', ...columns });
  await save(Firm, { name: 'Wright' });
  const listed = await request().get('/firms');
  const shown = (listed.body.data as Record<string, unknown>[]).map(({ name, address }) => ({
    name,
    address,
  }));
  expect(shown[0]).toMatchObject({ address: { street_name: 'Main Street 1', city: 'Bath' } });
  expectAnswer(await request().get('/returned'), 200, success(shown));
});

contract('A formula is shown after a Create and an Update', async ({ request, em }) => {
  const created = await request().post('/firms').send({ name: 'Smith' });
  expect(created.body.data.name_length).toBe(5);
  const { id } = await em().findOneOrFail(Firm, { name: 'Smith' });
  const updated = await request().patch(`/firms/${id}`).send({ name: 'Smithers' });
  expect(updated.body.data.name_length).toBe(8);
});

contract('A formula is sorted and searched by', async ({ request, save }) => {
  for (const name of ['Cu', 'Bell', 'Abc', 'D']) await save(Firm, { name });
  expect(namesOf(await request().get('/firms?sort=name_length'))).toBe('D Cu Abc Bell');
  expect(namesOf(await request().get('/firms?name_length=3'))).toBe('Abc');
});

contract('A formula of an exact number is searched by', async ({ request, save }) => {
  for (const name of ['Bell', 'Abc']) await save(Firm, { name });
  expect(namesOf(await request().get('/firms?length_exactly=3'))).toBe('Abc');
  expect(namesOf(await request().get('/firms?half=1.50'))).toBe('Abc');
});

contract("A parent's formula is shown, sorted and searched by", async ({ request, save }) => {
  const parents = [await save(Firm, { name: 'Parent' }), await save(Firm, { name: 'P' })];
  for (const [index, parent] of parents.entries()) await save(Firm, { name: `Child${index}`, parent });
  const { body } = await request().get('/firms?parent.name_length=6');
  expect(body.data).toMatchObject([{ name: 'Child0', parent: { name_length: 6 } }]);
  expect(namesOf(await request().get('/firms?sort=parent.name_length&limit=2'))).toBe('Child1 Child0');
});

contract('A custom type converts on Create, Update and in the answer', async (subject) => {
  const { request, em } = subject;
  const created = await request().post('/firms').send({ name: 'A', code: 'abc', token: 'xyz' });
  expect(created.body.data).toMatchObject({ code: 'abc', token: 'xyz' });
  expect(await stored(subject)).toMatchObject([{ code: 'cba', token: '~xyz' }]);
  const { id } = await em().findOneOrFail(Firm, { name: 'A' });
  const updated = await request().patch(`/firms/${id}`).send({ code: 'def', token: 'uvw' });
  expect(updated.body.data).toMatchObject({ code: 'def', token: 'uvw' });
  expect(await stored(subject)).toMatchObject([{ code: 'fed', token: '~uvw' }]);
});

contract('A custom type is searched by the values it shows', async ({ request, save }) => {
  const parent = await save(Firm, { name: 'A', code: 'abc', token: 'xyz' });
  await save(Firm, { name: 'B', code: 'cba', token: 'zyx', parent });
  expect(namesOf(await request().get('/firms?code=abc'))).toBe('A');
  expect(namesOf(await request().get('/firms?token=xyz'))).toBe('A');
  expect(namesOf(await request().get('/firms').send({ 'parent.code': 'abc' }))).toBe('B');
});

contract('A custom type is looked up by the values it shows', async ({ request, save }) => {
  await save(Firm, { name: 'A', code: 'abc' });
  expectAnswer(await request().get('/codes/abc'), 200, success({ name: 'A', code: 'abc' }));
  expectAnswer(await request().get('/codes/cba'), 404, notFound);
  const updated = await request().patch('/codes/abc').send({ name: 'B' });
  expectAnswer(updated, 200, success({ name: 'B', code: 'abc' }));
  expectAnswer(await request().delete('/codes/abc'), 200, success({}));
});

contract('A custom type is Unique by the values it shows', async ({ request, save }) => {
  await save(Firm, { name: 'A', code: 'abc' });
  const code = "Invalid value for 'code': the given value already exists, and must be unique.";
  expectAnswer(await request().post('/firms').send({ name: 'B', code: 'abc' }), 400, inputErrors({ code }));
  expect((await request().post('/firms').send({ name: 'B', code: 'cba' })).status).toBe(201);
});

contract('Columns of an embeddable are shown, sorted and searched by', async ({ request, save }) => {
  await save(Firm, { name: 'B', ...columns });
  await save(Firm, { name: 'A', address: { streetName: 'Old Street 2', city: 'York' } });
  expect(namesOf(await request().get('/firms?sort=address.street_name'))).toBe('B A');
  const { body } = await request().get('/firms?address.city=Bath');
  expect(namesOf({ body })).toBe('B');
  expect(body.data[0].address).toEqual({ street_name: 'Main Street 1', city: 'Bath' });
});

contract('A write leaves the columns of an embeddable alone', async ({ request, save, em }) => {
  const { id } = await save(Firm, { name: 'B', ...columns });
  expect((await request().patch(`/firms/${id}`).send({ name: 'C' })).status).toBe(200);
  expect(await em().findAll(Firm)).toMatchObject([{ name: 'C', ...columns }]);
});

contract('A record without its nullable embeddable is read and written', async ({ request, save, em }) => {
  const { id } = await save(Firm, { name: 'B' });
  expect((await request().patch(`/firms/${id}`).send({ name: 'C' })).body.data).toMatchObject({
    billing: null,
  });
  expect(await em().findAll(Firm)).toMatchObject([{ name: 'C', address: null }]);
});

contract('An embeddable that is stored as JSON is read as it is stored', async ({ request, save }) => {
  await save(Firm, { name: 'B', ...columns });
  const { body } = await request().get('/firms?name=B');
  expect(body.data[0].billing).toEqual({ street_name: 'Box 7', city: null });
});

test('A column of an embeddable as writeable stops the start', async () => {
  const create = () =>
    new Create({
      modelClass: Firm,
      readableColumnNames: ['name'],
      writeableColumnNames: ['name', 'billing'],
    });
  expect(await startUpError({ entities: [Address, Firm], endpoints: [create()] })).toMatch(
    /writeableColumnNames.*'billing'.*embeddable/s,
  );
});
