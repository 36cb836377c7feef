import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { exec } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { partedEndpoints, partedShop } from '../contract/parted.shop.js';
import { connectionOf } from '../support/catalogue.js';
import { once, service, type Subject } from '../support/contract.js';
import { Acknowledged } from './acknowledged.js';

const { contract } = service(
  { ...partedShop, root: { ...partedShop.root, authentication: new Public() }, endpoints: partedEndpoints },
  once,
);

const kills = 20;
const tenants = Array.from({ length: 8 }, (_, index) => `t${index}`);

/** The command of whoever gives the cluster: it kills the worker at CITUS_WORKER_PORT, and starts it again. */
const killCommand = (): string => {
  const { CITUS_KILL: command } = process.env;
  if (!command) throw new Error('CITUS_KILL is not set: a command that kills a worker and starts it again');
  return command;
};

/** A worker, and the tenants whose records are on it. */
const killed = async ({
  orm,
}: Subject): Promise<{ readonly port: number; readonly on: ReadonlySet<string> }> => {
  const placed = await connectionOf(orm).execute<{ tenant: string; port: number }[]>(
    `select t.tenant, s.nodeport as port from unnest(array[${tenants.map((one) => `'${one}'`).join()}]) as t(tenant)
     join citus_shards s on s.shardid = get_shard_id_for_distribution_column('task', t.tenant)`,
  );
  const port = Number(placed[0]?.port);
  return {
    port,
    on: new Set(placed.filter((one) => one.port === port).map(({ tenant }) => tenant)),
  };
};

contract(
  'Kills of a worker under writes lose nothing that was acknowledged, and are no error of others',
  async (subject) => {
    const command = killCommand();
    const { port, on } = await killed(subject);
    expect(on.size).toBeGreaterThan(0);
    expect(on.size).toBeLessThan(tenants.length);
    const acknowledged = new Acknowledged(subject);
    const writers = tenants.map((tenant) =>
      acknowledged.write(tenant, 1, ['/flat', '/hooked'], on.has(tenant) ? 'own' : 'other'),
    );
    for (let kill = 0; kill < kills; kill += 1) {
      const before = acknowledged.count;
      await promisify(exec)(command, { env: { ...process.env, CITUS_WORKER_PORT: String(port) } });
      while (acknowledged.count < before + 50) await nextTurn();
    }
    acknowledged.end();
    await Promise.all(writers);
    console.log(`${kills} kills: ${String(acknowledged)}`);
    expect(await acknowledged.lost()).toEqual([]);
    // Of a record whose create nobody knows of, an update may find none.
    expect(acknowledged.refused.filter((key) => !/^own (post .* 503|patch .* (503|404))$/.test(key))).toEqual(
      [],
    );
  },
);
