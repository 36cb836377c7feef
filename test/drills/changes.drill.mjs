// `kill -9` of PostgreSQL and of the service in turn, in the middle of writes whose changes are recorded: the log has a row for
// every change that is there, and none without one. Both tell of every state that a record had.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { repeatedly } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';

/** The life of a record, or of several, by a path: each step is a request that has to succeed before the next one. */
const lives = [
  async (step, path, code) => {
    const { id } = await step('POST', `/${path}`, { code });
    await step('PATCH', `/${path}/${id}`, { round: 1 });
    await step('DELETE', `/${path}/${id}`);
    await step('POST', `/${path}/trash/${id}/restore`);
    await step('PATCH', `/${path}/${id}`, { round: 2 });
  },
  async (step, path, code) => {
    const records = ['a', 'b', 'c'].map((part) => ({ code: `${code} ${part}` }));
    const ids = (await step('POST', `/${path}/bulk`, { records })).map(({ id }) => id);
    await step('PATCH', `/${path}/bulk`, { ids, changes: { round: 1 } });
    await step('DELETE', `/${path}/bulk`, { ids });
    await step('DELETE', `/${path}/trash/${ids[0]}`);
  },
  async (step, path, code) => {
    const url = `/coded-${path.replace('hooked-', '')}/${encodeURIComponent(code)}`;
    for (let round = 0; round < 3; round += 1) await step('PUT', url, { round });
  },
  async (step, path, code) => {
    const operations = ['a', 'b'].map((part) => ({
      method: 'POST',
      path: part === 'a' ? `/${path}` : '/items',
      body: { code: `${code} ${part}` },
    }));
    await step('POST', '/batch', { operations });
  },
];

const paths = ['items', 'hooked-items', 'parcels', 'hooked-parcels'];

export const drill = {
  forms: { short: { kills: 4, load: 500, down: 200 }, full: { kills: 20, load: 2000, down: 1000 } },
  limits: {
    acknowledgedWrites: atLeast(({ kills }) => 20 * kills),
    changes: atLeast(({ kills }) => 20 * kills),
    lostWrites: exactly(0),
    changesWithoutRow: exactly(0),
    rowsWithoutChange: exactly(0),
    otherAnswers: exactly(0),
    sessionsLeft: exactly(0),
  },

  /** @param load how long records are written before each kill, `down` how long PostgreSQL stays away, in milliseconds */
  async run(stage, { kills, load, down }) {
    const postgres = await stage.postgres();
    const entry = new URL('applications/changes.mjs', import.meta.url);
    const start = () => stage.application({ entry, databaseUrl: postgres.url });
    let application = await start();
    let client = clientOf(application.url);
    const acknowledged = new Map();
    const others = [];
    let writes = 0;
    let count = 0;
    let isOver = false;
    const living = repeatedly(
      16,
      () => isOver,
      async (caller) => {
        count += 1;
        const code = `${String(count)} of ${String(caller)}`;
        const step = async (method, path, body) => {
          const answer = await client.send(method, path, body);
          if (answer.status === 200 || answer.status === 201) {
            writes += 1;
            if (body?.code !== undefined) acknowledged.set(body.code, path);
            return answer.body.data;
          }
          // The service itself is gone for a moment, or PostgreSQL is.
          if (answer.status === undefined || answer.status === 503) await sleep(20);
          else others.push(JSON.stringify(answer.body));
          throw new Interrupted();
        };
        const live = lives[count % lives.length];
        await live(step, paths[Math.floor(count / lives.length) % paths.length], code).catch((error) => {
          if (!(error instanceof Interrupted)) throw error;
        });
      },
    );
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(load);
      if (kill % 2 === 0) {
        await postgres.kill();
        await sleep(down);
        await postgres.start();
      } else {
        await application.end();
        client.close();
        application = await start();
        client = clientOf(application.url);
      }
    }
    await sleep(load);
    isOver = true;
    await living;
    await application.end();
    client.close();
    const { stored, log, sessions } = await found(postgres);
    const told = replayed(log);
    const codes = new Set(stored.map(({ row }) => row.code));
    return {
      kills,
      acknowledgedWrites: writes,
      changes: log.length,
      lostWrites: [...acknowledged.keys()].filter((code) => !codes.has(code)).length,
      changesWithoutRow: stored.filter(({ key, row }) => told.now.get(key) !== textOf(row)).length,
      rowsWithoutChange:
        told.broken + [...told.now.keys()].filter((key) => !stored.some((one) => one.key === key)).length,
      otherAnswers: others.length,
      ...(others.length > 0 && { others: others.slice(0, 3) }),
      sessionsLeft: sessions.length,
    };
  },
};

/** Ends the life of a record that nobody knows more of. */
class Interrupted extends Error {}

/** Every record beside its whole log, in the order in which its changes were made. */
async function found(postgres) {
  const stored = await postgres.query(`select 'Item ' || id as key, to_jsonb(t) as row from item t
    union all select 'Parcel ' || id, to_jsonb(t) from parcel t`);
  const log = await postgres.query(
    `select model || ' ' || record_id as key, operation, before, after from change_record order by id`,
  );
  const sessions = await postgres.query(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  return { stored, log, sessions };
}

/** The records that the log tells of; a change that does not follow the one before it is broken. */
function replayed(log) {
  const now = new Map();
  let broken = 0;
  for (const { key, operation, before, after } of log) {
    const known = now.get(key);
    const follows =
      operation === 'created'
        ? known === undefined
        : Object.entries(before).every(([name, value]) => known?.[name] === value);
    if (!follows) broken += 1;
    if (after === null) now.delete(key);
    else now.set(key, { ...known, ...after });
  }
  return { now: new Map([...now].map(([key, row]) => [key, textOf(row)])), broken };
}

/** A record in one form: the log has names of properties, the table those of columns. */
function textOf(row) {
  const { deleted_at: mark, ...rest } = row;
  return JSON.stringify(
    Object.entries('deleted_at' in row ? { ...rest, deletedAt: mark } : row).toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    ),
  );
}
