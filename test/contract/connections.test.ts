import { Body, Controller, Get as NestGet, Post } from '@nestjs/common';
import { expect } from '@jest/globals';
import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { Callable, HealthCheck, setServerLimits } from '@nest-endpoints/core';
import { everyPlatform, service } from '../support/contract.js';
import { library } from '../support/entities/library.js';
import { hostileClient } from '../support/hostile.client.js';

@Controller('own')
class OwnController {
  @NestGet()
  hello(): unknown {
    return { hello: 'you' };
  }

  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

let held = Promise.withResolvers<undefined>();
let working = 0;
let most = 0;

const work = async (): Promise<string> => {
  working += 1;
  most = Math.max(most, working);
  await held.promise;
  working -= 1;
  return 'done';
};

const limits = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
const keepAliveTimeout = 200;

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new HealthCheck({ url: 'health' }),
      new Callable({ url: 'work', requestMethods: ['GET', 'POST'], toCall: work }),
      new Callable({ url: 'echo', requestMethods: ['POST'], toCall: ({ requestData }) => requestData }),
    ],
    controllers: [OwnController],
    configure: (app) => {
      setServerLimits(app, limits);
      Object.assign(app.getHttpServer() as Server, { keepAliveTimeout, keepAliveTimeoutBuffer: 50 });
    },
  },
  everyPlatform,
);

const head = (line: string, ...headers: string[]): string => [line, ...headers, '', ''].join('\r\n');

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const begin = (): void => {
  held = Promise.withResolvers();
  working = 0;
  most = 0;
};

contract('Requests on one connection are worked on one after the other', async (subject) => {
  begin();
  const requests = ['GET', 'POST', 'GET', 'POST'].map((method) =>
    head(`${method} /work HTTP/1.1`, 'Host: x', 'Content-Length: 0'),
  );
  const client = await hostileClient(subject, requests.join(''));
  while (working === 0) await turn();
  // Others are not kept waiting by it.
  expect((await subject.request().get('/health')).status).toBe(200);
  held.resolve(undefined);
  while (statuses(client.text).length < 4) await turn();
  expect([most, statuses(client.text)]).toEqual([1, [200, 200, 200, 200]]);
  client.leave();
});

contract(
  'Of the requests that wait on one connection, those after the hundredth are answered 503',
  async (subject) => {
    begin();
    const client = await hostileClient(subject, head('GET /work HTTP/1.1', 'Host: x').repeat(150));
    while (working === 0) await turn();
    held.resolve(undefined);
    while (statuses(client.text).length < 150) await turn();
    const found = statuses(client.text);
    expect(found.slice(0, 101)).toEqual(Array.from({ length: 101 }, () => 200));
    expect(found.slice(101)).toEqual(Array.from({ length: 49 }, () => 503));
    expect(most).toBe(1);
    client.leave();
  },
);

contract(
  'A request of HTTP/1.1 without a Host is a 400 in the envelope, whatever its path',
  async (subject) => {
    for (const path of ['/health', '/nowhere', '/own', '/%E0']) {
      const client = await hostileClient(subject, head(`GET ${path} HTTP/1.1`));
      const answer = await client.hears(/\r\n\r\n.*}/s);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toContain('"status":"client_error","error":"The request has no Host header"');
      await client.released();
      client.leave();
    }
    const old = await hostileClient(subject, head('GET /own HTTP/1.0'));
    expect(await old.hears(/you/)).toMatch(/^HTTP\/1\.1 200 /);
    await old.released();
    old.leave();
  },
);

contract('A request to an endpoint with several Host headers is a 400 in the envelope', async (subject) => {
  for (const line of ['GET /health', 'POST /echo', 'OPTIONS /health']) {
    const sent = head(`${line} HTTP/1.1`, 'Host: a', 'content-length: 0', 'hOST: b');
    const client = await hostileClient(subject, sent);
    const answer = await client.hears(/\r\n\r\n.*}/s);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain('"status":"client_error","error":"The request has several Host headers"');
    await client.released();
    client.leave();
  }
});

contract(
  'A request to an endpoint with a transfer coding that is not understood is a 501 in the envelope',
  async (subject) => {
    for (const coding of ['gzip, chunked', 'x-own, chunked']) {
      const sent = head('POST /echo HTTP/1.1', 'Host: a', `Transfer-Encoding: ${coding}`);
      const client = await hostileClient(subject, `${sent}2\r\n{}\r\n0\r\n\r\n`);
      const answer = await client.hears(/\r\n\r\n.*}/s);
      expect(answer).toMatch(/^HTTP\/1\.1 501 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      expect(answer).toContain('"error":"Not Implemented"');
      await client.released();
      client.leave();
    }
    const sent = head('POST /echo HTTP/1.1', 'Host: a', 'Connection: close', 'Transfer-Encoding: Chunked');
    const client = await hostileClient(subject, `${sent}2\r\n{}\r\n0\r\n\r\n`);
    expect(await client.hears(/\r\n\r\n.*}/s)).toMatch(/^HTTP\/1\.1 200 /);
    client.leave();
  },
);

const refusedByNode: readonly (readonly [number, string, string])[] = [
  [400, 'Bad Request', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  [400, 'Bad Request', head('GET /health HTTP/9.9', 'Host: x')],
  [400, 'Bad Request', head('GET /health HTTP/1.1', 'Host x')],
  [
    400,
    'Bad Request',
    head('POST /echo HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
  ],
  [400, 'Bad Request', `${head('POST /echo HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}zz\r\n`],
  [
    431,
    'Request Header Fields Too Large',
    head('GET /health HTTP/1.1', 'Host: x', `X: ${'x'.repeat(20_000)}`),
  ],
  [
    431,
    'Request Header Fields Too Large',
    `${head('POST /echo HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  [
    413,
    'Payload Too Large',
    `${head('POST /echo HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\n \r\n`,
  ],
  [417, 'Expectation Failed', head('POST /echo HTTP/1.1', 'Host: x', 'Expect: tea', 'Content-Length: 5')],
];

contract(
  "What Node's parser refuses is answered in the envelope, and its connection is closed",
  async (subject) => {
    const refused = async ([status, error, text]: (typeof refusedByNode)[number]): Promise<void> => {
      const client = await hostileClient(subject, Buffer.from(text, 'latin1'));
      expect(await client.hears(/\r\n\r\n.*}/s)).toContain(
        `"status":"client_error","error":"${error}","data":[]`,
      );
      expect([statuses(client.text), text.slice(0, 20)]).toEqual([[status], text.slice(0, 20)]);
      await client.released();
      client.leave();
    };
    await Promise.all(refusedByNode.map(refused));
  },
);

const unfinished: readonly string[] = [
  '',
  '\r\n',
  'GET /health HTTP/1.1\r\nHost: x\r\nX: ',
  head('POST /echo HTTP/1.1', 'Host: x', 'Content-Length: 5'),
  `${head('POST /echo HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}1\r\n{\r\n`,
  `${head('POST /echo HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\nX-Trailer: `,
  head('POST /echo HTTP/1.0', 'Content-Length: 5'),
  head('POST /own HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 5'),
  head('POST /nowhere HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 5'),
];

contract(
  'A client that does not end its request loses its connection, however long it keeps its own side',
  async (subject) => {
    await Promise.all(
      unfinished.map(async (text) => {
        const begun = performance.now();
        const client = await hostileClient(subject, text);
        await client.released();
        expect(performance.now() - begun).toBeLessThan(10 * limits.requestTimeout);
        expect([text, statuses(client.text)]).toEqual([
          text,
          [text.includes('nowhere') && subject.platform === 'fastify' ? 404 : 408],
        ]);
        client.leave();
      }),
    );
  },
);

contract('A connection on which nothing more is asked is closed after keepAliveTimeout', async (subject) => {
  const client = await hostileClient(subject, head('GET /health HTTP/1.1', 'Host: x'));
  await client.hears(/}}$/);
  expect(await client.released()).toBeGreaterThan(keepAliveTimeout / 2);
  client.leave();
});

contract('A tunnel is refused, and nobody changes to another protocol', async (subject) => {
  const tunnel = await hostileClient(subject, head('CONNECT example.org:443 HTTP/1.1', 'Host: x'));
  await tunnel.released();
  expect(tunnel.text).toBe('');
  tunnel.leave();
  const upgrade = await hostileClient(
    subject,
    head('GET /health HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'),
  );
  expect(await upgrade.hears(/}}$/)).toMatch(/^HTTP\/1\.1 200 /);
  upgrade.leave();
});
