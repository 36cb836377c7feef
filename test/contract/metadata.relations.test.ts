import { expect } from '@jest/globals';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Create, Update, defineColumns } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { Author, Book, Country, library } from '../support/entities/library.js';

const Person = defineEntity({
  name: 'Person',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    birthName: p.string().nullable(),
  },
});

/** One for each person; every person may be asked for it. */
const Passport = defineEntity({
  name: 'Passport',
  properties: {
    number: p.string().length(9).primary(),
    person: () => p.oneToOne(Person).owner(),
    witness: () => p.manyToOne(Person).nullable(),
    issuer: () => p.manyToOne(Country).mapToPk().nullable(),
  },
});
type Passport = InferEntity<typeof Passport>;

defineColumns(Passport, { witness: { readableParentColumnNames: ['name', 'birthName'] } });

const passports = {
  modelClass: Passport,
  readableColumnNames: ['number', 'personId', 'person.name', 'issuer'],
  writeableColumnNames: ['number', 'personId', 'witnessId', 'issuer'],
} as const;

const titles = { modelClass: Book, externalCasing: 'camelCase' } as const;

const { contract } = service(
  {
    entities: [...library, Person, Passport],
    endpoints: [
      new Create({
        ...titles,
        url: 'camel',
        readableColumnNames: ['authorId'],
        writeableColumnNames: ['title', 'authorId'],
      }),
      new Create({
        modelClass: Book,
        internalCasing: 'snake_case',
        url: 'snake',
        readableColumnNames: ['author_id'],
        writeableColumnNames: ['title', 'author_id'],
      }),
      new Create({
        ...titles,
        internalCasing: 'TitleCase',
        url: 'title',
        readableColumnNames: ['authorId'],
        writeableColumnNames: ['title', 'authorId'],
      }),
      new Create({
        modelClass: Author,
        externalCasing: 'camelCase',
        url: 'authors',
        readableColumnNames: ['countryCode'],
        writeableColumnNames: ['name', 'countryCode'],
      }),
      new Create({ ...passports, url: 'passports' }),
      new Update({ ...passports, url: 'passports/:number' }),
      new Create({ ...passports, url: 'witnessed', readableColumnNames: ['number', 'witness'] }),
      new Create({
        ...passports,
        url: 'overridden',
        readableColumnNames: ['number', 'witness'],
        columnOverrides: { witness: { readableParentColumnNames: ['id'] } },
      }),
    ],
  },
  everyDatabase,
);

contract(
  "The key column of a relation is named after the relation and the parent's key: author with key id is authorId",
  async ({ request, save }) => {
    const { id } = await save(Author, { name: 'Jane Austen' });
    const { status, body } = await request().post('/camel').send({ title: 'Emma', authorId: id });
    expect([status, body.data]).toEqual([201, { authorId: id }]);
  },
);

contract(
  'With internal casing snake_case the key column of author with key id is author_id',
  async ({ request, save }) => {
    const { id } = await save(Author, { name: 'Jane Austen' });
    const answer = await request().post('/snake').send({ title: 'Emma', author_id: id });
    expectAnswer(answer, 201, success({ author_id: id }));
  },
);

contract(
  'With internal casing TitleCase the key column of author with key id is authorId',
  async ({ request, save }) => {
    const { id } = await save(Author, { name: 'Jane Austen' });
    const { status, body } = await request().post('/title').send({ title: 'Emma', authorId: id });
    expect([status, body.data]).toEqual([201, { authorId: id }]);
  },
);

contract('The key column of country with key code is countryCode', async ({ request, save }) => {
  await save(Country, { code: 'nl', name: 'Netherlands' });
  const { status, body } = await request().post('/authors').send({ name: 'Multatuli', countryCode: 'nl' });
  expect([status, body.data]).toEqual([201, { countryCode: 'nl' }]);
});

contract('A mapToPk property is itself the key column', async ({ request, save }) => {
  const { id } = await save(Person, { name: 'Ann' });
  await save(Country, { code: 'nl', name: 'Netherlands' });
  const passport = { number: 'A1', person_id: id, issuer: 'nl' };
  expectAnswer(
    await request().post('/passports').send(passport),
    201,
    success({ ...passport, person: { name: 'Ann' } }),
  );
  const answer = await request().patch('/passports/A1').send({ issuer: 'xx' });
  expectAnswer(answer, 400, inputErrors({ issuer: 'the given record does not exist' }));
  const { body } = await request().patch('/passports/A1').send({ issuer: null });
  expect(body.data.issuer).toBeNull();
});

contract('The owner side of a one-to-one relation is a BelongsTo column', async ({ request, save }) => {
  const { id } = await save(Person, { name: 'Ann' });
  const unknown = await request().post('/passports').send({ number: 'A1', person_id: 99 });
  expectAnswer(unknown, 400, inputErrors({ person_id: 'the given record does not exist' }));
  const answer = await request().post('/passports').send({ number: 'A1', person_id: id });
  expectAnswer(answer, 201, success({ number: 'A1', person_id: id, person: { name: 'Ann' }, issuer: null }));
});

contract('The owner side of a one-to-one relation is Unique and Required', async ({ request, save }) => {
  const { id } = await save(Person, { name: 'Ann' });
  await save(Passport, { number: 'A1', person: id });
  const message = "Invalid value for 'person_id': the given value already exists, and must be unique.";
  const taken = await request().post('/passports').send({ number: 'A2', person_id: id });
  expectAnswer(taken, 400, inputErrors({ person_id: message }));
  const missing = await request().post('/passports').send({ number: 'A2' });
  expectAnswer(missing, 400, inputErrors({ person_id: "'person_id' is required." }));
});

contract('A primary key that a client may set is Unique and Required', async ({ request, save }) => {
  const [ann, bob] = [await save(Person, { name: 'Ann' }), await save(Person, { name: 'Bob' })];
  await save(Passport, { number: 'A1', person: ann });
  const message = "Invalid value for 'number': the given value already exists, and must be unique.";
  const taken = await request().post('/passports').send({ number: 'A1', person_id: bob.id });
  expectAnswer(taken, 400, inputErrors({ number: message }));
  const missing = await request().post('/passports').send({ person_id: bob.id });
  expectAnswer(missing, 400, inputErrors({ number: "'number' is required." }));
});

contract(
  'defineColumns names the columns that a relation shows by its bare name',
  async ({ request, save }) => {
    const { id } = await save(Person, { name: 'Ann' });
    const answer = await request().post('/witnessed').send({ number: 'A1', person_id: id, witness_id: id });
    expectAnswer(answer, 201, success({ number: 'A1', witness: { name: 'Ann', birth_name: null } }));
  },
);

contract(
  'column_overrides names other columns for the bare name of a relation',
  async ({ request, save }) => {
    const { id } = await save(Person, { name: 'Ann' });
    const answer = await request().post('/overridden').send({ number: 'A1', person_id: id, witness_id: id });
    expectAnswer(answer, 201, success({ number: 'A1', witness: { id } }));
  },
);
