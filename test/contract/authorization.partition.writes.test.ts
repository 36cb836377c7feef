import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, IdempotencyRecord, Public, Update } from '@nest-endpoints/core';
import { expectAnswer, notFound } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

/** What an update gives to the tenant of a record, whatever was sent. */
let given = 5;

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), tenant: p.integer(), text: p.string() },
});

const Draft = defineEntity({
  name: 'Draft',
  properties: {
    id: p.integer().primary(),
    tenant: p.integer().onUpdate(() => given),
    text: p.string(),
  },
});

const { contract } = service(
  {
    entities: [Note, Draft, IdempotencyRecord],
    root: {
      authentication: new Public(),
      idempotencySender: () => 'anybody',
      partition: { column: 'tenant', value: ({ requestHeaders }) => Number(requestHeaders['x-tenant']) },
    },
    endpoints: [
      new Create({
        url: 'notes',
        modelClass: Note,
        readableColumnNames: ['text', 'tenant'],
        writeableColumnNames: ['text'],
        idempotency: true,
      }),
      new Update({
        url: 'drafts/:id',
        modelClass: Draft,
        readableColumnNames: ['text'],
        writeableColumnNames: ['text'],
      }),
    ],
  },
  everyDatabase,
);

contract('A key of one tenant is another key of the next, whoever sends it', async ({ request }) => {
  const post = (tenant: number) =>
    request()
      .post('/notes')
      .set({ 'X-Tenant': String(tenant), 'Idempotency-Key': 'the-same-key' })
      .send({ text: 'x' });
  for (const tenant of [5, 6]) {
    const first = await post(tenant);
    expect([first.status, first.body.data]).toEqual([201, { text: 'x', tenant }]);
    const second = await post(tenant);
    expect([second.status, second.headers['idempotency-replayed']]).toEqual([201, 'true']);
  }
});

contract('A record is not moved by what MikroORM fills in', async (subject) => {
  const em = subject.em();
  em.create(Draft, { id: 1, tenant: 5, text: 'old' });
  await em.flush();
  const patch = () => subject.request().patch('/drafts/1').set('X-Tenant', '5').send({ text: 'new' });
  given = 6;
  expectAnswer(await patch(), 404, notFound);
  expect(await subject.em().findOneOrFail(Draft, 1)).toMatchObject({ tenant: 5, text: 'old' });
  given = 5;
  expect((await patch()).status).toBe(200);
});
