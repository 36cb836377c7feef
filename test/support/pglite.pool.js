// Loaded by the test environment with Node, outside of Jest's module system: what stands here lives as long as the worker.
import { cube } from '@electric-sql/pglite/contrib/cube';
import { earthdistance } from '@electric-sql/pglite/contrib/earthdistance';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { MikroORM, PgliteDriver } from '@mikro-orm/pglite';
import { createHook } from 'node:async_hooks';
import { pgliteSnapshot } from './pglite.snapshot.ts';

/** Those that nobody has borrowed, as empty as on their first day. */
const spare = [];

/** Enough for a file whose applications run side by side; more would only keep memory. */
const most = 4;

/** Everything that a new database has not, by a query for the statements that drop it. */
const contents = [
  `select format('drop event trigger %I cascade', evtname) as statement from pg_event_trigger`,
  `select format('drop publication %I cascade', pubname) as statement from pg_publication`,
  `select format('drop extension if exists %I cascade', extname) as statement from pg_extension where extname <> 'plpgsql'`,
  `select format('drop schema %I cascade', nspname) as statement from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  `select unnest(array[format('drop owned by %I cascade', rolname), format('drop role %I', rolname)]) as statement
    from pg_roles where rolname !~ '^pg_' and rolname <> current_user`,
];

const publicAgain = `
  create schema public authorization pg_database_owner;
  comment on schema public is 'standard public schema';
  grant usage on schema public to public`;

/** What an emptied database must have as many of as on its first day. */
const counted = [
  'pg_authid',
  'pg_cast',
  'pg_class',
  'pg_collation',
  'pg_constraint',
  'pg_conversion',
  'pg_db_role_setting',
  'pg_default_acl',
  'pg_depend',
  'pg_description',
  'pg_extension',
  'pg_foreign_data_wrapper',
  'pg_init_privs',
  'pg_language',
  'pg_largeobject_metadata',
  'pg_namespace',
  'pg_operator',
  'pg_proc',
  'pg_trigger',
  'pg_type',
];

const census = async (pglite) => {
  const { rows } = await pglite.query(
    `select ${counted.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  );
  return JSON.stringify(rows);
};

/** What each had when it was new: the census, and the properties of its object. */
const firstDays = new WeakMap();

/** The extensions that a file may create: there they are, as on a server, but not made. */
const extensions = { cube, earthdistance, pg_trgm, vector };

/** The timer that PostgreSQL sets when it starts, for ten seconds; nobody has to wait for it when the worker ends. */
const startTimer = 10_000;

const boot = async () => {
  const timers = [];
  const hook = createHook({ init: (_id, _type, _cause, made) => timers.push(made) }).enable();
  try {
    return await booted();
  } finally {
    hook.disable();
    for (const timer of timers) if (timer._idleTimeout === startTimer) timer.unref();
  }
};

const booted = async () => {
  const orm = await MikroORM.init({
    driver: PgliteDriver,
    dbName: 'memory://',
    driverOptions: { loadDataDir: pgliteSnapshot, extensions },
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  const pglite = await orm.driver.getConnection().getNativeClient();
  const firstDay = { own: Object.keys(pglite) };
  firstDays.set(pglite, firstDay);
  await restore(pglite);
  firstDay.census = await census(pglite);
  return pglite;
};

const restore = async (pglite) => {
  const { own } = firstDays.get(pglite);
  for (const name of Object.keys(pglite)) if (!own.includes(name)) Reflect.deleteProperty(pglite, name);
  await pglite.exec('rollback');
  await pglite.exec('discard all');
  await pglite.exec('set session_replication_role = replica');
  for (const query of contents)
    for (const { statement } of (await pglite.query(query)).rows) await pglite.exec(statement);
  await pglite.exec(publicAgain);
  await pglite.exec('discard all');
};

const isLikeNew = async (pglite) => {
  if (pglite.closed || spare.length >= most) return false;
  try {
    await restore(pglite);
    return (await census(pglite)) === firstDays.get(pglite).census;
  } catch {
    return false;
  }
};

/**
 * The PGlites of a worker. To boot one takes longer than most files take with it, so they go from hand to hand; whoever
 * leaves anything behind in it that cannot be taken out again has had it as the last one.
 */
export const pglites = Object.freeze({
  lend: async () => spare.pop() ?? (await boot()),
  giveBack: async (pglite) => {
    if (await isLikeNew(pglite)) spare.push(pglite);
    else if (!pglite.closed) await pglite.close();
  },
});
