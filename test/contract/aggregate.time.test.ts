import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Aggregate } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';

const Reading = defineEntity({
  name: 'Reading',
  properties: { id: p.integer().primary(), kind: p.string().nullable() },
});

const { contract } = service(
  {
    entities: [Reading],
    endpoints: [
      new Aggregate({ url: 'slow', modelClass: Reading, groupableColumnNames: ['kind'], timeout: 1000 }),
    ],
  },
  once,
);

contract('An Aggregate that takes too long is a 503, and its connection is used again', async (subject) => {
  const run = (sql: string) => subject.em().getConnection().execute(sql);
  await run(
    `create or replace function reading_slow() returns boolean language plpgsql as $$ begin perform pg_sleep(0.001); return true; end $$`,
  );
  await run(`insert into reading (id) select generate_series(1, 1000000)`);
  await run(`alter table reading rename to reading_kept`);
  await run(`create view reading as select * from reading_kept where reading_slow()`);
  try {
    const { status } = await subject.request().get('/slow?group_by=kind');
    expect(status).toBe(503);
  } finally {
    await run(`drop view reading`);
    await run(`alter table reading_kept rename to reading`);
  }
  const { body } = await subject.request().get('/slow?group_by=kind');
  expect(body.data).toEqual([{ kind: null, count: 1_000_000 }]);
});
