import { expect } from '@jest/globals';
import { IntegerColumn, ManyToManyIdsColumn, RestfulApi, Update } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Band, Musician } from '../support/entities/studio.js';
import { ann, bob, record, studioWith } from './related.studio.js';

const { contract } = service(
  studioWith([
    new RestfulApi<Band>({
      url: 'bands',
      modelClass: Band,
      readableColumnNames: ['name'],
      writeableColumnNames: ['name', 'genreCodes', 'musicianIds', 'hobbyIds'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['name'],
      defaultSortColumnName: 'id',
    }),
    new Update<Band>({
      url: 'few/:id',
      modelClass: Band,
      readableColumnNames: ['name'],
      writeableColumnNames: ['hobbyIds'],
      columnOverrides: {
        hobbyIds: { type: new ManyToManyIdsColumn(new IntegerColumn(), { maximumItems: 2 }) },
      },
    }),
  ]),
  everyDatabase,
);

/** What is stored of a band, hidden musicians included. */
const stored = async ({ em }: Subject, name: string): Promise<object> => {
  const populate = ['genres', 'musicians', 'hobbies'] as const;
  const band = await em().findOneOrFail(Band, { name }, { populate, filters: false });
  const sorted = (keys: readonly (string | number)[]) => [...keys].sort();
  return {
    genres: sorted(band.genres.getIdentifiers('code')),
    musicians: sorted(band.musicians.getIdentifiers('id')),
    hobbies: sorted(band.hobbies.getIdentifiers('id')),
  };
};

contract('null in a ManyToManyIds column is empty', async (subject) => {
  await record(subject);
  const { request } = subject;
  const refusal = inputErrors({ genre_codes: "'genre_codes' is required." });
  expectAnswer(await request().post('/bands').send({ name: 'Larks', genre_codes: null }), 400, refusal);
  expectAnswer(await request().patch('/bands/1').send({ genre_codes: null }), 400, refusal);
});

contract('A ManyToManyIds column given no list: value should be a list', async (subject) => {
  await record(subject);
  for (const value of [1, '1', '', { 0: 1 }, true, '[1]'])
    expectAnswer(
      await subject.request().patch('/bands/1').send({ hobby_ids: value }),
      400,
      inputErrors({ hobby_ids: 'value should be a list' }),
    );
});

contract(
  'A ManyToManyIds column takes 1,000 keys and no more, or as many as its column says',
  async (subject) => {
    await record(subject);
    const { request } = subject;
    const keys = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    const ask = (url: string, count: number) =>
      request()
        .patch(`/${url}/1`)
        .send({ hobby_ids: keys(count) });
    const unknown = inputErrors({ hobby_ids: 'the given record does not exist' });
    const tooMany = (count: number) => inputErrors({ hobby_ids: `value should have at most ${count} items` });
    expectAnswer(await ask('bands', 1000), 400, unknown);
    expectAnswer(await ask('bands', 1001), 400, tooMany(1000));
    expectAnswer(await ask('few', 3), 400, tooMany(2));
    expect((await ask('few', 2)).status).toBe(200);
  },
);

contract("A ManyToManyIds column given a wrong key has the message of the key's column", async (subject) => {
  await record(subject);
  const messages = {
    hobby_ids: [[1, '2'], [1.5], [null], [[1]]],
    musician_ids: [[ann, 'x'], [1], [null], ['']],
    genre_codes: [[1], [null], ['rock', ['soul']]],
  };
  const expected = {
    hobby_ids: 'value should be an integer',
    musician_ids: 'value should be a UUID',
    genre_codes: 'value should be a string',
  };
  for (const [column, lists] of Object.entries(messages))
    for (const list of lists)
      expectAnswer(
        await subject
          .request()
          .patch('/bands/1')
          .send({ [column]: list }),
        400,
        inputErrors({ [column]: expected[column as keyof typeof expected] }),
      );
  const range = inputErrors({ hobby_ids: 'value should be between -2147483648 and 2147483647' });
  expectAnswer(
    await subject
      .request()
      .patch('/bands/1')
      .send({ hobby_ids: [2 ** 31] }),
    400,
    range,
  );
  const nul = inputErrors({ genre_codes: 'value contains characters that cannot be stored' });
  expectAnswer(
    await subject
      .request()
      .patch('/bands/1')
      .send({ genre_codes: ['\0'] }),
    400,
    nul,
  );
});

contract('A ManyToManyIds column given an unknown key: the given record does not exist', async (subject) => {
  await record(subject);
  const { request, count } = subject;
  const unknown = 'the given record does not exist';
  const body = {
    name: 'Larks',
    genre_codes: ['rock', 'Rock'],
    musician_ids: [ann, ann.replace('1', '9')],
    hobby_ids: [9],
  };
  const refusal = inputErrors({ genre_codes: unknown, musician_ids: unknown, hobby_ids: unknown });
  expectAnswer(await request().post('/bands').send(body), 400, refusal);
  const { name: _, ...keys } = body;
  expectAnswer(await request().patch('/bands/1').send(keys), 400, refusal);
  expect(await count(Band)).toBe(3);
  expect(await stored(subject, 'Owls')).toEqual({
    genres: ['rock', 'soul'],
    musicians: [ann, bob],
    hobbies: [1],
  });
});

contract('A record that a filter hides is no target of a ManyToManyIds column', async (subject) => {
  await record(subject);
  const refusal = inputErrors({ musician_ids: 'the given record does not exist' });
  const { request } = subject;
  expectAnswer(
    await request()
      .patch('/bands/2')
      .send({ musician_ids: [ann, bob] }),
    400,
    refusal,
  );
  expect(await subject.em().count(Musician)).toBe(2);
});
