// Clients that follow a live list have what the list has, however often the service is killed. Those that read nothing cost it no
// memory, and those that listen little time of its processor.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { followRecords } from '@nest-endpoints/live/client';
import { whole } from './support/figures.mjs';
import { atLeast, atMost, exactly } from './support/limits.mjs';

const entry = new URL('./applications/watched.mjs', import.meta.url);
const mebibyte = 1_048_576;

export const drill = {
  // Its figures are of a processor that does nothing else.
  isAlone: true,
  forms: {
    short: { kills: 3, load: 700, slow: 20, bytes: 60, requests: 400, rounds: 1, mostCost: 2 },
    full: { kills: 100, load: 700, slow: 100, bytes: 200, requests: 3000, rounds: 5, mostCost: 1.15 },
  },
  limits: {
    connections: atLeast(({ kills }) => kills + 1),
    changesHeard: atLeast(({ kills }) => kills),
    missing: exactly(0),
    outdated: exactly(0),
    thatAreGone: exactly(0),
    // 256 KiB for each of them, and what the collector has not looked at yet.
    grownMebibytes: atMost(({ slow }) => slow / 2 + 40),
    costOfListeners: atMost(({ mostCost }) => mostCost),
  },

  async run(stage, form) {
    const postgres = await stage.postgres();
    const settings = { databaseUrl: postgres.url, entry };
    const followed = await followThroughKills(stage, settings, form);
    const grown = await neglect(stage, settings, form);
    const cost = await listen(stage, settings, form);
    return { kills: form.kills, ...followed, grownMebibytes: grown, costOfListeners: cost };
  },
};

/** Follows the list while it changes, over services that are killed one after the other. */
async function followThroughKills(stage, settings, { kills, load }) {
  let application = await stage.application(settings);
  let [connections, heard, written] = [0, 0, 0];
  const moved = (input, init) => {
    connections += 1;
    return fetch(new URL(`${new URL(input).pathname}${new URL(input).search}`, application.url), init);
  };
  const stop = new AbortController();
  const options = { fetch: moved, signal: stop.signal, maximumWait: 200 };
  let records = [];
  const following = (async () => {
    for await (const shown of followRecords('http://service/items?state=open&limit=10000', options)) {
      records = shown;
      heard += 1;
    }
  })();
  for (let kill = 0; kill < kills; kill += 1) {
    const end = performance.now() + load;
    while (performance.now() < end) await change(application.url, (written += 1));
    await application.end();
    application = await stage.application(settings);
  }
  const { data } = await answered(`${application.url}/items?state=open&limit=10000`);
  const stored = new Map(data.map((one) => [one.id, JSON.stringify(one)]));
  const isThere = () =>
    records.length === stored.size && records.every((one) => stored.get(one.id) === JSON.stringify(one));
  for (let waited = 0; !isThere() && waited < 100; waited += 1) await sleep(100);
  const shown = new Map(records.map((one) => [one.id, JSON.stringify(one)]));
  stop.abort();
  await following;
  await application.end();
  return {
    connections,
    changesHeard: heard,
    missing: [...stored.keys()].filter((id) => !shown.has(id)).length,
    outdated: [...stored].filter(([id, text]) => shown.has(id) && shown.get(id) !== text).length,
    thatAreGone: [...shown.keys()].filter((id) => !stored.has(id)).length,
  };
}

/** Creates an item, and changes, finishes or deletes an older one, which may be gone. */
async function change(url, number) {
  const { data } = await answered(`${url}/items`, 'POST', { text: `item ${number}` });
  const older = `${url}/items/${data.id - 1 - (number % 7)}`;
  const changed = number % 3 === 1 ? { state: 'done' } : { text: `again ${number}` };
  const answer = await (number % 3 === 0 ? asked(older, 'DELETE') : asked(older, 'PATCH', changed));
  if (!answer.ok && answer.status !== 404) throw new Error(`${older}: ${answer.status}`);
  await answer.arrayBuffer();
}

function asked(url, method, body) {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function answered(url, method = 'GET', body = undefined) {
  const answer = await asked(url, method, body);
  if (answer.ok) return answer.json();
  throw new Error(`${method} ${url}: ${answer.status} ${(await answer.text()).slice(0, 1000)}`);
}

/** Sends much to clients that read nothing. @returns what the service has grown by, in MiB */
async function neglect(stage, settings, { slow, bytes }) {
  const application = await stage.application({ ...settings, flags: ['--expose-gc'] });
  const streams = await Promise.all(
    Array.from({ length: slow }, () => neglected(`${application.url}/items?limit=1`)),
  );
  const { data } = await answered(`${application.url}/items`, 'POST', { text: 'short' });
  const text = 'x'.repeat(mebibyte);
  let number = 0;
  const send = async (count) => {
    for (const end = number + count; number < end; number += 1) {
      const path = `${application.url}/items/${data.id}`;
      await answered(path, 'PATCH', { text: `${number}${text.slice(8)}`.slice(0, mebibyte - 100) });
      await sleep(110);
    }
  };
  // The heap that such records need at all, which a service keeps, is there after some of them.
  await send(20);
  const before = await application.memory();
  await send(bytes);
  const after = await application.memory();
  for (const stream of streams) stream.destroy();
  await application.end();
  return whole((after.rss - before.rss) / mebibyte);
}

function neglected(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers: { Accept: 'text/event-stream' } }, (answer) => {
      answer.on('error', () => undefined);
      answer.once('data', () => {
        answer.pause();
        resolve(request);
      });
    });
    request.on('error', reject);
  });
}

/** Compares the time that the processor spends on changes while somebody follows them, and while nobody does. */
async function listen(stage, settings, { requests, rounds }) {
  const application = await stage.application({ ...settings, live: { interval: 250 } });
  const { data } = await answered(`${application.url}/items`, 'POST', { text: 'one' });
  const spent = { plain: 0, items: 0 };
  await changes(application, `plain/${data.id}`, requests);
  for (let round = 0; round < rounds; round += 1) {
    spent.plain += await changes(application, `plain/${data.id}`, requests);
    const stop = new AbortController();
    const following = (async () => {
      for await (const _ of followRecords(`${application.url}/items?limit=1`, { signal: stop.signal }));
    })();
    await sleep(200);
    spent.items += await changes(application, `items/${data.id}`, requests);
    stop.abort();
    await following;
  }
  await application.end();
  return Math.round((100 * spent.items) / spent.plain) / 100;
}

/** @returns the time of the processor, in ticks */
async function changes({ url, pid }, path, requests) {
  const before = ticksOf(pid);
  for (let number = 0; number < requests; number += 8)
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        answered(`${url}/${path}`, 'PATCH', { text: `${number + index}` }),
      ),
    );
  return ticksOf(pid) - before;
}

function ticksOf(pid) {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
