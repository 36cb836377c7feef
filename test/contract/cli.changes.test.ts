import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { command, type Ended } from '../support/command-line/command.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});
afterAll(() => database.close());

const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  command(words, { application: 'recorded', databaseUrl: database.url, environment });

test('changes prints triggers and rights as SQL, and deletes what is kept no longer; history is a word of records', async () => {
  expect((await run(['parts', '-d', '{"name": "A"}'], { MIGRATES: 'yes' })).code).toBe(0);
  const { output: past } = await run(['parts', 'history', '1']);
  expect(JSON.parse(past)).toMatchObject({
    data: [{ operation: 'created', changes: { name: { after: 'A' } } }],
  });
  await database.run(`insert into tool (name) values ('B'); drop trigger change_record_row on tool`);
  const { code, output, errors } = await run(['changes', 'triggers']);
  expect([code, errors]).toEqual([0, '']);
  await database.run(output);
  await database.run(`insert into tool (name) values ('C')`);

  const grants = await run(['changes', 'grants', 'pg_monitor']);
  await database.run(grants.output);
  const may = `select has_table_privilege('pg_monitor', 'change_record', p) as may
    from unnest(array['select', 'insert', 'update', 'delete']) with ordinality as t(p, nr) order by nr`;
  const rights = await database.rows<{ may: boolean }>(may);
  expect(rights.map((one) => one.may)).toEqual([true, true, false, false]);
  await database.run('revoke all on change_record, change_record_id_seq from pg_monitor');

  await database.run(`update change_record set at = at - interval '1 hour'`);
  // A transaction of another test on the same server may hold readers back.
  const unread = `select 1 from change_record where transaction >= pg_snapshot_xmin(pg_current_snapshot())`;
  while ((await database.rows(unread)).length > 0);
  expect(await run(['changes', 'prune'])).toMatchObject({ code: 0, output: '{"deleted":1}\n', errors: '' });
  const left = await database.rows<{ model: string; operation: string }>(
    'select model, operation from change_record',
  );
  expect(left).toEqual([
    { model: 'Tool', operation: 'created' },
    { model: 'Tool', operation: 'created' },
  ]);

  await database.run(`create schema t_a; create table t_a.change_record (like change_record including all);
    insert into t_a.change_record select * from change_record;
    update t_a.change_record set model = 'Part'`);
  const all = await run(['changes', 'prune'], { SCHEMAS: 't_*' });
  expect(all).toMatchObject({ code: 0, output: '{"deleted":2}\n' });
});
