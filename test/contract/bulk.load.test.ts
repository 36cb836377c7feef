import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { CreateMany, DeleteMany, Public, UpdateMany } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { many } from './bulk.places.js';
import { Claims } from './claims.js';

const Task = defineEntity({
  name: 'Task',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    name: p.string().length(40),
    rank: p.integer().default(0),
  },
});

const written = {
  modelClass: Task,
  writeableColumnNames: ['name', 'rank'],
  readableColumnNames: ['id', 'name', 'rank'],
  byConditions: true,
  searchableColumnNames: ['rank'],
  maximumRecords: 10_000,
} as const;

const own = {
  authentication: new Claims(),
  authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
} as const;

const open = { authentication: new Public() } as const;

const { contract } = service(
  {
    entities: [Task],
    endpoints: [
      new CreateMany({ ...open, url: 'tasks', ...without(written) }),
      new UpdateMany({ ...open, ...written, url: 'tasks' }),
      new UpdateMany({ ...open, ...written, url: 'hooked', afterSave: () => undefined }),
      new UpdateMany({ ...own, ...written, url: 'own' }),
      new DeleteMany({ ...own, modelClass: Task, url: 'own' }),
    ],
  },
  once,
);

/** The options of kinds that have no conditions. */
function without({ modelClass, writeableColumnNames, readableColumnNames, maximumRecords }: typeof written) {
  return { modelClass, writeableColumnNames, readableColumnNames, maximumRecords };
}

const created = async ({ request }: Subject, count: number, rank = 0): Promise<readonly number[]> => {
  const records = many(count, (index) => ({ name: `n${index}`, rank }));
  const { body } = await request().post('/tasks').send({ records });
  return (body.data as readonly { id: number }[]).map(({ id }) => id);
};

/** What is one statement, and what never is. */
const everyWay = ['/tasks', '/hooked'] as const;

contract('200 times two UpdateMany of the same records in opposite order both succeed', async (subject) => {
  const ids = await created(subject, 10);
  for (let round = 0; round < 200; round += 1) {
    const url = everyWay[round % 2] ?? '';
    const both = [ids, ids.toReversed()].map((some, index) =>
      subject
        .request()
        .patch(url)
        .send({ records: some.map((id) => ({ id, rank: 2 * round + index })) }),
    );
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  }
});

contract('A record of another tenant reads exactly like a missing one', async (subject) => {
  await subject.save(Task, { tenant: 'b', name: 'hidden' });
  const missing = 9999;
  const headers = { 'X-Claims': JSON.stringify({ tenant: 'a' }) };
  const answersTo = async (id: number) => {
    const bodies = [
      subject
        .request()
        .patch('/own')
        .set(headers)
        .send({ records: [{ id, rank: 1 }] }),
      subject
        .request()
        .patch('/own')
        .set(headers)
        .send({ ids: [id], changes: { rank: 1 } }),
      subject
        .request()
        .delete('/own')
        .set(headers)
        .send({ ids: [id] }),
      subject
        .request()
        .delete('/own')
        .set(headers)
        .send({ records: [{ id }] }),
    ];
    return (await Promise.all(bodies)).map(({ status, text }) => [status, text]);
  };
  const answers = await answersTo(1);
  expect(answers).toEqual(await answersTo(missing));
  const [first] = await Promise.all([
    subject
      .request()
      .patch('/own')
      .set(headers)
      .send({ ids: [1], changes: { rank: 1 } }),
  ]);
  expectAnswer(first, 400, inputErrors({ 'ids.0': 'the given record does not exist' }));
});

contract(
  'Conditions never write more than the maximum while others insert what they meet',
  async (subject) => {
    const maximum = 15;
    const others = { areOver: false };
    const inserting = (async () => {
      for (let round = 0; !others.areOver && round < 200; round += 1) await created(subject, 3, 1);
    })();
    let changed = 0;
    const outcomes = new Set<number>();
    for (let round = 1; round <= 60; round += 1) {
      const where = [{ column: 'rank', operator: '=', value: 1 }];
      const body = { where, changes: { rank: round + 1 }, maximum };
      const { status, body: answer } = await subject
        .request()
        .patch(everyWay[round % 2] ?? '')
        .send(body);
      outcomes.add(status);
      if (status !== 200) {
        expect([status, answer.error]).toEqual([409, `The conditions meet more than ${maximum} records`]);
        await subject.em().nativeUpdate(Task, { rank: 1 }, { rank: 0 });
        continue;
      }
      const written = await subject.em().count(Task, { rank: round + 1 });
      expect([written, written <= maximum]).toEqual([answer.data.length, true]);
      changed += written;
    }
    others.areOver = true;
    await inserting;
    expect(outcomes.has(200)).toBe(true);
    expect(await subject.em().count(Task, { rank: { $gt: 1 } })).toBe(changed);
  },
);

contract('10,000 bad records of one body are answered with 100 complaints', async (subject) => {
  const records = many(10_000, (index) => ({ name: 'x'.repeat(45), rank: `no number ${index}` }));
  expect(JSON.stringify({ records }).length).toBeLessThan(1024 * 1024);
  const { status, body } = await subject.request().post('/tasks').send({ records });
  const errors = Object.keys((body as { input_errors: object }).input_errors);
  expect([status, errors.length, errors.at(-1)]).toEqual([400, 100, 'records.49.name']);
  expect(await subject.count(Task)).toBe(0);
});
