// A replica that is five seconds behind: who has written reads what was written, always; everybody else reads the replica.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { largest, repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

export const drill = {
  forms: {
    short: { behind: 1500, load: 4000, clients: 8 },
    full: { behind: 5000, load: 30_000, clients: 16 },
  },
  limits: {
    writes: atLeast(20),
    ownReads: atLeast(100),
    ownWritesMissed: exactly(0),
    ownListsMissed: exactly(0),
    readsOfOthersFromReplica: atLeast(20),
    otherAnswers: exactly(0),
    neverArrived: exactly(0),
    slowestOwnReadMs: atMost(2000),
  },

  /** @param behind how long the replica holds back what was committed @param load both in milliseconds */
  async run(stage, { behind, load, clients }) {
    const { primary, standby } = await stage.cluster({
      standby: { recovery_min_apply_delay: `${String(behind)}ms` },
    });
    const { url } = await stage.application({ databaseUrl: primary.url, replicaUrl: standby.url });
    const client = clientOf(url);
    stage.defer(() => client.close());
    // The tables have to be there, too.
    await sleep(behind + 1000);
    const end = performance.now() + load;
    const isOver = () => performance.now() >= end;
    const figures = {
      writes: 0,
      ownReads: 0,
      ownWritesMissed: 0,
      ownListsMissed: 0,
      readsOfOthersFromReplica: 0,
      otherAnswers: 0,
    };
    const waits = [];
    const examples = [];
    const last = [];
    await repeatedly(clients, isOver, async (caller) => {
      const text = `caller ${String(caller)}, ${String(performance.now())}`;
      const made = await client.post('/notes', { text });
      const token = made.headers?.['x-consistency'];
      if (made.status !== 201 || token === undefined) {
        figures.otherAnswers += 1;
        examples.push(made.error?.message ?? made.body);
        return;
      }
      figures.writes += 1;
      const path = `/notes/${String(made.body.data.id)}`;
      last[caller] = path;
      // Its own, at once and for a while; a stranger asks at once, too.
      const stranger = client.get(path);
      for (let time = 0; time < 5; time += 1) {
        const own = await client.get(path, { 'x-consistency': token });
        waits.push(own.took);
        figures.ownReads += 1;
        if (own.status !== 200 || own.body.data.text !== text) figures.ownWritesMissed += 1;
        await sleep(behind / 10);
      }
      const listed = await client.get(`/notes?id=${String(made.body.data.id)}`, { 'x-consistency': token });
      if (listed.body?.data?.[0]?.text !== text) figures.ownListsMissed += 1;
      const { status } = await stranger;
      if (status === 404) figures.readsOfOthersFromReplica += 1;
      else figures.otherAnswers += 1;
    });
    await sleep(behind + 1000);
    const late = await Promise.all(last.filter(Boolean).map((path) => client.get(path)));
    return {
      behindSeconds: behind / 1000,
      clients,
      ...figures,
      neverArrived: late.filter(({ status }) => status !== 200).length,
      slowestOwnReadMs: whole(largest(waits)),
      ...(examples.length > 0 && { examples: examples.slice(0, 3) }),
    };
  },
};
