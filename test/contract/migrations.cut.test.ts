import { Migrations } from '@nest-endpoints/migrations';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { expectAnswer, failure, success } from '../support/answers.js';
import { postgresqlOnly, service } from '../support/contract.js';
import { Note } from './migrations.note.js';

const { contract } = service(
  {
    entities: [Note],
    // Migrations need sessions of their own.
    route: 'direct',
    orm: { driverOptions: { connectionTimeoutMillis: 1000 }, pool: { max: 1 } },
    endpoints: [
      new Migrations({
        url: 'migrations',
        unmanaged: ['public.note'],
        requestMethods: ['GET', 'POST'],
        allowInput: true,
        allowUnauthenticated: true,
      }),
    ],
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

/** Cuts the connection that tries it, as a server does that stops. */
const cutting = `create function cut() returns boolean language sql as 'select pg_terminate_backend(pg_backend_pid())';
  create materialized view v as select cut() as x`;

contract('A connection that is cut while a target is tried is a 503, as everywhere', async ({ request }) => {
  for (const command of ['check', 'plan', 'plan_export', 'apply'])
    expectAnswer(
      await request().post('/migrations').send({ command, sql: cutting }),
      503,
      failure('Service Unavailable'),
    );
  const sql = 'create table a (id int)';
  expectAnswer(await request().post('/migrations').send({ command: 'check', sql }), 200, success([]));
});

contract('A pool that has no connection in time is a 503, as everywhere', async ({ request, em }) => {
  const sql = 'create table a (id int)';
  await (em() as SqlEntityManager).transactional(async (taken) => {
    await taken.execute('select 1');
    expectAnswer(
      await request().post('/migrations').send({ command: 'plan', sql }),
      503,
      failure('Service Unavailable'),
    );
  });
});
