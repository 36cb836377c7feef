// `kill -9` of the replica under reads, with and without PgBouncer in front of it: reads go on from the primary.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { largest, repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';
import { reasonAgainstPgBouncer } from './support/pgbouncer.mjs';

const callers = 32;

export const drill = {
  forms: { short: { kills: 1, load: 2000 }, full: { kills: 5, load: 5000 } },
  limits: {
    reads: atLeast(({ kills }) => 40 * kills),
    readsOnReplica: atLeast(({ kills }) => 10 * kills),
    readsWhileItWasDead: atLeast(({ kills }) => 20 * kills),
    // One for each caller and kill was in flight.
    failedReads: atMost(callers),
    failedReadsLater: exactly(0),
    readsOnReplicaAgain: atLeast(10),
    // The time limits of the connection to the replica, five and two seconds; then it is the primary's turn.
    slowestMs: atMost(7500),
  },

  /** @param load how long it is read before and after each kill, in milliseconds */
  async run(stage, { kills, load }) {
    const ways = reasonAgainstPgBouncer === undefined ? ['direct', 'pooled'] : ['direct'];
    const all = [];
    for (const way of ways) all.push(await killed(stage, way, { kills, load }));
    const sum = (name) => all.reduce((total, figures) => total + figures[name], 0);
    const least = (name) => Math.min(...all.map((figures) => figures[name]));
    return {
      ways: ways.join(', '),
      kills: kills * ways.length,
      reads: sum('reads'),
      readsOnReplica: least('readsOnReplica'),
      readsWhileItWasDead: least('readsWhileItWasDead'),
      failedReads: largest(all.map(({ failedReads }) => failedReads)),
      failedReadsLater: sum('failedReadsLater'),
      readsOnReplicaAgain: least('readsOnReplicaAgain'),
      slowestMs: largest(all.map(({ slowestMs }) => slowestMs)),
      ...(sum('failedReads') > 0 && { examples: all.flatMap(({ examples }) => examples).slice(0, 3) }),
    };
  },
};

async function killed(stage, way, { kills, load }) {
  const { primary, standby } = await stage.cluster();
  const through = async (server) => (way === 'pooled' ? await stage.pgbouncer(server) : server);
  const application = await stage.application({
    databaseUrl: (await through(primary)).url,
    replicaUrl: (await through(standby)).url,
    ...(way === 'pooled' && { limits: { pooler: 'transaction' } }),
  });
  const client = clientOf(application.url);
  const made = await client.post('/notes', { text: 'read' });
  const path = `/notes/${String(made.body.data.id)}`;
  await sleep(500);
  const figures = {
    reads: 0,
    readsOnReplica: 0,
    readsWhileItWasDead: 0,
    failedReads: 0,
    failedReadsLater: 0,
    readsOnReplicaAgain: 0,
  };
  const waits = [];
  const examples = [];
  let isOver = false;
  let isDead = false;
  let diedAt = 0;
  const reading = repeatedly(
    callers,
    () => isOver,
    async (caller) => {
      const begun = performance.now();
      const answer = await client.get(caller % 2 === 0 ? path : '/notes?limit=5');
      figures.reads += 1;
      waits.push(answer.took);
      if (answer.status === 200) {
        if (isDead) figures.readsWhileItWasDead += 1;
        return;
      }
      figures[isDead && begun > diedAt ? 'failedReadsLater' : 'failedReads'] += 1;
      examples.push(answer.error?.message ?? answer.body);
    },
  );
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(load);
    figures.readsOnReplica = await readsOf(standby);
    diedAt = performance.now();
    isDead = true;
    await standby.kill();
    await sleep(load);
    await standby.start();
    isDead = false;
    // It is looked at now and then, and asked again once it answers.
    const before = await readsOf(standby);
    const end = performance.now() + 30_000;
    while ((figures.readsOnReplicaAgain = (await readsOf(standby)) - before) < 10 && performance.now() < end)
      await sleep(200);
  }
  isOver = true;
  await reading;
  client.close();
  await application.end();
  return { ...figures, slowestMs: whole(largest(waits)), examples };
}

/** How often the table of notes was looked at there; those who look at this do not look at that. */
async function readsOf(server) {
  const [{ reads }] = await server.query(
    `select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0)::int as reads from pg_stat_user_tables where relname = 'note'`,
  );
  return reads;
}
