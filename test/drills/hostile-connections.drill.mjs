// Half-open sockets, bodies that never end, answers that nobody reads and framing that is none, for longer than every
// limit: other clients hardly notice, and the service lets go of all of it, although its clients never close.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { quantile, repeatedly, whole } from './support/figures.mjs';
import { hostileCrowd } from './support/hostile.crowd.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

const megabyte = 1_048_576;

/** Heads that a server must not guess the meaning of (RFC 9112, 6). */
const malformed = [
  'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'POST /notes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET /notes/1 HTTP/9.9\r\n\r\n',
  'GET /notes/1 HTTP/1.1\r\nHost x\r\n\r\n',
  `GET /notes/1 HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  '\0\0\0\0\r\n\r\n',
];

const post = 'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** How many of each sort there are at once. */
const crowd = 100;

/** What may be left of it all: connections to the database, what is compiled meanwhile. */
const spareDescriptors = 5;
const spareMegabytes = 30;

const megabytesOf = ({ heapUsed, external }) => (heapUsed + external) / megabyte;

export const drill = {
  /** Its limits are times that whatever runs beside it would spoil. */
  isAlone: true,
  forms: {
    // Everything is a tenth as patient, so that it is over several times within the drill: what clients do comes five times
    // as often, and now and then somebody waits for it.
    short: {
      time: 12_000,
      mostTimes: 8,
      unreadEvery: 8000,
      server: { headersTimeout: 1000, requestTimeout: 3000, connectionsCheckingInterval: 250 },
      root: { receiveTimeout: 2000, stallTimeout: 6000 },
    },
    full: { time: 120_000, mostTimes: 2, unreadEvery: 40_000 },
  },
  limits: {
    others: atLeast(({ time }) => time / 50),
    othersFailed: exactly(0),
    medianTimes: atMost(2),
    ninetyFifthTimes: atMost(({ mostTimes }) => mostTimes),
    healthMs: atMost(50),
    healthFailed: exactly(0),
    malformedTakenForGood: exactly(0),
    // So many were there at once, and so many times all of them were let go.
    heldAtOnce: atLeast(2.5 * crowd),
    mostHeld: atMost(8 * crowd),
    timesLetGo: atLeast(1),
    moreFileDescriptors: atMost(spareDescriptors),
    moreMegabytes: atMost(spareMegabytes),
  },

  /**
   * @param time how long others are measured, without and with hostile connections, in milliseconds
   * @param unreadEvery how often clients ask that read nothing: a little above how long the service waits for them
   */
  async run(stage, { time, unreadEvery, server, root }) {
    const postgres = await stage.postgres();
    const application = await stage.application({
      databaseUrl: postgres.url,
      flags: ['--expose-gc'],
      server,
      root: { maximumInFlight: 20, ...root },
    });
    const client = clientOf(application.url, { connections: 10 });
    stage.defer(() => client.close());
    await client.post('/notes', { text: 'a' });
    await measured(client, 2000);
    const descriptors = () => readdirSync(`/proc/${String(application.pid)}/fd`).length;
    const before = await measured(client, time);
    const begin = { descriptors: descriptors(), ...(await application.memory()) };

    const hostile = hostileCrowd(application.url, {
      keeping: [
        { count: crowd / 2, text: '' },
        { count: crowd / 2, text: 'GET /notes/1 HTTP/1.1\r\nHost: x\r\n' },
        { count: crowd / 2, text: `${post}Content-Length: 100000\r\n\r\n`, drip: ' ' },
        {
          count: crowd / 4,
          text: `${post}Transfer-Encoding: chunked\r\n\r\n7a120\r\n${' '.repeat(500_000)}\r\n`,
        },
        { count: crowd / 4, text: 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n' },
      ],
      asking: [{ count: crowd, text: 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n', every: unreadEvery }],
      texts: malformed,
    });
    stage.defer(() => hostile.leave());
    let heldAtOnce = 0;
    const counting = setInterval(() => {
      heldAtOnce = Math.max(heldAtOnce, descriptors() - begin.descriptors);
    }, 250);
    const during = await measured(client, time);
    clearInterval(counting);
    const { takenForGood: malformedTakenForGood, fewestEnds: timesLetGo, opened } = await hostile.rest();
    const left = async () => {
      const memory = await application.memory();
      return {
        descriptors: descriptors() - begin.descriptors,
        megabytes: megabytesOf(memory) - megabytesOf(begin),
      };
    };
    const patience = performance.now() + Math.max(45_000, time);
    let end = await left();
    while (
      (end.descriptors > spareDescriptors || end.megabytes > spareMegabytes) &&
      performance.now() < patience
    ) {
      await sleep(1000);
      end = await left();
    }
    const times = (share) =>
      Math.round((quantile(during.took, share) / quantile(before.took, share)) * 100) / 100;
    return {
      others: during.took.length,
      othersFailed: during.failed,
      medianTimes: times(0.5),
      ninetyFifthTimes: times(0.95),
      healthMs: whole(quantile(during.health, 0.99)),
      healthFailed: during.unhealthy,
      malformedTakenForGood,
      hostileConnections: opened,
      heldAtOnce,
      mostHeld: heldAtOnce,
      timesLetGo,
      moreFileDescriptors: end.descriptors,
      moreMegabytes: whole(end.megabytes),
    };
  },
};

/** How long answers take that four callers ask for at their leisure, every tenth a write, and one asks for health. */
async function measured(client, time) {
  const end = performance.now() + time;
  const isOver = () => performance.now() > end;
  const took = [];
  const health = [];
  let failed = 0;
  let unhealthy = 0;
  const others = repeatedly(4, isOver, async () => {
    const isWrite = took.length % 10 === 9;
    const answer = await (isWrite ? client.post('/notes', { text: 'b' }) : client.get('/notes/1'));
    took.push(answer.took);
    if (answer.status !== (isWrite ? 201 : 200)) failed += 1;
    await sleep(20);
  });
  const probes = repeatedly(1, isOver, async () => {
    const answer = await client.get('/health');
    health.push(answer.took);
    if (answer.status !== 200) unhealthy += 1;
    await sleep(20);
  });
  await Promise.all([others, probes]);
  return { took, failed, health, unhealthy };
}
