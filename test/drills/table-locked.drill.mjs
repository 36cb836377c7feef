// Somebody locks a table for ten seconds: its clients are told soon, and who needs no table does not notice.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { isUnavailable, largest, quantile, repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';
import { observe } from './support/observer.mjs';
import { stopwatch } from './support/stalls.mjs';

export const drill = {
  databases: ['postgresql', 'mariadb'],
  /** Its limits are times that whatever runs beside it would spoil. */
  isAlone: true,
  forms: { short: { locked: 10_000, clients: 100 }, full: { locked: 10_000, clients: 100 } },
  limits: {
    unavailable: atLeast(90),
    otherAnswers: exactly(0),
    slowestUnavailableMs: atMost(2500),
    healthMs: atMost(50),
    // One answer in a hundred may meet all of the hundred that are told at once.
    slowestHealthMs: atMost(100),
    recoveryMs: atMost(100),
  },

  /** @param locked in milliseconds */
  async run(stage, { locked, clients }) {
    const database = await stage.database();
    const application = await stage.application({ databaseUrl: database.url });
    const client = clientOf(application.url, { connections: clients });
    const observer = clientOf(application.url, { connections: 1 });
    for (let time = 0; time < 50; time += 1) {
      await client.post('/notes', { text: 'before' });
      await observer.get('/health');
    }
    const ask = (caller) =>
      caller % 2 === 0 ? client.get('/notes/1') : client.post('/notes', { text: 'while' });
    const askOnce = () => Promise.all(Array.from({ length: clients }, (_, caller) => ask(caller)));
    // Connections are opened by the first time.
    await askOnce();
    const unlocked = stopwatch();
    await askOnce();
    const usual = unlocked();
    const healthObserver = await observe(application.url, '/health');
    const unlock = await database.lockTable('note');
    const end = performance.now() + locked;
    const isOver = () => performance.now() >= end;
    const waits = [];
    const others = [];
    const asking = repeatedly(clients, isOver, async (caller) => {
      const answer = await ask(caller);
      if (answer.status !== undefined && isUnavailable(answer)) waits.push(answer.took);
      // The lock is gone by the time of the last answers.
      else if (!(isOver() && answer.status < 300)) others.push(answer.error?.message ?? answer.body);
    });
    healthObserver.begin();
    await sleep(locked);
    const health = await healthObserver.end();
    const healthTook = health.map(({ took }) => took);
    others.push(...health.flatMap(({ status, failure }) => (status === 200 ? [] : [failure])));
    await unlock();
    const freed = stopwatch();
    await asking;
    const answer = await observer.get('/notes/1');
    // All who waited are answered at once, which takes its time without a lock as well.
    const recovery = answer.status === 200 ? Math.max(0, freed() - usual) : Infinity;
    client.close();
    observer.close();
    return {
      clients,
      lockedSeconds: locked / 1000,
      unavailable: waits.length,
      otherAnswers: others.length,
      ...(others.length > 0 && { others: others.slice(0, 3) }),
      slowestUnavailableMs: whole(largest(waits)),
      healthAnswers: health.length,
      healthMs: whole(quantile(healthTook, 0.99)),
      slowestHealthMs: whole(largest(healthTook)),
      usualMs: whole(usual),
      recoveryMs: whole(recovery),
    };
  },
};
