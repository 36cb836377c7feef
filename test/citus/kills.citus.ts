import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { exec } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { of, partedEndpoints, partedShop, Task } from '../contract/parted.shop.js';
import { connectionOf } from '../support/catalogue.js';
import { once, service, type Subject } from '../support/contract.js';

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
    const acknowledged: string[] = [];
    const refusals = new Map<string, number>();
    let isKilling = true;
    const write = async (tenant: string): Promise<void> => {
      for (let id = 1; isKilling; id += 1) {
        const url = id % 2 === 0 ? '/flat' : '/hooked';
        const { status } = await subject
          .request()
          .post(url)
          .set(of(tenant))
          .send({ id, name: `${tenant} ${id}` });
        if (status === 201) acknowledged.push(`${tenant} ${id}`);
        else {
          const key = `${on.has(tenant) ? 'own' : 'other'} ${url} ${status}`;
          refusals.set(key, (refusals.get(key) ?? 0) + 1);
        }
      }
    };
    const writers = tenants.map(write);
    for (let kill = 0; kill < kills; kill += 1) {
      const before = acknowledged.length;
      await promisify(exec)(command, { env: { ...process.env, CITUS_WORKER_PORT: String(port) } });
      while (acknowledged.length < before + 50) await nextTurn();
    }
    isKilling = false;
    await Promise.all(writers);
    const stored = await subject.em().find(Task, {});
    const known = new Set(stored.map(({ tenant, id }) => `${tenant} ${id}`));
    console.log(
      `${kills} kills: ${acknowledged.length} creates acknowledged; refused: ${JSON.stringify([...refusals])}`,
    );
    expect(acknowledged.filter((one) => !known.has(one))).toEqual([]);
    expect([...refusals.keys()].filter((key) => !key.startsWith('own ') || !key.endsWith(' 503'))).toEqual(
      [],
    );
  },
);
