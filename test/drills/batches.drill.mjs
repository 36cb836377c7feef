// `kill -9` of PostgreSQL and of the service in turn, in the middle of requests that write many records: nothing half is there,
// and nothing that was acknowledged is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { repeatedly } from './support/figures.mjs';
import { atLeast, exactly } from './support/limits.mjs';

/** The number of records that one request writes. */
const parts = 4;

const partsOf = (mark) => Array.from({ length: parts }, (_, part) => ({ mark, part }));

/** The url of one statement, or of MikroORM's way, in turn. */
const eitherUrl = (mark) => (mark.length % 2 === 0 ? '/entries/bulk' : '/hooked-entries/bulk');

const createMany = (client, mark) => client.post(eitherUrl(mark), { records: partsOf(mark) });

/**
 * The sorts of requests that write all of their records or none: each sends the parts of one mark. What `changes` has done shows
 * in their rounds.
 */
const writes = {
  batches: (client, mark) =>
    client.post('/batch', {
      operations: partsOf(mark).map((body) => ({
        method: 'POST',
        path: body.part % 2 === 0 ? '/entries' : '/hooked-entries',
        body,
      })),
    }),
  bulks: createMany,
  changes: async (client, mark) => {
    const created = await createMany(client, mark);
    if (created.status !== 201) return created;
    const ids = created.body.data.map(({ id }) => id);
    return client.send('PATCH', eitherUrl(mark), { ids: ids.toReversed(), changes: { round: 1 } });
  },
};

export const drill = {
  forms: { short: { kills: 4, load: 500, down: 200 }, full: { kills: 20, load: 2000, down: 1000 } },
  limits: {
    acknowledgedWrites: atLeast(({ kills }) => 5 * kills),
    lostWrites: exactly(0),
    halfWrites: exactly(0),
    otherAnswers: exactly(0),
    sessionsLeft: exactly(0),
  },

  /** @param load how long records are written before each kill, `down` how long PostgreSQL stays away, in milliseconds */
  async run(stage, { kills, load, down }) {
    const postgres = await stage.postgres();
    const entry = new URL('applications/entries.mjs', import.meta.url);
    const start = () => stage.application({ entry, databaseUrl: postgres.url });
    let application = await start();
    let client = clientOf(application.url);
    const acknowledged = new Set();
    const others = [];
    const sorts = Object.entries(writes);
    let count = 0;
    let isOver = false;
    const writing = repeatedly(
      16,
      () => isOver,
      async (caller) => {
        const [name, write] = sorts[(count += 1) % sorts.length];
        const mark = `${name} ${String(count)} of ${String(caller)}`;
        const answer = await write(client, mark);
        if (answer.status === 200 || answer.status === 201) acknowledged.add(mark);
        // The service itself is gone for a moment, or PostgreSQL is, which may be told of one operation.
        else if (answer.status === undefined || answer.status === 503) await sleep(20);
        else others.push(JSON.stringify(answer.body));
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
    await writing;
    await application.end();
    client.close();
    const stored = await postgres.query(
      'select mark, count(*)::int as parts, min(round) as first, max(round) as last from entry group by mark',
    );
    const rounds = new Map(stored.map(({ mark, first }) => [mark, first]));
    const isLost = (mark) => rounds.get(mark) !== (mark.startsWith('changes') ? 1 : 0);
    const sessions = await postgres.query(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return {
      kills,
      acknowledgedWrites: acknowledged.size,
      lostWrites: [...acknowledged].filter(isLost).length,
      halfWrites: stored.filter((one) => one.parts !== parts || one.first !== one.last).length,
      otherAnswers: others.length,
      ...(others.length > 0 && { others: others.slice(0, 3) }),
      sessionsLeft: sessions.length,
    };
  },
};
