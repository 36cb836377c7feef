import { once as event } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { EndpointsClient, type ClientOptions } from '@nest-endpoints/client';
import { liveEvents, LiveRefused } from '@nest-endpoints/live/client';
import { refusal } from './front-ends.refusal.js';

/** The requests that a server gets, and the redirects that it answers with, by their paths. */
const service = async (redirects: Readonly<Record<string, string>> = {}) => {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const location = redirects[request.url ?? ''];
    if (location === undefined) response.setHeader('Content-Type', 'application/json').end('[{"id":1}]');
    else response.writeHead(307, { Location: location }).end('moved');
  });
  await event(server.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, paths: () => asked.map(({ url }) => url) };
};

const elsewhere = await service();
const own = await service({
  '/away': `${elsewhere.url}/there`,
  '/near': '/next',
  '/next': '/here?a=b',
  '/round': '/round',
  '/back': `${elsewhere.url}/round`,
  '/nowhere': 'http://[',
});
const secrets = { token: 'secret', headers: { 'X-Tenant': 'a' } };

const get = (path: string, options: Partial<ClientOptions> = secrets) =>
  new EndpointsClient({ url: own.url, ...options }).send({ method: 'GET', path });

test('A redirect takes the token and the headers of the service to no other origin', async () => {
  for (const options of [secrets, { token: 'secret' }, { headers: { 'X-Tenant': 'a' } }])
    for (const path of ['away', 'back', 'nowhere']) {
      const { status, message } = await refusal(get(path, options));
      expect([path, status, message]).toEqual([path, 307, expect.stringMatching(/another address/)]);
    }
  expect(elsewhere.asked).toEqual([]);
  // Who has nothing to tell is told by nobody.
  expect((await get('away', {})).data).toEqual([{ id: 1 }]);
  expect(elsewhere.asked[0]?.headers).not.toHaveProperty('x-tenant');
});

test('A redirect within the service is followed, with all that was sent, and not for ever', async () => {
  own.asked.length = 0;
  expect((await get('near')).data).toEqual([{ id: 1 }]);
  expect(own.paths()).toEqual(['/near', '/next', '/here?a=b']);
  expect(own.asked.at(-1)?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-tenant': 'a' });
  own.asked.length = 0;
  expect((await refusal(get('round'))).status).toBe(307);
  expect(own.asked).toHaveLength(6);
});

/** A redirect as browsers show it. */
const opaque = (): Response =>
  Object.defineProperties(new Response(), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });

/** Sends a request as from a page of an origin, whose browser is told by `mode` to stay there. */
const fromPage = async (origin: string, leads: 'here' | 'elsewhere', path: string) => {
  const modes: unknown[] = [];
  const fetch: typeof globalThis.fetch = (_address, init) => {
    modes.push(init?.mode ?? init?.redirect);
    if (init?.redirect !== 'follow') return Promise.resolve(opaque());
    if (leads === 'elsewhere') return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(Response.json([{ id: 1 }]));
  };
  Reflect.set(globalThis, 'location', { origin });
  try {
    return { modes, answer: await get(path, { ...secrets, fetch }).catch((error: unknown) => error) };
  } finally {
    Reflect.deleteProperty(globalThis, 'location');
  }
};

test('A browser follows a redirect of the service on a page of its own origin alone', async () => {
  const followed = await fromPage(own.url, 'here', 'near');
  expect(followed).toMatchObject({ modes: ['manual', 'same-origin'], answer: { data: [{ id: 1 }] } });
  const refused = { message: expect.stringMatching(/another address/) };
  expect(await fromPage(own.url, 'elsewhere', 'away')).toMatchObject({ answer: refused });
  const other = await fromPage('https://desk.example', 'here', 'near');
  expect(other).toMatchObject({ modes: ['manual'], answer: refused });
});

test('The events of a live list are followed to no other origin, either', async () => {
  const follow = async (path: string, given: object): Promise<unknown> => {
    try {
      for await (const one of liveEvents(own.url + path, given)) return one;
    } catch (error) {
      return error;
    }
    return undefined;
  };
  elsewhere.asked.length = 0;
  const refused = await follow('/away', { headers: secrets.headers });
  expect([refused, elsewhere.asked]).toEqual([new LiveRefused(307, 'moved'), []]);
  own.asked.length = 0;
  // What is there is no stream.
  expect(await follow('/near', { headers: secrets.headers })).toMatchObject({ status: 200 });
  expect(own.asked.map(({ headers }) => headers['x-tenant'])).toEqual(['a', 'a', 'a']);
  const fetch = (): Promise<Response> => Promise.resolve(opaque());
  expect(await follow('/near', { headers: secrets.headers, fetch })).toMatchObject({
    body: 'The service says to ask at another address',
  });
});
