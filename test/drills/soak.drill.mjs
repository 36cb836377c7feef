// 64 connections ask mostly for what is refused, for minutes: memory and file descriptors stay as they are.
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './support/client.mjs';
import { largest, repeatedly, slope, whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

const megabyte = 1_048_576;

export const drill = {
  /** It looks at memory, not at times. */
  isLong: true,
  forms: {
    short: { warmup: 15_000, time: 45_000, every: 3000, resident: 350 },
    full: { warmup: 60_000, time: 300_000, every: 10_000, resident: 350 },
  },
  limits: {
    // All of the mix, between any two looks at the memory.
    requests: atLeast(({ time, every }) => (time / every) * mix.length),
    unexpected: exactly(0),
    heapMegabytesPerMinute: atMost(1),
    residentMegabytesPerMinute: atMost(1),
    mostMegabytes: atMost(({ resident }) => resident),
    moreFileDescriptors: atMost(2),
  },

  /** @param every how often memory is looked at, after a garbage collection; all times in milliseconds */
  async run(stage, { warmup, time, every }) {
    const postgres = await stage.postgres();
    // The young generation grows with the rate of requests, to 100 MB of room in which nothing is kept.
    // And what ran at the start alone is given back half a minute later, which would hide three megabytes that stay.
    const flags = ['--expose-gc', '--max-semi-space-size=16', '--no-flush-bytecode'];
    const application = await stage.application({ databaseUrl: postgres.url, flags });
    const client = clientOf(application.url, { connections: 64 });
    stage.defer(() => client.close());
    await client.post('/notes', { text: 'a', slug: 'taken' });

    let requests = 0;
    let unexpected = 0;
    let isOver = false;
    const rest = restOf(64);
    const load = repeatedly(
      64,
      () => isOver,
      async (caller) => {
        await rest.turn();
        const { send, status } = mix[(requests + caller) % mix.length];
        requests += 1;
        const answer = await send(client, application.url);
        if (answer?.status !== status) unexpected += 1;
      },
    );
    await sleep(warmup);
    const observer = await postgres.connect();
    const kept = () => rest.during(() => fewestDescriptors(application, observer, client.agent));
    const descriptors = await kept();
    const samples = [];
    const begun = performance.now();
    while (performance.now() - begun < time) {
      const at = (performance.now() - begun) / 60_000;
      // What is in flight is not what stays, and would be another megabyte at each look.
      samples.push({ at, ...(await rest.during(() => application.memory())) });
      await sleep(every);
    }
    const after = await kept();
    await observer.end();
    isOver = true;
    await load;
    const perMinute = (name) =>
      Math.round(slope(samples.map(({ at, [name]: bytes }) => [at, bytes / megabyte])) * 100) / 100;
    const isFull = time > 60_000;
    return {
      requests,
      unexpected,
      minutes: Math.round(time / 6000) / 10,
      heapMegabytesPerMinute: perMinute('heapUsed'),
      // In less than a minute the operating system's view of it says nothing.
      residentMegabytesPerMinute: isFull ? perMinute('rss') : 0,
      mostMegabytes: whole(largest(samples.map(({ rss }) => rss)) / megabyte),
      moreFileDescriptors: after - descriptors,
    };
  },
};

/** Lets a number of callers rest between two requests, all of them at once. */
function restOf(callers) {
  let resting = 0;
  let open = Promise.withResolvers();
  let allRest;
  open.resolve();
  return {
    async turn() {
      resting += 1;
      if (resting === callers) allRest?.();
      await open.promise;
      resting -= 1;
    },
    /** Does something while all of them rest. */
    async during(work) {
      open = Promise.withResolvers();
      await new Promise((resolve) => (allRest = resolve));
      const result = await work();
      allRest = undefined;
      open.resolve();
      return result;
    },
  };
}

/**
 * The file descriptors that a process has at the least within two seconds in which nobody asks for anything, without its
 * connections to the database and to the client that stays: those come and go with the load. What is not let go of is there each
 * time.
 */
async function fewestDescriptors({ pid }, observer, { sockets, freeSockets }) {
  const counts = [];
  for (let time = 0; time < 20; time += 1) {
    const { rows } = await observer.query(
      `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    const clients = [sockets, freeSockets].flatMap((by) => Object.values(by).flat()).length;
    counts.push(readdirSync(`/proc/${String(pid)}/fd`).length - rows[0].n - clients);
    await sleep(100);
  }
  return Math.min(...counts);
}

/** A text that is sent as it is. */
const raw = (text) => (client, url) =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = request(
      new URL('/notes', url),
      { method: 'POST', headers, agent: client.agent },
      (answer) => {
        answer.resume().once('end', () => resolve({ status: answer.statusCode }));
      },
    );
    sent.once('error', (error) => resolve({ error }));
    sent.end(text);
  });

/** A client that goes away in the middle. */
const leaving = (_client, url) =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': 1000 };
    const sent = request(new URL('/notes', url), { method: 'POST', headers, agent: false });
    sent.once('error', () => resolve({ status: undefined }));
    sent.write('{"text":', () => sent.destroy(new Error('gone')));
  });

/** One success in five. */
const mix = [
  { status: 200, send: (client) => client.get('/notes/1') },
  { status: 400, send: (client) => client.post('/notes', { text: 'b', slug: 'taken' }) },
  { status: 400, send: raw('{"text": "b"') },
  { status: 404, send: (client) => client.get('/notes/999999999') },
  { status: 400, send: (client) => client.get('/notes?limit=none') },
  { status: 200, send: (client) => client.get('/notes?slug=taken') },
  { status: 400, send: (client) => client.post('/notes', { text: 5, nothing: true }) },
  { status: 404, send: (client) => client.get('/nowhere') },
  { status: undefined, send: leaving },
  { status: 400, send: (client) => client.send('PATCH', '/notes/1', { slug: 'x'.repeat(60) }) },
];
