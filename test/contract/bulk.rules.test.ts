import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Authorization,
  CreateMany,
  DeleteMany,
  InvalidInput,
  UpdateMany,
  type AuthorizationRule,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { many } from './bulk.places.js';
import { Claims } from './claims.js';

/** A record of a tenant, which others are hidden from. */
const Task = defineEntity({
  name: 'Task',
  uniques: [{ properties: ['tenant', 'name'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string(),
    name: p.string(),
    rank: p.integer().default(0),
  },
});

/** A rule that shows the records of the sender's tenant. */
const filtered: AuthorizationRule = new (class extends Authorization {
  override filterModel(_query: unknown, identity: unknown) {
    return { tenant: (identity as { readonly tenant: string }).tenant };
  }
})();

const heard: string[] = [];

const written = {
  modelClass: Task,
  writeableColumnNames: ['name', 'rank', 'tenant'],
  readableColumnNames: ['id', 'name', 'rank'],
} as const;

const hooks = {
  beforeSave: ({ record, index }: { record: { name: string }; index?: number | undefined }) => {
    heard.push(`before ${index} ${record.name}`);
    if (record.name === 'refused') throw new InvalidInput({ name: 'not this one' });
  },
  afterSave: ({ record, index }: { record: { name: string }; index?: number | undefined }) => {
    heard.push(`after ${index} ${record.name}`);
  },
  afterCommit: ({ record, index }: { record: { name: string }; index?: number | undefined }) => {
    heard.push(`commit ${index} ${record.name}`);
  },
} as const;

const guarded = { authentication: new Claims(), authorization: filtered };

const { contract } = service(
  {
    entities: [Task],
    endpoints: [
      new CreateMany({ ...written, ...hooks, url: 'hooked' }),
      new UpdateMany({ ...written, ...hooks, url: 'hooked' }),
      new DeleteMany({
        modelClass: Task,
        url: 'hooked',
        beforeDelete: ({ record, index }) => {
          heard.push(`before ${index} ${record.name}`);
          if (record.name === 'kept') throw new InvalidInput({ name: 'stays' });
        },
        afterCommit: ({ index }) => {
          heard.push(`commit ${index}`);
        },
      }),
      new CreateMany({
        ...written,
        url: 'judged',
        inputValidationCallable: ({ requestData: { name }, index }) => ({
          name: name === 'bad' ? `record ${index} is bad` : undefined,
        }),
        outputMap: ({ record, entity }) => ({ called: record.name, of: entity.tenant }),
      }),
      new UpdateMany({ ...written, url: 'tasks' }),
      new UpdateMany({ ...written, ...guarded, url: 'own' }),
      new DeleteMany({ modelClass: Task, ...guarded, url: 'own' }),
      new CreateMany({
        ...written,
        url: 'tenants/:tenant/tasks',
        includeRoutingDataInRequestData: true,
      }),
    ],
  },
  postgresqlOnly,
);

const task = (name: string, tenant = 'a') => ({ name, tenant });

contract(
  'Functions run for each record in the order sent, and know its index',
  async ({ request, save, count }) => {
    heard.length = 0;
    await request()
      .post('/hooked')
      .send({ records: [task('A'), task('B')] });
    expect(heard).toEqual(['before 0 A', 'before 1 B', 'after 0 A', 'after 1 B', 'commit 0 A', 'commit 1 B']);
    heard.length = 0;
    await request()
      .patch('/hooked')
      .send({ records: [{ id: 2, rank: 1 }, { id: 1 }] });
    expect(heard).toEqual(['before 0 B', 'before 1 A', 'after 0 B', 'commit 0 B']);
    heard.length = 0;
    await save(Task, task('kept'));
    expectAnswer(
      await request()
        .delete('/hooked')
        .send({ ids: [2, 3] }),
      400,
      inputErrors({ 'ids.1.name': 'stays' }),
    );
    expect(heard).toEqual(['before 0 B', 'before 1 kept']);
    await request()
      .delete('/hooked')
      .send({ ids: [2, 1] });
    expect(heard.slice(2)).toEqual(['before 0 B', 'before 1 A', 'commit 0', 'commit 1']);
    expect(await count(Task)).toBe(1);
  },
);

contract(
  'A function that throws at record 50 leaves nothing, and nobody hears of it',
  async ({ request, count }) => {
    heard.length = 0;
    const records = many(60, (index) => task(index === 50 ? 'refused' : `n${index}`));
    expectAnswer(
      await request().post('/hooked').send({ records }),
      400,
      inputErrors({ 'records.50.name': 'not this one' }),
    );
    expect(heard.filter((line) => !line.startsWith('before'))).toEqual([]);
    expect(heard).toHaveLength(51);
    expect(await count(Task)).toBe(0);
  },
);

contract('Rules and maps of the user are asked for each record', async ({ request }) => {
  expectAnswer(
    await request()
      .post('/judged')
      .send({ records: [task('A'), task('bad'), task('C'), task('bad')] }),
    400,
    inputErrors({ 'records.1.name': 'record 1 is bad', 'records.3.name': 'record 3 is bad' }),
  );
  expectAnswer(
    await request()
      .post('/judged')
      .send({ records: [task('A'), task('B', 'b')] }),
    201,
    success([
      { called: 'A', of: 'a' },
      { called: 'B', of: 'b' },
    ]),
  );
});

contract('A path parameter is a value of each record', async ({ request, em }) => {
  await request()
    .post('/tenants/z/tasks')
    .send({ records: [{ name: 'A' }, task('B', 'b')] });
  expect((await em().findAll(Task)).map(({ tenant }) => tenant)).toEqual(['z', 'z']);
});

contract('A record of another tenant reads like one that is not there', async ({ request, save, count }) => {
  await save(Task, task('A'));
  await save(Task, task('B', 'b'));
  const own = { 'X-Claims': '{"tenant":"a"}' };
  const [hidden, missing] = [
    await request()
      .patch('/own')
      .set(own)
      .send({
        records: [
          { id: 1, rank: 5 },
          { id: 2, rank: 5 },
        ],
      }),
    await request()
      .patch('/own')
      .set(own)
      .send({
        records: [
          { id: 1, rank: 5 },
          { id: 9, rank: 5 },
        ],
      }),
  ];
  expectAnswer(hidden, 400, inputErrors({ 'records.1.id': 'the given record does not exist' }));
  expect(hidden.body).toEqual(missing.body);
  expect(
    (
      await request()
        .delete('/own')
        .set(own)
        .send({ ids: [1, 2] })
    ).status,
  ).toBe(400);
  expect(await count(Task)).toBe(2);
  expect(
    (
      await request()
        .patch('/own')
        .set(own)
        .send({ ids: [1], changes: { rank: 2 } })
    ).status,
  ).toBe(200);
});

contract('Requests for the same records in another order wait for each other', async ({ request, save }) => {
  for (const name of many(20, (index) => `n${index}`)) await save(Task, task(name));
  const ids = many(20, (index) => index + 1);
  const statuses: number[] = [];
  for (const round of many(20, (index) => index)) {
    const answers = await Promise.all(
      many(4, (index) =>
        request()
          .patch('/tasks')
          .send({
            ids: index % 2 === 0 ? ids : ids.toReversed(),
            changes: { rank: round * 4 + index + 1 },
          }),
      ),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
});

contract(
  'The columns of a unique constraint are told by the place of the record',
  async ({ request, count }) => {
    const answer = await request()
      .post('/judged')
      .send({ records: [task('A'), task('B'), task('A')] });
    const taken = "Invalid value for 'tenant': the given value already exists, and must be unique.";
    expectAnswer(answer, 400, inputErrors({ 'records.2.tenant': taken }));
    expect(await count(Task)).toBe(0);
  },
);
