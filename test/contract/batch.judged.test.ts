import { defineEntity, p } from '@mikro-orm/core';
import { expect } from '@jest/globals';
import { Batch, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';

const Tour = defineEntity({
  name: 'Tour',
  properties: { id: p.integer().primary().autoincrement(), title: p.string() },
});

const Leg = defineEntity({
  name: 'Leg',
  checks: [{ name: 'leg_size', expression: 'size < 10' }],
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().unique(),
    size: p.integer().default(1),
    tour: () => p.manyToOne(Tour),
  },
});

const listed = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const tours = {
  ...listed,
  modelClass: Tour,
  readableColumnNames: ['id', 'title'],
  writeableColumnNames: ['title'],
} as const;

const legs = {
  ...listed,
  modelClass: Leg,
  readableColumnNames: ['id', 'code', 'tourId'],
  writeableColumnNames: ['code', 'size', 'tourId'],
} as const;

const hooks = { afterSave: () => undefined };
const limits = [new RateLimit({ quota: 9, window: 36_000, store: new MemoryLimits() })];

const { contract } = service(
  {
    entities: [Tour, Leg],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Batch({ url: 'batch' }),
          new RestfulApi({ ...tours, url: 'tours' }),
          new RestfulApi({ ...tours, url: 'counted', limits }),
          new RestfulApi({ ...tours, ...hooks, url: 'hooked/tours' }),
          new RestfulApi({ ...legs, url: 'legs', bulk: true }),
          new RestfulApi({ ...legs, ...hooks, url: 'hooked/legs', bulk: true }),
        ],
      }),
    ],
  },
  everyDatabase,
);

const batch = ({ request }: Subject, ...operations: object[]) =>
  request().post('/batch').send({ operations });

const tour = (path = '/tours') => ({ method: 'POST', path, body: { title: 'Coast' }, as: 'tour' });
const leg = (body: object, path = '/legs') => ({ method: 'POST', path, body, with: { tour_id: 'tour.id' } });

const taken = "Invalid value for 'code': the given value already exists, and must be unique.";

contract(
  'What is wrong with a record of a batch is judged by what operations before it wrote',
  async (subject) => {
    const first = await subject.save(Tour, { title: 'First' });
    await subject.save(Leg, { code: 'taken', tour: first });
    for (const [tours_, legs_] of [
      ['/tours', '/legs'],
      ['/hooked/tours', '/legs'],
      ['/tours', '/hooked/legs'],
    ]) {
      const refused = await batch(subject, tour(tours_), leg({ code: 'taken' }, legs_));
      expectAnswer(refused, 400, inputErrors({ 'operations.1.body.code': taken }));
      const repeated = await batch(
        subject,
        tour(tours_),
        leg({ code: 'new' }, legs_),
        leg({ code: 'new' }, legs_),
      );
      expectAnswer(repeated, 400, inputErrors({ 'operations.2.body.code': taken }));
      expect([await subject.count(Tour), await subject.count(Leg)]).toEqual([1, 1]);
    }
  },
);

contract('So is what only the database knows of it', async (subject) => {
  for (const path of ['/legs', '/hooked/legs']) {
    const answer = await batch(subject, tour(), leg({ code: 'a', size: 10 }, path));
    const where = 'operations.1';
    expect([answer.status, answer.body.input_errors, answer.body.error]).toEqual(
      subject.database === 'sqlite'
        ? [409, {}, `${where}: The database refuses these values`]
        : [400, { [`${where}.body.size`]: 'value is refused by a rule of the database' }, ''],
    );
    expect(await subject.count(Tour)).toBe(0);
  }
});

contract('So are many records of one operation, and changes', async (subject) => {
  const first = await subject.save(Tour, { title: 'First' });
  const { id } = await subject.save(Leg, { code: 'taken', tour: first });
  for (const path of ['/legs', '/hooked/legs']) {
    const records = [{ code: 'b' }, { code: 'taken' }];
    const created = await subject.request().post('/tours').send({ title: 'Second' });
    const many = await batch(subject, tour(), {
      method: 'POST',
      path: `${path}/bulk`,
      body: { records: records.map((one) => ({ ...one, tour_id: created.body.data.id })) },
    });
    expectAnswer(many, 400, inputErrors({ 'operations.1.body.records.1.code': taken }));
    const changed = await batch(subject, tour(), leg({ code: 'c' }, path), {
      method: 'PATCH',
      path: `${path}/${id}`,
      body: { code: 'c' },
      with: { tour_id: 'tour.id' },
    });
    expectAnswer(changed, 400, inputErrors({ 'operations.2.body.code': taken }));
  }
});

contract(
  'An operation that is tried again is counted once, and the log is not told of it',
  async (subject) => {
    const first = await subject.save(Tour, { title: 'First' });
    await subject.save(Leg, { code: 'taken', tour: first });
    const left = async (): Promise<number> => {
      const { headers } = await subject.request().get(`/counted/${first.id}`);
      return Number(/;r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    };
    const before = await left();
    const answer = await batch(subject, tour('/counted'), leg({ code: 'taken' }));
    expectAnswer(answer, 400, inputErrors({ 'operations.1.body.code': taken }));
    expect(await left()).toBe(before - 2);
    expect(subject.log.text('warn') + subject.log.text('error')).toBe('');
  },
);
