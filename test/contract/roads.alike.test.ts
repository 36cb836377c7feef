import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Callable,
  Cors,
  Create,
  EndpointGroup,
  HealthCheck,
  Hsts,
  PlainAnswers,
  RestfulApi,
  SimpleSearch,
} from '@nest-endpoints/core';
import { startApplication, type Application, type ApplicationOptions } from '../support/application.js';

const Film = defineEntity({
  name: 'Film',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(20),
    minutes: p.integer().nullable(),
    version: p.integer().version(),
  },
});

const columns = {
  modelClass: Film,
  readableColumnNames: ['id', 'title', 'minutes'],
  writeableColumnNames: ['title', 'minutes'],
} as const;

const lists = {
  sortableColumnNames: ['id', 'title'],
  searchableColumnNames: ['id', 'title', 'minutes'],
  defaultSortColumnName: 'id',
} as const;

const options: ApplicationOptions = {
  entities: [Film],
  endpoints: [
    new HealthCheck({ url: 'health' }),
    new SimpleSearch({ ...columns, ...lists, url: 'films/found' }),
    new AdvancedSearch({ ...columns, ...lists, url: 'films/search' }),
    new Create({
      ...columns,
      url: 'films/fixed',
      responseHeaders: ['Set-Cookie: a=1', 'Set-Cookie: b=2', 'x-LOWER: 1'],
    }),
    new RestfulApi({ ...columns, ...lists, url: 'films', externalCasing: 'camelCase' }),
    new EndpointGroup({
      url: 'secured',
      securityHeaders: [new Hsts(), new Cors('https://app.example')],
      endpoints: [new RestfulApi({ ...columns, ...lists, url: 'films' })],
    }),
    new RestfulApi({ ...columns, ...lists, url: 'bare/films', answers: new PlainAnswers() }),
    new Callable({
      url: 'thrown',
      toCall: () => {
        throw new Error('no');
      },
    }),
    new Callable({
      url: 'plain',
      requestMethods: ['GET', 'POST', 'QUERY'],
      toCall: () => ({ aB: [1, null] }),
    }),
    new Callable({ url: 'bytes', returnStandardResponse: false, toCall: () => Buffer.from([1, 2, 3]) }),
    new Callable({ url: 'text', returnStandardResponse: false, toCall: () => 'é' }),
    new Callable({
      url: 'empty',
      returnStandardResponse: false,
      toCall: () => new Response(null, { status: 204 }),
    }),
    new Callable({ url: 'stream', returnStandardResponse: false, toCall: () => Readable.from(['a', 'b']) }),
  ],
  root: { bodyLimit: 2000, maximumJsonDepth: 5 },
};

const platforms = ['express', 'fastify'] as const;
const roads = ['straight', 'platform'] as const;
const started = new Map<string, Application>();

beforeAll(async () => {
  for (const platform of platforms)
    for (const road of roads) {
      const application = await startApplication(platform, 'sqlite', {
        ...options,
        root: { ...options.root, road },
      });
      started.set(`${platform} ${road}`, application);
    }
}, 60_000);

afterAll(async () => {
  for (const application of started.values()) {
    // What is sent here is no document's business.
    await Promise.resolve()
      .then(() => application.truth.expectTruth())
      .catch(() => undefined);
    await application.close();
  }
});

/** Sends bytes, one piece after the other as answers come, and gives all bytes that come back until the connection ends. */
const exchanged = (url: string, pieces: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const [first = '', ...more] = pieces;
    const rest = [...more];
    let answer = '';
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket
      .on('data', (chunk: Buffer) => {
        answer += chunk.toString('latin1');
        const piece = rest.shift();
        if (piece !== undefined) socket.write(piece);
      })
      .on('end', () => {
        socket.destroy();
        resolve(answer);
      })
      .on('error', reject)
      .write(first);
  });

/** What no two answers have in common. */
const plain = (bytes: string): string =>
  bytes
    .replaceAll(/^(date: ).*$/gim, '$1<date>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>');

/** The answers of both roads to the same bytes. */
const bothRoads = async (platform: string, pieces: readonly string[]): Promise<readonly [string, string]> => {
  const [straight, through] = await Promise.all(
    roads.map(async (road) => plain(await exchanged(started.get(`${platform} ${road}`)?.url ?? '', pieces))),
  );
  return [straight ?? '', through ?? ''];
};

const head = (method: string, path: string, lines: readonly string[], version = '1.1'): string =>
  [`${method} ${path} HTTP/${version}`, 'Host: x', ...lines, '', ''].join('\r\n');

const film = JSON.stringify({ title: 'Vertigo', minutes: 128 });

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'TRACE'];

const paths = [
  '/films',
  '/films/1',
  '/films/2?x=1',
  '/films/99',
  '/films/x',
  '/films/1/',
  '//films//1',
  '/Films/1',
  '/films?limit=0',
  '/films?%',
  '/films/found?title=Emma&sort=-title',
  '/films/search',
  '/films/fixed',
  '/films/%31',
  '/films/%zz',
  '/secured/films',
  '/secured/films/1',
  '/bare/films?limit=1',
  '/bare/films/1',
  '/bare/films/99',
  '/health',
  '/plain',
  '/thrown',
  '/bytes',
  '/text',
  '/empty',
  '/stream',
  '/nowhere',
  'http://x/films/1',
];

const closed = 'Connection: close';

const sized = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;

/** What stands behind the request line: headers and a body. */
const contents: readonly (readonly [lines: readonly string[], body: string])[] = [
  [[closed], ''],
  [[closed, 'X-Request-Id: mine', 'If-None-Match: *', 'Origin: https://app.example'], ''],
  [[closed, 'If-None-Match: "1"', 'Upgrade: websocket', 'Accept: text/html'], ''],
  [[closed, 'Content-Type: application/json', sized(film)], film],
  [
    [closed, 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
    `${film.length.toString(16)}\r\n${film}\r\n0\r\n\r\n`,
  ],
  [[closed, 'Content-Type: text/plain', sized(film)], film],
  [[closed, 'Content-Type: application/json', 'Content-Length: 1'], '{'],
  [
    [closed, 'Content-Type: application/json', 'If-Match: "7"', sized('{"titel":1,"minutes":"x"}')],
    '{"titel":1,"minutes":"x"}',
  ],
  [[closed, 'Content-Length: 0', 'Expect: 100-continue'], ''],
];

describe.each(platforms)('%s', (platform) => {
  test('Each of the two applications is on the road that it is for', () => {
    const logs = roads.map((road) => started.get(`${platform} ${road}`)?.startLog);
    expect(logs[0]).toContain("Get 'films/:id': the straight road");
    expect(logs[1]).not.toContain('the straight road');
  });

  test.each(methods)(
    'The same requests are answered with the same bytes on both roads: %s',
    async (method) => {
      const different: unknown[] = [];
      for (const path of paths)
        for (const [lines, body] of contents) {
          const sent = [head(method, path, lines) + body];
          const [straight, through] = await bothRoads(platform, sent);
          if (straight !== through || straight === '') different.push({ sent, straight, through });
        }
      expect(different).toEqual([]);
    },
    90_000,
  );

  const long = 'x'.repeat(3000);
  const create = head('POST', '/films', ['Content-Type: application/json', sized(film)]) + film;

  test.each([
    [
      'pipelined requests',
      [create + head('GET', '/films/1', []) + head('HEAD', '/films/1', []) + head('GET', '/films', [closed])],
    ],
    [
      'requests one after the other',
      [create, head('GET', '/films/1', []), head('DELETE', '/films/1', [closed])],
    ],
    ['HTTP/1.0', [head('GET', '/films', [], '1.0')]],
    [
      'HTTP/1.0 that is kept alive',
      [head('GET', '/films', ['Connection: keep-alive'], '1.0'), head('GET', '/films', [closed])],
    ],
    [
      'a body that is announced too large',
      [head('POST', '/films', ['Content-Type: application/json', sized(long)])],
    ],
    [
      'a body that is too large',
      [head('POST', '/films', ['Transfer-Encoding: chunked']) + `bb8\r\n${long}\r\n`],
    ],
    [
      'a body that nobody reads and that is still coming',
      [head('GET', '/films', ['Content-Length: 4000']) + 'x'],
    ],
    [
      'a client that waits to be asked',
      [
        head('POST', '/films', [
          'Expect: 100-continue',
          closed,
          'Content-Type: application/json',
          sized(film),
        ]),
        film,
      ],
    ],
    ['a client that waits in vain', [head('POST', '/films', ['Expect: 100-continue', sized(long)])]],
    ['another expectation', [head('POST', '/films', ['Expect: more', closed, sized(film)]) + film]],
    ['no Host', ['GET /films HTTP/1.1\r\nConnection: close\r\n\r\n']],
    ['a request line that is none', ['GET /films\r\n\r\n']],
    ['a header that is none', ['GET /films HTTP/1.1\r\nHost: x\r\nX Y: 1\r\n\r\n']],
    ['two lengths', [head('POST', '/films', ['Content-Length: 1', 'Content-Length: 2'])]],
    [
      'an upgrade',
      [head('GET', '/films', ['Connection: upgrade', 'Upgrade: websocket']), head('GET', '/films', [closed])],
    ],
  ])('Both roads send the same bytes to %s', async (_what, pieces) => {
    const [straight, through] = await bothRoads(platform, pieces);
    expect(straight).toBe(through);
    expect(straight).toContain('HTTP/1.1 ');
  });
});
