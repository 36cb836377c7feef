import { expect } from '@jest/globals';
import { CreateMany, PlainAnswers } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { columns, land, Land, many, Place } from './bulk.places.js';

const { contract } = service({
  entities: land,
  endpoints: [
    new CreateMany({ ...columns, url: 'places/bulk', maximumRecords: 1000 }),
    new CreateMany({ ...columns, url: 'few', maximumRecords: 2 }),
    new CreateMany({ ...columns, url: 'ids', answer: 'ids' }),
    new CreateMany({ ...columns, url: 'problems', answers: new PlainAnswers() }),
    new CreateMany({ ...columns, url: 'camel', externalCasing: 'camelCase' }),
    new CreateMany({ ...columns, url: 'title', externalCasing: 'TitleCase' }),
  ],
});

contract(
  'CreateMany creates all records and answers with them in the order sent',
  async ({ request, save }) => {
    await save(Land, { code: 'FR', name: 'France' });
    const records = [
      { name: 'A', land_code: 'FR' },
      { name: 'B', size: 3, mood: 'wild' },
    ];
    expectAnswer(
      await request().post('/places/bulk').send({ records }),
      201,
      success([
        { id: 1, name: 'A', code: null, size: null, mood: 'calm', land: { name: 'France' } },
        { id: 2, name: 'B', code: null, size: 3, mood: 'wild', land: null },
      ]),
    );
  },
);

contract(
  'CreateMany creates nothing when one record is bad, and tells its place',
  async ({ request, count, save }) => {
    await save(Land, { code: 'FR', name: 'France' });
    await save(Place, { name: 'old', code: 'taken', word: 'old' });
    const records = [
      { name: 'A', code: 'one', land_code: 'FR' },
      { code: 'taken', size: 'x' },
      { name: 'C', code: 'one', land_code: 'DE', word: 'old' },
      { name: 'D', fame: 1, word: 'new' },
      { name: 'E', word: 'new' },
    ];
    const taken = (name: string): string =>
      `Invalid value for '${name}': the given value already exists, and must be unique.`;
    expectAnswer(
      await request().post('/places/bulk').send({ records }),
      400,
      inputErrors({
        'records.1.name': "'name' is required.",
        'records.1.code': taken('code'),
        'records.1.size': 'value should be an integer',
        'records.2.code': taken('code'),
        'records.2.land_code': 'the given record does not exist',
        'records.2.word': 'take another word',
        'records.3.fame': 'Input column fame is not an allowed input column.',
        'records.4.word': 'take another word',
      }),
    );
    expect(await count(Place)).toBe(1);
  },
);

contract('The body of CreateMany has a list of records, and nothing else', async ({ request, count }) => {
  const one = { name: 'A' };
  const misformed = 'The body must have one of: records';
  const bodies: readonly [object, string][] = [
    [{}, misformed],
    [{ ids: [1] }, misformed],
    [{ records: [one], ids: [1] }, misformed],
    [{ records: [one], extra: 1 }, misformed],
    [{ records: [one], Records: [one] }, misformed],
    [{ records: [] }, "'records' must have at least one entry"],
    [{ records: one }, "'records' must be a list"],
    [{ records: [one, one, one] }, "'records' must not have more than 2 entries"],
    [{ records: [one, 1] }, 'records.1 must be an object'],
    [{ records: [one, null] }, 'records.1 must be an object'],
    [{ records: [[one]] }, 'records.0 must be an object'],
    [[one], 'The request body must be a JSON object'],
  ];
  for (const [body, sentence] of bodies)
    expectAnswer(await request().post('/few').send(body), 400, clientError(sentence));
  expectAnswer(await request().post('/few'), 400, clientError('A JSON body is required'));
  expect(await count(Place)).toBe(0);
});

contract('Places have the words and the casing of the wire', async ({ request }) => {
  const camel = await request()
    .post('/camel')
    .send({ records: [{ name: 'A', landCode: 'XX' }] });
  const missing = 'the given record does not exist';
  expect(camel.body).toMatchObject({ inputErrors: { 'records.0.landCode': missing } });
  const title = await request()
    .post('/title')
    .send({ Records: [{ Name: 'A', LandCode: 'XX' }] });
  expect(title.body).toMatchObject({ InputErrors: { 'Records.0.LandCode': missing } });
});

contract('A JSON pointer leads through the place to a name, whatever its characters', async ({ request }) => {
  const records = [{ name: 'A' }, { 'land.name': 'France', 'a/b': 1 }];
  const { body } = await request().post('/problems').send({ records });
  expect(body).toMatchObject({
    errors: {
      '/records/1/land.name': 'Input column land.name is not an allowed input column.',
      '/records/1/a~1b': 'Input column a/b is not an allowed input column.',
      '/records/1/name': "'name' is required.",
    },
  });
});

contract("With answer 'ids' CreateMany lists what the records are called by", async ({ request }) => {
  const records = [{ name: 'A' }, { name: 'B' }];
  expectAnswer(await request().post('/ids').send({ records }), 201, success([1, 2]));
});

contract('CreateMany tells the place of what only the database refuses', async (subject) => {
  const records = many(1000, (index) => ({ name: `n${index}`, size: index === 997 ? 1000 : index % 900 }));
  const answer = await subject.request().post('/places/bulk').send({ records });
  // SQLite does not tell which columns a rule is about.
  if (subject.database === 'sqlite')
    expectAnswer(answer, 409, clientError('records.997: The database refuses these values'));
  else
    expectAnswer(
      answer,
      400,
      inputErrors({ 'records.997.size': 'value is refused by a rule of the database' }),
    );
  expect(await subject.count(Place)).toBe(0);
});

contract('The number of statements of CreateMany is that of batches', async (subject) => {
  const statements = await Statements.of(subject);
  await subject.save(Land, { code: 'FR', name: 'France' });
  const sent = async (size: number, from: string): Promise<readonly string[]> => {
    const records = many(size, (index) => ({
      name: `n${index}`,
      code: `${from}${index}`,
      word: `${from}${index}`,
      land_code: 'FR',
    }));
    return statements.during(async () => {
      expect((await subject.request().post('/places/bulk').send({ records })).status).toBe(201);
    });
  };
  const few = await sent(2, 'a');
  const lots = await sent(100, 'b');
  expect(lots.length).toBe(few.length);
});

contract('An answer tells 100 complaints of thousands at most', async ({ request }) => {
  const records = many(900, () => ({ size: 'x' }));
  const { body } = await request().post('/places/bulk').send({ records });
  expect(Object.keys((body as { input_errors: object }).input_errors)).toHaveLength(100);
});
