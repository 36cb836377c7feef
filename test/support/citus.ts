import { MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';

/** The coordinator of a cluster of Citus; undefined where this run has none (`npm run test:citus`). */
export const citusUrl = process.env['CITUS_URL'];

/** Few shards, so that tables are made in no time, and still more than one on each worker. */
const shards = 4;

interface Node {
  readonly name: string;
  readonly port: number;
}

/** Makes a database on all nodes of the cluster, and the nodes known to each other in it. */
export const createCitusDatabase = async (coordinator: string, name: string): Promise<void> => {
  const nodes = await workersOf(coordinator);
  const all = [coordinator, ...nodes.map((node) => addressOf(coordinator, node))];
  for (const url of all)
    await on(url, [`create database ${name} template template0 encoding 'UTF8' locale 'C'`]);
  for (const url of all) await on(urlTo(url, name), ['create extension citus']);
  const { hostname, port } = new URL(coordinator);
  await on(urlTo(coordinator, name), [
    `select citus_set_coordinator_host('${hostname}', ${port || 5432})`,
    ...nodes.map((node) => `select citus_add_node('${node.name}', ${node.port})`),
    `alter database ${name} set citus.shard_count = ${shards}`,
    `alter database ${name} set citus.enable_stat_counters = on`,
  ]);
};

export const dropCitusDatabase = async (coordinator: string, name: string): Promise<void> => {
  const nodes = await workersOf(coordinator);
  for (const url of [coordinator, ...nodes.map((node) => addressOf(coordinator, node))])
    await on(url, [`drop database ${name} with (force)`]);
};

const workersOf = async (coordinator: string): Promise<readonly Node[]> => {
  const workers = `select nodename as name, nodeport as port from pg_dist_node
    where groupid <> 0 and noderole = 'primary' order by nodeid`;
  return (await on(coordinator, [workers])) as unknown as readonly Node[];
};

const addressOf = (coordinator: string, { name, port }: Node): string =>
  Object.assign(new URL(coordinator), { hostname: name, port: String(port) }).href;

const urlTo = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: database }).href;

/** The rows of the last of some statements. */
const on = async (clientUrl: string, statements: readonly string[]): Promise<readonly object[]> => {
  const orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  try {
    let rows: readonly object[] = [];
    for (const statement of statements) rows = await orm.driver.getConnection().execute(statement);
    return rows;
  } finally {
    await orm.close();
  }
};
