import { expect, test } from '@jest/globals';
import { EndpointsClient } from '@nest-endpoints/client';
import { Authorization, List } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { liveEvents, type LiveEventsOptions } from '@nest-endpoints/live/client';
import { startApplication } from '../support/application.js';
import { operationAt } from '../support/documents.js';
import { once, service } from '../support/contract.js';
import { Listener } from '../support/listener.js';
import { Claims } from './claims.js';
import { board, listening, of, slips, told } from './live.board.js';

/** True while nobody gets an answer about their rights. */
const rights = { isSilent: false };

class Silent extends Authorization {
  override gate(): boolean | Promise<boolean> {
    return rights.isSilent ? new Promise(() => undefined) : true;
  }
}

const { contract } = service(
  board({ judgeEvery: 1000 }, [
    new List({
      ...slips,
      url: 'asked',
      live: true,
      authentication: new Claims(),
      authorization: new Silent(),
    }),
  ]),
  once,
);

contract('A stream ends whose rights are asked for, and nobody says yes', async (subject) => {
  await listening(subject, [['/asked', of('a')]], async (stream) => {
    await stream.until(told);
    rights.isSilent = true;
    await stream.ended();
    expect(stream.retry).toBeGreaterThanOrEqual(1000);
  });
});

contract('A list that is live is searched by nothing of its stream', async ({ url, app }) => {
  const document = openApiDocument(app);
  const { parameters } = operationAt(document, 'get', '/asked');
  expect(parameters.map(({ name }) => name)).toContain('snapshot');
  const client = new EndpointsClient({ url, fetch: () => Promise.resolve(Response.json(document)) });
  const { resource } = await client.records('asked');
  expect([resource.columns.has('snapshot'), resource.columns.has('id')]).toEqual([false, true]);
});

/** What a client does that follows a list until it has a number of connections. */
const followed = async (
  url: string,
  connections: number,
  options: LiveEventsOptions,
): Promise<{ readonly kinds: string[]; readonly reasons: unknown[]; readonly pauses: number[] }> => {
  const kinds: string[] = [];
  const reasons: unknown[] = [];
  const times: number[] = [];
  const onInterruption = (reason: unknown): void => void reasons.push(reason);
  for await (const { kind } of liveEvents(url, { ...options, onInterruption })) {
    kinds.push(kind);
    if (kind === 'connected') times.push(performance.now());
    if (times.length === connections) break;
  }
  return { kinds, reasons, pauses: times.slice(1).map((time, index) => time - (times[index] ?? 0)) };
};

contract('The client cuts a connection that brings nothing for long, and opens another', async ({ url }) => {
  const { kinds, reasons } = await followed(`${url}/slips`, 2, { maximumSilence: 1500, maximumWait: 1 });
  expect(kinds).toEqual(['connected', 'snapshot', 'connected']);
  expect(reasons).toEqual([new Error('Nothing came for 1500 ms')]);
});

contract('The client follows nothing that answers with something else than a stream', async ({ url }) => {
  const empty: typeof fetch = () => Promise.resolve(new Response(null, { status: 204 }));
  for (const [path, options, refused] of [
    ['/all-cards', {}, { status: 200, body: expect.stringContaining('"status":"success"') }],
    ['/slips', { fetch: empty }, { status: 204, body: '' }],
  ] as const)
    await expect(followed(`${url}${path}`, 1, options)).rejects.toMatchObject({
      name: 'LiveRefused',
      ...refused,
    });
});

contract('The client waits longer each time where connections bring no event', async ({ url }) => {
  const silent: typeof fetch = () =>
    Promise.resolve(new Response(': nothing\n\n', { headers: { 'Content-Type': 'text/event-stream' } }));
  const { pauses } = await followed(`${url}/slips`, 3, { fetch: silent });
  expect(pauses[0]).toBeGreaterThanOrEqual(495);
  expect(pauses[1]).toBeGreaterThanOrEqual(995);
});

contract(
  'A client that is stopped when it hears of an interruption waits for no other try',
  async ({ url }) => {
    const stop = new AbortController();
    const down: typeof fetch = () =>
      Promise.resolve(new Response('', { status: 503, headers: { 'Retry-After': '3600' } }));
    const { signal } = stop;
    const options = { fetch: down, maximumWait: 3_600_000, signal, onInterruption: () => stop.abort() };
    const kinds: string[] = [];
    for await (const { kind } of liveEvents(`${url}/slips`, options)) kinds.push(kind);
    expect([kinds, signal.aborted]).toEqual([[], true]);
  },
);

test('A network of IPv6 is one client, whatever its address', async () => {
  const application = await startApplication('express', 'postgresql', {
    ...board({ maximumStreamsEach: 2 }),
    configure: (app) => {
      (app as NestExpressApplication).set('trust proxy', true);
    },
  });
  const from = (address: string) => Listener.open(`${application.url}/slips`, { 'X-Forwarded-For': address });
  const streams = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1', '192.0.2.1'])
    streams.push(await from(address));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 429, 200, 200]);
  for (const stream of streams) stream.close();
  await application.close();
});
