import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { once, postgresqlOnly, service } from '../support/contract.js';
import { tablesWithout } from '../support/scoped.tables.js';
import { Statements } from '../support/statements.js';
import { partedRequests } from './parted.requests.js';
import { fill, of, partedEndpoints, partedShop } from './parted.shop.js';

const columns = new Map(
  ['task', 'project', 'label', 'task_label', 'idempotency_record'].map((table) => [table, 'tenant']),
);

const { contract } = service(
  { ...partedShop, root: { ...partedShop.root, authentication: new Public() }, endpoints: partedEndpoints },
  postgresqlOnly,
);

const keyed = { ...of('a'), 'Idempotency-Key': 'key' };

contract('Every statement over tables in parts names the part of every table', async (subject) => {
  await fill(subject);
  const statements = await Statements.of(subject);
  const without: string[] = [];
  for (const [method, path, body] of partedRequests) {
    const sent = await statements.during(async () => {
      const { status } = await subject.request()[method](path).set(keyed).send(body);
      expect([method, path, status]).toEqual([method, path, status < 500 && status !== 404 ? status : 200]);
    });
    expect([path, sent.length > 0]).toEqual([path, true]);
    for (const statement of sent)
      for (const table of await tablesWithout(statement, columns))
        without.push(`${method} ${path}: ${table}: ${statement}`);
  }
  expect(without).toEqual([]);
});

const direct = service(
  { ...partedShop, root: { ...partedShop.root, authentication: new Public() }, endpoints: partedEndpoints },
  once,
);

direct.contract(
  'A write of one record over tables in parts is one statement past MikroORM',
  async (subject) => {
    await fill(subject);
    const statements = await Statements.of(subject);
    const sent = (method: 'post' | 'patch' | 'delete', path: string, body?: object) =>
      statements.during(() => subject.request()[method](path).set(keyed).send(body));
    expect(await sent('post', '/flat', { id: 9, name: 'a 9', project_id: 2 })).toHaveLength(1);
    expect(await sent('patch', '/flat/9', { name: 'a 10', project_id: 1 })).toHaveLength(1);
    expect(await sent('delete', '/flat/9')).toHaveLength(1);
    const records = [{ id: 20, name: 'a 20', project_id: 1 }];
    expect(await sent('post', '/flat/bulk', { records })).toHaveLength(1);
  },
);
