import { expect } from '@jest/globals';
import { Public } from '@nest-endpoints/core';
import { partedRequests } from '../contract/parted.requests.js';
import { fill, of, partedEndpoints, partedShop } from '../contract/parted.shop.js';
import { once, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { connectionOf } from '../support/catalogue.js';
import { Acknowledged } from './acknowledged.js';

const shop = {
  ...partedShop,
  root: { ...partedShop.root, authentication: new Public() },
  endpoints: partedEndpoints,
};

const { contract } = service(shop, postgresqlOnly);

/** The number of statements that the coordinator sent to more than one shard, and to one. */
const counted = async ({ orm }: Subject): Promise<readonly [several: number, one: number]> => {
  const [row] = await connectionOf(orm).execute<{ several: string; one: string }[]>(
    `select query_execution_multi_shard as several, query_execution_single_shard as one
     from citus_stat_counters where name = current_database()`,
  );
  return [Number(row?.several), Number(row?.one)];
};

const keyed = { ...of('a'), 'Idempotency-Key': 'key' };

contract('Every request over distributed tables goes to one shard', async (subject) => {
  await fill(subject);
  const several: unknown[] = [];
  let single = 0;
  for (const [method, path, body] of partedRequests) {
    const before = await counted(subject);
    const { status } = await subject.request()[method](path).set(keyed).send(body);
    const after = await counted(subject);
    if (status >= 500 || after[0] > before[0]) several.push([method, path, status, after[0] - before[0]]);
    single += after[1] - before[1];
  }
  expect(several).toEqual([]);
  expect(single).toBeGreaterThan(partedRequests.length);
});

const moves = 20;

const drill = service(shop, once);

drill.contract('Shards that move under writes lose nothing that was acknowledged', async (subject) => {
  await fill(subject);
  const acknowledged = new Acknowledged(subject);
  const urls = ['/flat', '/hooked'];
  const writers = [
    acknowledged.write('a', 1000, urls),
    acknowledged.write('b', 1000, urls),
    acknowledged.write('a', 500_000, urls),
  ];
  for (let move = 0; move < moves; move += 1) await moveShard(subject);
  acknowledged.end();
  await Promise.all(writers);
  console.log(`${moves} moves: ${String(acknowledged)}`);
  expect(await acknowledged.lost()).toEqual([]);
  expect(acknowledged.count).toBeGreaterThan(moves);
  expect(acknowledged.refused.filter((key) => !key.endsWith(' 503'))).toEqual([]);
});

/** Moves the shard that a tenant is on to the other worker, and what is beside it. */
const moveShard = async ({ orm }: Subject): Promise<void> => {
  const connection = connectionOf(orm);
  const [placed] = await connection.execute<Record<string, string>[]>(
    `select s.shardid, s.nodename, s.nodeport, w.nodename as toname, w.nodeport as toport
     from citus_shards s join pg_dist_node w on w.noderole = 'primary' and w.groupid <> 0
       and (w.nodename, w.nodeport) <> (s.nodename, s.nodeport)
     where s.shardid = get_shard_id_for_distribution_column('task', 'a') limit 1`,
  );
  if (placed === undefined) throw new Error('the shard of the tenant has no other worker to go to');
  const { shardid, nodename, nodeport, toname, toport } = placed;
  await connection.execute(
    `select citus_move_shard_placement(${shardid}, '${nodename}', ${nodeport}, '${toname}', ${toport}, 'force_logical')`,
  );
};
