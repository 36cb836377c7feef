import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { MigrationFailure, Migrator } from '@nest-endpoints/migrations';
import { connectionOf } from '../support/catalogue.js';
import { heldUp } from '../support/waits.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

/** The tables of a tenant, and one that all of them share. */
const target = `
  create schema if not exists extra;
  create table extra.flag (code text primary key);
  create type kind as enum ('boat', 'raft');
  create table crew (id int generated always as identity primary key, name text not null unique);
  create table ship (id serial primary key, kind kind not null default 'boat', flag text references extra.flag,
    crew int references crew on delete cascade);
  create index ship_crew on ship (crew);
  create view crowded as select crew, count(*) as n from ship group by crew;`;
const wider = target.replace('name text not null unique', 'name text not null unique, rank int');
const required = target.replace('name text not null unique', 'name text not null unique, code text not null');

const schemas = ['t_*'];

/** A table that all tenants share, in a schema that is called as theirs are. */
const Flag = defineEntity({ name: 'Flag', schema: 't_shared', properties: { code: p.string().primary() } });

const failureOf = async (work: Promise<unknown>): Promise<readonly string[]> => {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof MigrationFailure) return error.lines;
  throw new Error('nothing failed', { cause: error });
};

describe.each(['postgresql', 'pglite'] as const)('%s', (name) => {
  /** PGlite reads its catalogue slowly: one sentence shows that it does the same. */
  const onServer = name === 'postgresql' ? test : () => undefined;
  let database: MigratedDatabase;
  beforeAll(async () => {
    database = await migratedDatabase(name);
  });
  beforeEach(async () => {
    const rows = await database.rows<{ name: string }>(
      `select nspname as name from pg_namespace where nspname like 't\\_%' or nspname = 'other'`,
    );
    for (const row of rows) await database.run(`drop schema ${row.name} cascade`);
    await database.empty();
  });
  afterAll(() => database.close());

  const to = (sql: string, more: object = {}) => database.to(sql, { schemas, ...more });
  const columns = async (): Promise<unknown> =>
    (
      await database.rows<{ text: string }>(
        `select table_schema || '.' || table_name || ': ' || string_agg(column_name, ' ' order by ordinal_position) as text
         from information_schema.columns where table_name = 'crew' group by table_schema, table_name order by 1`,
      )
    ).map(({ text }) => text);

  test('Schemas are added with the target in them, and listed with how far they are', async () => {
    expect(await to(target).run('apply')).not.toEqual([]);
    await database.run('create schema t_empty');
    const tenants = await to(target).tenants();
    expect(await tenants.list()).toEqual([{ name: 't_empty', state: 'unknown' }]);
    const told: string[] = [];
    const lines = await tenants.add(['t_b', 't_a'], (line) => told.push(line));
    expect(lines.filter((line) => line.startsWith('-- '))).toEqual(['-- t_a', '-- t_b']);
    expect(told).toHaveLength(2);
    expect(told[1]).toMatch(/^2\/2 t_\w: \d+ lines, \d+ ms$/);
    expect(await tenants.list()).toEqual([
      { name: 't_a', state: 'current' },
      { name: 't_b', state: 'current' },
      { name: 't_empty', state: 'unknown' },
    ]);
    expect(await columns()).toEqual(['public.crew: id name', 't_a.crew: id name', 't_b.crew: id name']);
    await database.run(`insert into extra.flag values ('F'); insert into t_a.crew (name) values ('x');
      insert into t_a.ship (flag, crew) values ('F', 1)`);
    expect(
      await database.rows('select id, kind::text, n::int from t_a.ship join t_a.crowded using (crew)'),
    ).toEqual([{ id: 1, kind: 'boat', n: 1 }]);
    // Everything of it is in the schema itself.
    expect(
      await database.rows(`select pg_get_serial_sequence('t_a.ship', 'id') as of_a, atttypid::regtype::text as kind
        from pg_attribute where attrelid = 't_a.ship'::regclass and attname = 'kind'`),
    ).toEqual([{ of_a: 't_a.ship_id_seq', kind: 't_a.kind' }]);
    expect(await tenants.run('plan', ['t_a', 't_b'])).toEqual([]);
    // Nor is any of it the application's own schema's.
    expect(await to(target).run('plan')).toEqual([]);
  });

  onServer('What cannot be added is said of each name, and nothing is made', async () => {
    await database.run('create schema t_there');
    const tenants = await to(target).tenants();
    const long = `t_${'x'.repeat(70)}`;
    expect(
      await failureOf(tenants.add(['t_there', 'other', 't_"; drop schema public', long, 'T_A', 't_ok'])),
    ).toEqual([
      'there is a schema t_there already',
      'other is none of the schemas that the option schemas describes',
      ...['t_"; drop schema public', long, 'T_A'].map(
        (one) => `'${one}' cannot be the name of a schema: small letters, digits and _, at most 63`,
      ),
    ]);
    // Its target does not work: nothing of it stays.
    const broken = await database
      .to('create table a (id int primary key); create table b (a int references extra.none)', { schemas })
      .tenants();
    await expect(broken.add(['t_ok'])).rejects.toThrow(MigrationFailure);
    expect((await tenants.list()).map((one) => one.name)).toEqual(['t_there']);
    expect(await failureOf(database.to(target).tenants())).toEqual([
      'the option schemas says of no schema that it is a tenant’s',
    ]);
  });

  onServer(
    'A schema that fails keeps no other from the target, and the next run goes on with it',
    async () => {
      await to(target).run('apply');
      const names = ['t_1', 't_2', 't_3'];
      await (await to(target).tenants()).add(names);
      await database.run(
        `insert into t_2.crew (name) values ('x'); insert into t_3.crew (name) values ('y')`,
      );
      const behind = await to(required).tenants();
      const planned = await behind.run('plan');
      expect(planned.filter((line) => line.startsWith('-- t_'))).toEqual(names.map((one) => `-- ${one}`));
      expect(planned.filter((line) => line.includes('have no value'))).toHaveLength(2);
      const lines = await failureOf(behind.run('apply'));
      expect(lines[0]).toBe('2 of 3 schemas failed, 1 did not; the same command goes on with:');
      expect(lines).toContain('t_2:   column t_2.crew.code');
      expect(lines).toContain(`t_3:   'crew.code': '…'`);
      expect((await behind.list()).map(({ state }) => state)).toEqual(['current', 'behind', 'behind']);
      const filled = await to(required, { fills: { 'crew.code': 'upper(name)' } }).tenants();
      const rest = await filled.run('apply');
      expect(rest.filter((line) => line.startsWith('-- t_'))).toEqual(['-- t_2', '-- t_3']);
      expect(await database.rows('select code from t_2.crew union all select code from t_3.crew')).toEqual([
        { code: 'X' },
        { code: 'Y' },
      ]);
      expect((await filled.list()).every(({ state }) => state === 'current')).toBe(true);
    },
  );

  onServer(
    'A connection that is lost fails its schema alone, with the reason, however many are at once',
    async () => {
      await to(target).run('apply');
      const names = ['t_a', 't_b', 't_c', 't_d'];
      await (await to(target).tenants()).add(names);
      const other = await database.another();
      const blocker = connectionOf(other);
      try {
        for (const schemasAtOnce of [1, 2]) {
          const changed = schemasAtOnce === 1 ? wider : wider.replace('rank int', 'rank int, place int');
          const told: string[] = [];
          let lines: Promise<readonly string[]> = Promise.resolve([]);
          await blocker.transactional(async (transaction) => {
            await blocker.execute('select from t_b.crew', [], 'all', transaction);
            const tenants = await to(changed, { schemasAtOnce, lockTimeout: 60_000 }).tenants();
            lines = failureOf(tenants.run('apply', undefined, (line) => told.push(line)));
            const [pid] = await heldUp({ em: () => other.em.fork() });
            await database.rows(`select pg_terminate_backend(${pid})`);
            await lines;
          });
          expect((await lines).slice(0, 2)).toEqual([
            '1 of 4 schemas failed, 3 did not; the same command goes on with:',
            't_b: nothing was changed: terminating connection due to administrator command',
          ]);
          expect(told).toHaveLength(4);
          const rest = await (await to(changed).tenants()).run('apply');
          expect(rest.filter((line) => line.startsWith('--'))).toEqual(['-- t_b']);
        }
      } finally {
        await other.close();
      }
    },
  );

  onServer(
    'A pattern says which schemas are changed, and renames and losses are judged in each',
    async () => {
      await to(target).run('apply');
      await (await to(target).tenants()).add(['t_a1', 't_a2', 't_b1']);
      const tenants = await to(wider).tenants();
      expect((await tenants.run('apply', ['t_a*'])).filter((line) => line.startsWith('--'))).toEqual([
        '-- t_a1',
        '-- t_a2',
      ]);
      expect(await columns()).toEqual([
        'public.crew: id name',
        't_a1.crew: id name rank',
        't_a2.crew: id name rank',
        't_b1.crew: id name',
      ]);
      expect(await failureOf(tenants.run('plan', ['t_zz']))).toEqual(['there is no schema t_zz of a tenant']);
      expect(await failureOf(tenants.run('plan', ['t_a; --']))).toHaveLength(1);
      expect(await failureOf(tenants.run('plan', ['public']))).toEqual([
        'there is no schema public of a tenant',
      ]);
      const back = await failureOf((await to(target).tenants()).run('apply', ['t_a1']));
      expect(back).toContain('t_a1:   column t_a1.crew.rank');
      const renamed = wider.replace('rank int', 'place int');
      const again = await to(renamed, {
        renames: [{ table: 'crew', column: 'rank', to: 'place' }],
      }).tenants();
      expect(await again.run('apply', ['t_a1'])).toEqual([
        '-- t_a1',
        'ALTER TABLE "t_a1"."crew" RENAME COLUMN "rank" TO "place"',
      ]);
      expect(await columns()).toContain('t_a2.crew: id name rank');
    },
  );

  onServer('A function that says its schema is the one of each', async () => {
    const counting = `create table crew (id int);
      create function crews() returns bigint language sql set search_path from current as 'select count(*) from crew'`;
    await (await to(counting).tenants()).add(['t_f1', 't_f2']);
    await database.run('insert into t_f2.crew values (1), (2)');
    expect(await database.rows('select t_f1.crews()::int as one, t_f2.crews()::int as two')).toEqual([
      { one: 0, two: 2 },
    ]);
    expect(await (await to(counting).tenants()).run('plan')).toEqual([]);
  });

  onServer('A start applies to the schemas that had another target last', async () => {
    await to(target).applyWhenChanged();
    await (await to(target).tenants()).add(['t_1', 't_2']);
    expect(await to(target).applyWhenChanged()).toEqual([]);
    const lines = await to(wider).applyWhenChanged();
    expect(lines.filter((line) => line.startsWith('--'))).toEqual(['-- t_1', '-- t_2']);
    expect(await to(wider).applyWhenChanged()).toEqual([]);
  });

  /** Does something while nobody may apply to a schema; undefined for the application's own. */
  const whileHeld = async (schema: string | undefined, work: () => Promise<void>): Promise<void> => {
    const other = await database.another();
    const blocker = connectionOf(other);
    try {
      await blocker.transactional(async (transaction) => {
        const lock = `select pg_advisory_xact_lock(1315206222, coalesce(hashtext(?::text), 0))`;
        await blocker.execute(lock, [schema ?? null], 'all', transaction);
        await work();
      });
    } finally {
      await other.close();
    }
  };
  const waiting = { em: () => database.orm.em.fork() };

  onServer('A schema of a tenant that comes while the others wait is left alone', async () => {
    await to(target).run('apply');
    let applied: Promise<readonly string[]> | undefined;
    await whileHeld(undefined, async () => {
      applied = to(wider, { allowDestructive: true }).run('apply');
      await heldUp(waiting);
      await database.run('create schema t_new; create table t_new.crew (id int)');
    });
    expect(await applied).toEqual([expect.stringContaining('"public"."crew"')]);
    expect(await columns()).toEqual(['public.crew: id name rank', 't_new.crew: id']);
  });

  onServer('A schema of a tenant that goes before its turn is not made again', async () => {
    await to(target).run('apply');
    await (await to(target).tenants()).add(['t_a', 't_b']);
    const tenants = await to(wider).tenants();
    let lines: Promise<readonly string[]> | undefined;
    await whileHeld('t_a', async () => {
      lines = failureOf(tenants.run('apply'));
      await heldUp(waiting);
      await database.run('drop schema t_a cascade');
    });
    expect(await lines).toEqual([
      expect.stringMatching(/^1 of 2 schemas failed, 1 did not/),
      't_a: nothing was changed: there is no such schema any more',
    ]);
    expect(await database.rows(`select 1 from pg_namespace where nspname = 't_a'`)).toEqual([]);
  });

  onServer('A schema that an entity names is none of a tenant, whatever the pattern', async () => {
    const cursor = await database.another({ entities: [Flag] });
    const sql = ['create schema t_shared; create table t_shared.flag (code text primary key);'];
    const own = new Migrator({ cursor, schemas, sql });
    try {
      await own.run('apply');
      expect(await database.rows('select * from t_shared.flag')).toEqual([]);
      expect(await (await own.tenants()).list()).toEqual([]);
    } finally {
      await cursor.close();
    }
  });
});
