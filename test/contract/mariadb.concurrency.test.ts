import { expect } from '@jest/globals';
import { defineEntity, LockMode, p } from '@mikro-orm/core';
import { Batch, EndpointGroup, Get, Update, UpdateMany } from '@nest-endpoints/core';
import type { Response, Test } from 'supertest';
import { mariaDbOnly, service, type Subject } from '../support/contract.js';
import { heldUpBy } from '../support/waits.js';

const Job = defineEntity({
  name: 'Job',
  properties: {
    id: p.integer().primary(),
    state: p.string().length(20),
    worker: p.string().length(20).nullable(),
    version: p.integer().version(),
  },
});

const jobs = {
  modelClass: Job,
  readableColumnNames: ['id', 'state', 'worker'],
  writeableColumnNames: ['state', 'worker'],
} as const;

const { contract } = service(
  {
    entities: [Job],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Batch({ url: 'batch' }),
          new Get({ ...jobs, url: 'jobs/:id' }),
          new Update({ ...jobs, url: 'jobs/:id' }),
          new UpdateMany({
            ...jobs,
            url: 'jobs',
            byConditions: true,
            searchableColumnNames: ['id', 'state'],
          }),
          new Update({ ...jobs, url: 'new/:id', where: ['state = new'] }),
        ],
      }),
    ],
  },
  mariaDbOnly,
);

/** Takes the second job while `ask` waits for it. The first one can be read. */
const meanwhile = async (subject: Subject, ask: () => Test): Promise<Response> => {
  for (const id of [1, 2]) await subject.save(Job, { id, state: 'new' });
  const hold = async (em: ReturnType<Subject['em']>) => {
    const job = await em.findOneOrFail(Job, 2, { lockMode: LockMode.PESSIMISTIC_WRITE });
    return () => em.assign(job, { state: 'taken', worker: 'theirs' });
  };
  return heldUpBy(subject, hold, ask);
};

/** An operation that reads, so that others commit after it. */
const reads = { method: 'GET', path: '/jobs/1' };
const taking = { state: 'taken', worker: 'mine' };

const worker = async ({ em }: Subject) => (await em().findOneOrFail(Job, 2)).worker;

contract('A job that somebody takes meanwhile is not taken again by conditions', async (subject) => {
  const body = { where: [{ column: 'state', operator: '=', value: 'new' }], changes: taking, maximum: 5 };
  const answer = await meanwhile(subject, () => subject.request().patch('/jobs').send(body));
  expect(answer.body.data).toEqual([{ id: 1, ...taking }]);
  expect(await worker(subject)).toBe('theirs');
});

contract('A version that another one has left meanwhile is refused within a batch', async (subject) => {
  const writes = { method: 'PATCH', path: '/jobs/2', body: taking, headers: { 'If-Match': '"1"' } };
  const operations = [reads, writes];
  const answer = await meanwhile(subject, () => subject.request().post('/batch').send({ operations }));
  expect(answer.status).toBe(412);
  expect(await worker(subject)).toBe('theirs');
});

contract('A record that leaves where meanwhile is not written within a batch', async (subject) => {
  const operations = [reads, { method: 'PATCH', path: '/new/2', body: taking }];
  const answer = await meanwhile(subject, () => subject.request().post('/batch').send({ operations }));
  expect(answer.status).toBe(404);
  expect(await worker(subject)).toBe('theirs');
});
