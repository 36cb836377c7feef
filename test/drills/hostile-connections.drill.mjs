// Half-open sockets, bodies that never end and framing that is none: other clients hardly notice.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { quantile, repeatedly } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

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

export const drill = {
  forms: { short: { time: 2000 }, full: { time: 15_000 } },
  limits: {
    others: atLeast(500),
    othersFailed: exactly(0),
    medianTimes: atMost(2),
    ninetyFifthTimes: atMost(2),
    malformedTakenForGood: exactly(0),
  },

  /** @param time how long others are measured, without and with hostile connections, in milliseconds */
  async run(stage, { time }) {
    const postgres = await stage.postgres();
    const application = await stage.application({ databaseUrl: postgres.url });
    const client = clientOf(application.url, { connections: 8 });
    stage.defer(() => client.close());
    await client.post('/notes', { text: 'a' });
    await measured(client, 1000);
    const before = await measured(client, time);

    const sockets = [];
    stage.defer(() => sockets.forEach((socket) => socket.destroy()));
    const open = (text) => {
      const { hostname, port } = new URL(application.url);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      sockets.push(socket.on('error', () => undefined));
      return socket;
    };
    for (let count = 0; count < 50; count += 1) open('').resume();
    for (let count = 0; count < 50; count += 1) open('GET /notes/1 HTTP/1.1\r\nHost: x\r\n').resume();
    const slow = Array.from({ length: 50 }, () =>
      open(
        'POST /notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
      ).resume(),
    );
    const dripping = setInterval(() => slow.forEach((socket) => socket.writable && socket.write(' ')), 100);
    stage.defer(() => clearInterval(dripping));
    let isOver = false;
    let malformedTakenForGood = 0;
    const nonsense = (async () => {
      for (let count = 0; !isOver; count += 1) {
        const socket = open(malformed[count % malformed.length]).setTimeout(2000);
        socket.on('timeout', () => socket.destroy());
        const answer = await new Promise((resolve) => {
          let text = '';
          socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text));
        });
        if (/^HTTP\/1\.1 2/.test(answer)) malformedTakenForGood += 1;
        await sleep(20);
      }
    })();
    const during = await measured(client, time);
    isOver = true;
    await nonsense;
    const times = (share) =>
      Math.round((quantile(during.took, share) / quantile(before.took, share)) * 100) / 100;
    return {
      halfOpenSockets: 100,
      slowBodies: slow.length,
      others: during.took.length,
      othersFailed: during.failed,
      medianTimes: times(0.5),
      ninetyFifthTimes: times(0.95),
      malformedTakenForGood,
    };
  },
};

/** How long answers take that eight callers ask for one after the other. */
async function measured(client, time) {
  const end = performance.now() + time;
  const took = [];
  let failed = 0;
  await repeatedly(
    8,
    () => performance.now() > end,
    async () => {
      const answer = await client.get('/notes/1');
      took.push(answer.took);
      if (answer.status !== 200) failed += 1;
    },
  );
  return { took, failed };
}
