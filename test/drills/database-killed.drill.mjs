// `kill -9` of the database under writes, again and again: nothing that was acknowledged is lost, clients hear only that the
// service is unavailable, and it serves again by itself as soon as the database does.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { isUnavailable, largest, repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

export const drill = {
  databases: ['postgresql', 'mariadb'],
  forms: { short: { kills: 2, load: 500, down: 300 }, full: { kills: 20, load: 2000, down: 1000 } },
  limits: {
    acknowledgedWrites: atLeast(({ kills }) => 10 * kills),
    lostWrites: exactly(0),
    otherAnswers: exactly(0),
    slowestUnavailableMs: atMost(2500),
    slowestRecoveryMs: atMost(2000),
    exits: exactly(0),
  },

  /** @param load how long records are created before each kill, `down` how long the database stays away, in milliseconds;
   * `isSecured` whether requests have sessions of row level security */
  async run(stage, { kills, load, down, isSecured = false }) {
    const database = await stage.database();
    const application = await stage.application({ databaseUrl: database.url, isSecured });
    const client = clientOf(application.url);
    const acknowledged = new Set();
    const others = [];
    const waits = [];
    const recoveries = [];
    let exits = 0;
    void application.exited.then(() => (exits += 1));
    let isOver = false;
    let backSince = Infinity;
    const creating = repeatedly(
      32,
      () => isOver,
      async (caller) => {
        const answer = await client.post('/notes', { text: `of caller ${String(caller)}` });
        if (answer.status === 201) {
          acknowledged.add(answer.body.data.id);
          if (backSince !== Infinity) recoveries.push(performance.now() - backSince);
          backSince = Infinity;
        } else if (answer.status !== undefined && isUnavailable(answer)) {
          waits.push(answer.took);
          // A client that is told to come back later does not come back at once.
          await sleep(20);
        } else others.push(answer.error?.message ?? JSON.stringify(answer.body));
      },
    );
    for (let kill = 0; kill < kills && exits === 0; kill += 1) {
      await sleep(load);
      await database.kill();
      await sleep(down);
      await database.start();
      backSince = performance.now();
      while (backSince !== Infinity && performance.now() - backSince < 5000) await sleep(10);
      if (backSince !== Infinity) recoveries.push(performance.now() - backSince);
    }
    await sleep(load);
    isOver = true;
    await creating;
    client.close();
    const stored = new Set((await database.query('select id from note')).map(({ id }) => id));
    return {
      kills,
      acknowledgedWrites: acknowledged.size,
      lostWrites: [...acknowledged].filter((id) => !stored.has(id)).length,
      unavailable: waits.length,
      otherAnswers: others.length,
      ...(others.length > 0 && { others: others.slice(0, 3) }),
      slowestUnavailableMs: whole(largest(waits)),
      slowestRecoveryMs: whole(largest(recoveries)),
      exits,
    };
  },
};
