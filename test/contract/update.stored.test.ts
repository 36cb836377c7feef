import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { isMariaDb } from '../support/database.js';

const title = p.string().length(100);

const Coin = defineEntity({
  name: 'Coin',
  properties: {
    id: p.integer().primary().autoincrement(),
    // MariaDB's usual collation takes letters for the same that are not.
    title: isMariaDb ? title.collation('utf8mb4_general_ci') : title,
    worth: p.decimal().precision(30).scale(2),
    number: p.bigint('string'),
    weight: p.double(),
    facts: p.json<object>(),
    day: p.date(),
    minted: p.datetime(6),
    isGold: p.boolean(),
    note: p.text().nullable(),
    changedAt: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    version: p.integer().version(),
  },
});

const writeable = ['title', 'worth', 'number', 'weight', 'facts', 'day', 'minted', 'isGold', 'note'] as const;

const { contract } = service(
  {
    entities: [Coin],
    endpoints: [
      new RestfulApi({
        url: 'coins',
        modelClass: Coin,
        readableColumnNames: ['id', ...writeable, 'version'],
        writeableColumnNames: writeable,
        sortableColumnNames: ['id'],
        searchableColumnNames: ['title'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase,
);

const coin = {
  title: 'Ecu',
  worth: '12.50',
  number: '17',
  weight: 0.1,
  facts: { b: 1, a: [null, 'x'] },
  day: '1640-03-31',
  minted: '1640-03-31T12:00:00+00:00',
  is_gold: true,
  note: null,
};

const made = async ({ request }: Subject): Promise<number> => {
  const { status, body } = await request().post('/coins').send(coin);
  expect([status, body.input_errors]).toEqual([201, {}]);
  return body.data.id as number;
};

contract(
  'A value is changed that a collation takes for the same: capital letters, accents and spaces',
  async (subject) => {
    const id = await made(subject);
    const patch = (body: object) => subject.request().patch(`/coins/${id}`).send(body);
    for (const [index, other] of ['ecu', 'écu', 'écu ', 'Ecu'].entries())
      expectAnswer(
        await patch({ title: other }),
        200,
        success({ id, ...coin, title: other, version: index + 2 }),
      );
  },
);

contract(
  'An Update with the values that are stored changes nothing, the version neither',
  async (subject) => {
    const id = await made(subject);
    const before = await subject.em().findOne(Coin, id);
    // MikroORM takes another order of names for another value.
    const { facts: _facts, ...sent } = coin;
    const answer = await subject.request().patch(`/coins/${id}`).send(sent);
    expectAnswer(answer, 200, success({ id, ...coin, version: 1 }));
    expect((await subject.em().findOne(Coin, id))?.changedAt).toEqual(before?.changedAt);
  },
);

contract('Whatever differs by its last digit is changed', async (subject) => {
  const id = await made(subject);
  const isLong = subject.database !== 'sqlite';
  const changes = [
    { worth: '1234567890123.12' },
    { worth: '1234567890123.13' },
    ...(isLong
      ? [{ worth: '1234567890123456789012345678.12' }, { worth: '1234567890123456789012345678.13' }]
      : []),
    { number: isLong ? '9007199254740992' : '900719925474099' },
    { number: isLong ? '9007199254740993' : '900719925474098' },
    { weight: 0.1 + Number.EPSILON },
    { facts: { ...coin.facts, a: [null, 'y'] } },
    { day: '1640-04-01' },
    { minted: '1640-03-31T12:00:01+00:00' },
    { minted: '2026-01-02T03:04:05+00:00' },
    { is_gold: false },
    { note: '' },
    { note: null },
  ];
  const expected: object = { id, ...coin };
  for (const [index, change] of changes.entries()) {
    Object.assign(expected, change);
    const answer = await subject.request().patch(`/coins/${id}`).send(change);
    expectAnswer(answer, 200, success({ ...expected, version: index + 2 }));
  }
});

contract('A record with the key 0 is changed as every other, and stays one record', async (subject) => {
  const id = await made(subject);
  await subject.em().getConnection().execute(`update coin set id = 0 where id = ${id}`);
  const answer = await subject.request().patch('/coins/0').send({ title: 'Sou' });
  expectAnswer(answer, 200, success({ id: 0, ...coin, title: 'Sou', version: 2 }));
  expect(await subject.count(Coin)).toBe(1);
});
