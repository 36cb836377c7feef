import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { command, type Ended } from '../support/command-line/command.js';
import { migratedDatabase, type MigratedDatabase } from '../support/migrations.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await migratedDatabase('postgresql');
});
afterAll(() => database.close());

const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  command(words, {
    application: 'told',
    databaseUrl: database.url,
    environment: { TOKEN: 's3cret', ...environment },
  });

/** The answer of a command that succeeds. */
const dataOf = ({ code, output, errors }: Ended): unknown => {
  expect([code, errors]).toEqual([0, '']);
  return (JSON.parse(output) as { data: unknown }).data;
};

test('events status tells how far events are handed on, events replay goes back, and webhooks retry revives what is dead', async () => {
  expect((await run(['parts', '-d', '{"name": "A"}'], { MIGRATES: 'yes' })).code).toBe(0);
  const nothing = { lag: 0, held: false, due: 0, dead: 0 };
  expect(dataOf(await run(['events', 'status']))).toEqual(nothing);
  // As if a process had handed it on, and the receiver had taken nothing.
  await database.run(`
    insert into event_position (name, transaction, change_id, at, holder, beat)
      select 'events', transaction::text, id::text, at, 'somebody', 7 from change_record;
    insert into webhook_subscription (id, url, events, secrets, created_at)
      values (1, 'http://127.0.0.1:1/', '["part"]', '[]', now());
    insert into webhook_delivery (subscription_id, event_id, type, model, record_id, body, state, tries, due_at, created_at, ended_at)
      values (1, gen_random_uuid(), 'part.created', 'Part', '1', '{}', 'dead', 10, now(), now(), now())`);
  const [{ transaction } = { transaction: '' }] = await database.rows<{ transaction: string }>(
    'select transaction::text as transaction from change_record',
  );
  const done = { transaction, id: '1', lag: 0, held: true, due: 0, dead: 1 };
  expect(dataOf(await run(['events', 'status']))).toEqual(done);

  expect(dataOf(await run(['events', 'replay', '--from', '1']))).toEqual({ transaction, id: '0' });
  const back = dataOf(await run(['events', 'status'])) as { lag: number };
  expect(back).toEqual({ ...done, id: '0', held: false, lag: expect.any(Number) });
  expect(back.lag).toBeGreaterThan(0);
  const wrong = await run(['events', 'replay', '--from', 'yesterday']);
  expect(wrong.code).not.toBe(0);
  expect(wrong.errors).toContain('value should be an instant');

  expect(dataOf(await run(['webhooks', 'retry']))).toEqual({ retried: 1 });
  expect(dataOf(await run(['events', 'status']))).toMatchObject({ due: 1, dead: 0 });
  expect((await run(['events', 'status'], { TOKEN: 'wrong' })).code).not.toBe(0);
}, 180_000);
