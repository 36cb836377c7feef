import { expect } from '@jest/globals';
import { MikroORM } from '@mikro-orm/core';
import { Callable } from '@nest-endpoints/core';
import { Claims } from '../contract/claims.js';
import { partedRequests } from '../contract/parted.requests.js';
import { fill, of, partedEndpoints, partedShop, Task } from '../contract/parted.shop.js';
import { connectionOf } from '../support/catalogue.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';

const tables = ['project', 'task', 'label', 'task_label', 'idempotency_record'];

const { contract } = service(
  {
    ...partedShop,
    root: {
      ...partedShop.root,
      authentication: new Claims(),
      rowLevelSecurity: {
        variables: (identity?: { tenant: string }) => ({ 'app.tenant': identity?.tenant ?? '' }),
        role: 'nest_endpoints_tenant',
      },
    },
    endpoints: [
      ...partedEndpoints,
      new Callable({
        url: 'own',
        toCall: ({ em }) =>
          em.transactional(async (inner) => (await inner.findAll(Task)).map(({ name }) => name)),
      }),
    ],
  },
  postgresqlOnly,
);

/** Policies on all shards, and a role that workers let in. */
const secure = async ({ orm }: Subject): Promise<void> => {
  const connection = connectionOf(orm);
  const [known] = await connection.execute<unknown[]>(
    "select 1 from pg_roles where rolname = 'nest_endpoints_tenant'",
  );
  if (known === undefined) await connection.execute('create role nest_endpoints_tenant login');
  await connection.execute('grant select on country to nest_endpoints_tenant');
  for (const table of tables) {
    await connection.execute(`grant select, insert, update, delete on ${table} to nest_endpoints_tenant`);
    await connection.execute(`alter table ${table} enable row level security`);
    await connection.execute(`drop policy if exists own on ${table}`);
    await connection.execute(
      `create policy own on ${table} using (tenant = current_setting('app.tenant', true))`,
    );
  }
};

contract(
  'Policies hold on workers, for requests of every kind and transactions of MikroORM',
  async (subject) => {
    expect(subject.orm).toBeInstanceOf(MikroORM);
    await fill(subject);
    await secure(subject);
    const as = (tenant: string, claimed = tenant) => ({
      ...of(tenant),
      'X-Claims': JSON.stringify({ tenant: claimed, sub: 'ann' }),
      'Idempotency-Key': 'key',
    });
    const failed: unknown[] = [];
    for (const [method, path, body] of partedRequests) {
      const { status } = await subject.request()[method](path).set(as('a')).send(body);
      if (status >= 500 || status === 403) failed.push([method, path, status]);
    }
    expect(failed).toEqual([]);
    // The statement names one tenant, the policy another one.
    expect((await subject.request().get('/flat').set(as('a', 'b'))).body.data).toEqual([]);
    expect((await subject.request().get('/tasks/3').set(as('b', 'a'))).status).toBe(404);
    const refused = await subject.request().post('/flat').set(as('a', 'b')).send({ id: 90, name: 'x' });
    expect(refused.status).toBe(403);
    const own = await subject.request().get('/own').set(as('b'));
    expect([...own.body.data].toSorted()).toEqual(['b 1', 'b 2', 'b 3']);
  },
);
