// Ten thousand clients that only stay, lists larger than the memory, and four times more clients than can be served.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { isUnavailable, largest, quantile, repeatedly, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

const megabyte = 1_048_576;

/** With so many requests in flight the service does as much as it can. */
const busy = 32;

export const drill = {
  /** Its limits are times that whatever runs beside it would spoil. */
  isAlone: true,
  forms: {
    short: { connections: 2000, rounds: 1, pairs: 3, peakTime: 1000, overloadTime: 1500 },
    full: { connections: 10_000, rounds: 5, pairs: 5, peakTime: 4000, overloadTime: 12_000 },
  },
  limits: {
    idleConnections: atLeast(({ connections }) => connections),
    // Node alone takes 145 of it.
    idleMegabytes: atMost(250),
    besideIdleMs: atMost(50),
    largeListsFailed: exactly(0),
    goodputShare: atLeast(0.8),
    acceptedMs: atMost(2000),
    unexplained: exactly(0),
  },

  /** Times in milliseconds. */
  async run(stage, { connections, rounds, ...times }) {
    const postgres = await stage.postgres();
    const serving = (settings) => stage.application({ databaseUrl: postgres.url, ...settings });
    const idle = await idleClients(
      stage,
      await serving({ flags: ['--expose-gc'], keepAliveTimeout: 120_000 }),
      connections,
    );
    const lists = await largeLists(stage, await serving({ flags: ['--max-old-space-size=128'] }), rounds);
    const application = await serving({ root: { maximumInFlight: busy } });
    const overload = await overloaded(stage, application, times);
    return { ...idle, ...lists, ...overload };
  },
};

/** Who has asked once, and keeps the connection. */
async function idleClients(stage, application, connections) {
  const before = await application.memory();
  // They come a hundred at a time: what thousands at once leave behind is no cost of staying.
  const clients = [];
  stage.defer(() => clients.forEach((client) => client.close()));
  let served = 0;
  while (clients.length < connections / 100) {
    const client = clientOf(application.url, { connections: 100 });
    clients.push(client);
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.get('/health')));
    served += answers.filter(({ status }) => status === 200).length;
  }
  // After a garbage collection: what is measured is what they cost while they stay.
  const after = await application.memory();
  const other = clientOf(application.url, { connections: 1 });
  stage.defer(() => other.close());
  const took = [];
  for (let time = 0; time < 20; time += 1) took.push((await other.get('/health')).took);
  await application.end();
  return {
    idleConnections: served,
    idleMegabytes: whole((after.rss - before.rss) / megabyte),
    // A garbage collection of one of the two processes may be among them.
    besideIdleMs: whole(quantile(took, 0.9)),
  };
}

/** Fifty lists of two megabytes at once, in a process that has 128 for its heap. */
async function largeLists(stage, application, rounds) {
  const client = clientOf(application.url, { connections: 50 });
  stage.defer(() => client.close());
  const text = 'x'.repeat(10_000);
  for (let count = 0; count < 200; count += 1) await client.post('/notes', { text });
  let failed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.get('/notes?limit=200')));
    failed += answers.filter(({ status, body }) => status !== 200 || body.data.length !== 200).length;
  }
  client.close();
  await application.end();
  return { largeLists: rounds * 50, largeListsFailed: failed };
}

/** As many answers as without overload, soon enough; the others are sent away at once, and come again when told to. */
async function overloaded(stage, application, { pairs, peakTime, overloadTime }) {
  const during = async (clients, time) => {
    const client = clientOf(application.url, { connections: clients });
    // Node accepts one connection in each turn of its loop, and a turn is long while there is too much to do.
    await Promise.all(Array.from({ length: clients }, () => client.get('/notes/1')));
    const end = performance.now() + time;
    const answers = { accepted: [], refused: 0, unexplained: 0 };
    await repeatedly(
      clients,
      () => performance.now() > end,
      async () => {
        const answer = await client.get('/notes?limit=50');
        if (answer.status === 200) answers.accepted.push(answer.took);
        else if (isUnavailable(answer)) {
          answers.refused += 1;
          await sleep(Number(answer.headers['retry-after']) * 1000);
        } else answers.unexplained += 1;
      },
    );
    client.close();
    return { ...answers, perSecond: (answers.accepted.length / time) * 1000 };
  };
  await during(busy, 1000);
  // Beside each other in time, so that what else the machine does meets both.
  const peaks = [];
  const overs = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    peaks.push(await during(busy, peakTime));
    overs.push(await during(busy * 4, overloadTime));
  }
  const shares = overs.map(({ perSecond }, pair) => perSecond / peaks[pair].perSecond);
  const sum = (name) => overs.reduce((total, over) => total + over[name], 0);
  return {
    peakPerSecond: whole(largest(peaks.map(({ perSecond }) => perSecond))),
    goodputShare: Math.round(quantile(shares, 0.5) * 100) / 100,
    acceptedMs: whole(
      quantile(
        overs.flatMap(({ accepted }) => accepted),
        0.99,
      ),
    ),
    refused: sum('refused'),
    unexplained: sum('unexplained'),
  };
}
