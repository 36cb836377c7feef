import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import type { OrmOptions } from '../support/database.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';

const Memo = defineEntity({
  name: 'Memo',
  filters: { live: { name: 'live', cond: { deleted: false }, default: true } },
  properties: { id: p.integer().primary(), deleted: p.boolean(), tenant: p.integer() },
});

/** Requests fork from the global entity manager, so that what filters say to everybody is read once. */
const bare = { registerRequestContext: false } as OrmOptions;

const { contract } = service(
  {
    entities: [Memo],
    orm: bare,
    endpoints: [
      new RestfulApi({
        url: 'memos',
        modelClass: Memo,
        readableColumnNames: ['id'],
        writeableColumnNames: ['tenant'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['tenant'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase,
);

const listed = async ({ request }: Subject): Promise<readonly number[]> =>
  ((await request().get('/memos')).body as { data: { id: number }[] }).data.map(({ id }) => id);

const saved = async (subject: Subject): Promise<void> => {
  const em = subject.em();
  em.create(Memo, { id: 1, deleted: false, tenant: 1 });
  em.create(Memo, { id: 2, deleted: false, tenant: 2 });
  em.create(Memo, { id: 3, deleted: true, tenant: 1 });
  await em.flush();
};

contract('A filter that says the same to every request holds for each of them', async (subject) => {
  await saved(subject);
  for (let time = 0; time < 3; time += 1) expect(await listed(subject)).toEqual([1, 2]);
  expect((await subject.request().patch('/memos/3').send({ tenant: 2 })).status).toBe(404);
});

contract(
  'A function that was added under the name of a declared filter is asked each time',
  async (subject) => {
    await saved(subject);
    let tenant: number | undefined;
    subject.orm.em.addFilter({
      name: 'live',
      entity: [Memo],
      cond: () => (tenant === undefined ? { deleted: false } : { deleted: false, tenant }),
    });
    expect(await listed(subject)).toEqual([1, 2]);
    tenant = 2;
    expect(await listed(subject)).toEqual([2]);
    tenant = undefined;
  },
);
