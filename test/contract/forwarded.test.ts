import { afterAll, beforeAll, expect } from '@jest/globals';
import { Callable, Cors } from '@nest-endpoints/core';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expectAnswer, failure } from '../support/answers.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { library } from '../support/entities/library.js';

const content = JSON.stringify({ cities: Array.from({ length: 200 }, (_, index) => `city ${index}`) });

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;

type Page = (response: ServerResponse, request: IncomingMessage) => void;

/** What another server answers. */
const pages: Readonly<Record<string, Page>> = {
  ...Object.fromEntries(
    Object.entries(codings).map(([coding, coded]): [string, Page] => [
      `/${coding}`,
      (response) => {
        const bytes = coded(content);
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Encoding': coding,
          'Content-Length': bytes.length,
          'Content-Digest': 'sha-256=:of the coded bytes:',
        });
        response.end(bytes);
      },
    ]),
  ),
  '/hops': (response) => {
    response.writeHead(200, {
      Connection: 'close, X-Hop',
      'X-Hop': 'of the connection',
      'Keep-Alive': 'timeout=9',
      Upgrade: 'h2c',
      Trailer: 'X-Sum',
      'Proxy-Connection': 'close',
      TE: 'trailers',
      Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
      'X-Request-Id': 'theirs',
      'X-Kept': 'yes',
      'Access-Control-Allow-Origin': '*',
      Vary: 'Accept-Language',
      'Set-Cookie': ['a=1', 'b=2'],
    });
    response.end('hops');
  },
  '/cached': (response) => response.writeHead(304, { ETag: '"1"' }).end(),
  '/none': (response) => response.writeHead(204).end(),
  '/moved': (response) => response.writeHead(302, { Location: '/hops' }).end(),
  '/aborted': (response) => response.writeHead(200, { 'Content-Length': 100 }).end().destroy(),
  '/broken': (response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('some');
    setImmediate(() => response.destroy());
  },
};

const upstream = createServer((request, response) => pages[request.url ?? '']?.(response, request));
beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  upstream.closeAllConnections();
  await once(upstream.close(), 'close');
});
const addressOf = (path: string): string =>
  `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/${path}`;

const whole = { returnStandardResponse: false } as const;
const respond = (url: string, make: () => Response | Promise<Response>) =>
  new Callable({ ...whole, url, toCall: make });

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new Callable({
        ...whole,
        url: 'fetched/:page',
        securityHeaders: [new Cors('https://app.example')],
        responseHeaders: ['Vary: Origin', 'X-Ours: yes', 'X-Kept: ours'],
        toCall: ({ page }) => fetch(addressOf(page), { redirect: 'manual' }),
      }),
      new Callable({
        ...whole,
        url: 'copied/:page',
        toCall: async ({ page }) => {
          const { body, headers, status } = await fetch(addressOf(page));
          return new Response(body, { headers, status });
        },
      }),
      respond('coded', () => new Response(gzipSync(content), { headers: { 'Content-Encoding': 'gzip' } })),
      respond(
        'coded-br',
        () => new Response(brotliCompressSync(content), { headers: { 'Content-Encoding': 'br' } }),
      ),
      respond(
        'longer',
        () => new Response('longer', { headers: { 'Content-Length': '5', 'Transfer-Encoding': 'gzip' } }),
      ),
      respond('shorter', () => new Response('short', { headers: { 'Content-Length': '500' } })),
      respond('empty', () => new Response(null, { headers: { 'Content-Length': '500' } })),
      respond('error', () => Response.error()),
      respond('redirect', () => Response.redirect('https://a.example/', 303)),
      respond('read', async () => {
        const response = new Response('read');
        await response.text();
        return response;
      }),
      respond('control', () => new Response('x', { headers: { 'X-Bell': 'a\u0007b' } })),
      respond('media', () => new Response('x', { headers: { 'Content-Type': 'text/\u0007' } })),
      respond('teapot', () => new Response('short and stout', { status: 418, headers: { 'x-ours': 'his' } })),
      new Callable({
        url: 'constant',
        responseHeaders: [
          'Content-Length: 5',
          'transfer-encoding: chunked',
          'Connection: close, X-Hop',
          'X-Hop: yes',
          'Date: yesterday',
          'X-Kept: yes',
        ],
        toCall: () => 'constant',
      }),
      new Callable({
        url: 'made',
        responseHeaders: () => ['CONTENT-LENGTH: 5', 'Keep-Alive: timeout=900', 'X-Kept: yes'],
        toCall: () => 'made',
      }),
      new Callable({ url: 'next', toCall: () => 'next' }),
    ],
  },
  everyPlatform,
);

/** All that comes on one connection for two requests, one behind the other. */
const onOneConnection = async ({ url }: Subject, path: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  return textOf(socket);
};

/** The answers in what came on a connection, read as HTTP says. */
const framed = (text: string): { readonly status: string; readonly body: string }[] => {
  const answers: { status: string; body: string }[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const [status = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(lines.map((line) => [line.split(':')[0]?.toLowerCase(), line.split(': ')[1]]));
    rest = rest.slice(end + 4);
    let body = '';
    if (headers.get('transfer-encoding') === 'chunked')
      for (;;) {
        const [size = ''] = rest.split('\r\n', 1);
        const length = Number.parseInt(size, 16);
        body += rest.slice(size.length + 2, size.length + 2 + length);
        rest = rest.slice(size.length + 4 + length);
        if (length === 0) break;
      }
    else {
      const length = Number(headers.get('content-length') ?? 0);
      body = rest.slice(0, length);
      rest = rest.slice(length);
    }
    answers.push({ status, body });
  }
  return answers;
};

const ok = 'HTTP/1.1 200 OK';
const next = { status: ok, body: expect.stringContaining('"next"') };

contract(
  'What fetch has decoded is sent without the length and the coding of its coded bytes',
  async (subject) => {
    for (const path of ['fetched', 'copied'])
      for (const coding of Object.keys(codings)) {
        const answer = await subject.raw('GET', `/${path}/${coding}`);
        expect([path, coding, answer.text]).toEqual([path, coding, content]);
        expect(answer.headers).not.toHaveProperty('content-encoding');
        expect(answer.headers).not.toHaveProperty('content-digest');
        expect(framed(await onOneConnection(subject, `/${path}/${coding}`))).toEqual([
          { status: ok, body: content },
          next,
        ]);
      }
  },
);

contract('A body that a function has coded keeps its coding', async ({ url }) => {
  for (const path of ['coded', 'coded-br']) {
    const answer = await fetch(`${url}/${path}`);
    expect([answer.headers.has('content-encoding'), await answer.text()]).toEqual([true, content]);
  }
});

contract('The length that a Response claims never frames an answer', async (subject) => {
  expect(framed(await onOneConnection(subject, '/longer'))).toEqual([{ status: ok, body: 'longer' }, next]);
  expect(framed(await onOneConnection(subject, '/shorter'))).toEqual([{ status: ok, body: 'short' }, next]);
  expect(framed(await onOneConnection(subject, '/empty'))).toEqual([{ status: ok, body: '' }, next]);
});

contract(
  'Headers of a connection are left out of a Response, with those that Connection names',
  async ({ raw }) => {
    const { headers } = await raw('GET', '/fetched/hops', { headers: { connection: 'keep-alive' } });
    for (const name of ['x-hop', 'upgrade', 'trailer', 'proxy-connection', 'te'])
      expect(headers).not.toHaveProperty(name);
    expect([headers.connection, headers['keep-alive']]).not.toContain('close, X-Hop');
    expect(headers['keep-alive']).not.toBe('timeout=9');
    expect(new Date(headers.date ?? '').getFullYear()).toBeGreaterThan(2000);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
  },
);

contract('The headers of an endpoint win over those of another server', async ({ raw }) => {
  const { headers } = await raw('GET', '/fetched/hops');
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'x-kept': 'ours',
    'x-ours': 'yes',
  });
  expect(headers.vary).toBe('Accept-Language, Origin');
  expect(headers['x-request-id']).not.toBe('theirs');
});

contract('responseHeaders leave out what belongs to a connection', async (subject) => {
  for (const path of ['constant', 'made']) {
    const { headers, text } = await subject.raw('GET', `/${path}`);
    expect([headers['content-length'], headers['x-kept'], headers['x-hop']]).toEqual([
      String(text.length),
      'yes',
      undefined,
    ]);
    expect([headers['keep-alive'], headers.date]).not.toContain('timeout=900');
    expect(headers.date).not.toBe('yesterday');
    expect(framed(await onOneConnection(subject, `/${path}`))).toEqual([
      { status: ok, body: expect.stringContaining(path) },
      next,
    ]);
  }
});

contract('HEAD of a forwarded Response has its headers and no body', async ({ raw }) => {
  const { status, headers, text } = await raw('HEAD', '/fetched/hops');
  expect([status, headers['x-ours'], headers['content-length'], text]).toEqual([200, 'yes', undefined, '']);
});

contract('A Response without a body is answered without one', async ({ raw }) => {
  for (const [page, status] of [
    ['cached', 304],
    ['none', 204],
    ['moved', 302],
  ] as const) {
    const answer = await raw('GET', `/fetched/${page}`);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([status, '', undefined]);
    expect((await raw('HEAD', `/fetched/${page}`)).status).toBe(status);
  }
  expect((await raw('GET', '/fetched/cached')).headers.etag).toBe('"1"');
  const { status, headers } = await raw('GET', '/redirect');
  expect([status, headers.location]).toEqual([303, 'https://a.example/']);
});

contract('A Response that cannot be sent is a failure envelope', async ({ raw, log }) => {
  for (const path of ['error', 'read', 'control', 'media', 'fetched/aborted'])
    expectAnswer(await raw('GET', `/${path}`), 500, failure('Internal Server Error'));
  expect(log.text('error')).toContain('was read already');
  expect((await raw('GET', '/teapot')).status).toBe(418);
});

contract('A Response whose server breaks off is cut short', async ({ url }) => {
  await expect(fetch(`${url}/fetched/broken`).then((answer) => answer.text())).rejects.toThrow();
  const old = connect(Number(new URL(url).port), '127.0.0.1');
  old.write('GET /fetched/broken HTTP/1.0\r\n\r\n');
  await expect(textOf(old)).rejects.toThrow('ECONNRESET');
});
