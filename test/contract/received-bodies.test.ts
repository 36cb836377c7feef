import { expect } from '@jest/globals';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { Callable, NotAuthenticated, type Authentication } from '@nest-endpoints/core';
import { clientError, expectAnswer, success } from '../support/answers.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { library } from '../support/entities/library.js';
import { hostileClient } from '../support/hostile.client.js';

const bodyLimit = 1000;
const megabyte = 1_048_576;

const nobody: Authentication = {
  allowedHeaders: [],
  authenticate: () => Promise.reject(new NotAuthenticated()),
};

const toCall = ({ requestData }: { readonly requestData: unknown }): unknown => requestData;

const endpoints = [
  new Callable({ url: 'echo', requestMethods: ['POST'], toCall }),
  new Callable({ url: 'secret', requestMethods: ['POST'], authentication: nobody, toCall }),
];

const limited = service({ entities: library, endpoints, root: { bodyLimit } }, everyPlatform).contract;

const head = (path: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

limited('A body that is announced above the limit is refused before any of it has come', async (subject) => {
  const client = await hostileClient(subject, head('/echo', `Content-Length: ${bodyLimit + 1}`));
  const answer = await client.hears(/\r\n\r\n.*}/s);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain(`must not be larger than ${bodyLimit} bytes`);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  await client.released();
  client.leave();
});

/** Sends as much as it can, for as long as it can. */
const flood = async (
  subject: Subject,
  path: string,
): Promise<{ readonly text: string; readonly taken: number }> => {
  const client = await hostileClient(subject, head(path, 'Transfer-Encoding: chunked'));
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, ' '), Buffer.from('\r\n')]);
  const sending = setInterval(() => {
    while (client.write(chunk));
  }, 1);
  await client.released();
  clearInterval(sending);
  const { text, taken } = client;
  client.leave();
  return { text, taken };
};

limited(
  'A body that goes on above the limit is answered at the limit, and its connection is closed',
  async (subject) => {
    for (const [path, status] of [
      ['/echo', 413],
      ['/secret', 401],
    ] as const) {
      const { text, taken } = await flood(subject, path);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(text).toMatch(/\r\nconnection: close\r\n/i);
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
      expect(taken).toBeGreaterThan(bodyLimit);
      expect(taken).toBeLessThan(10 * megabyte);
    }
  },
);

limited(
  'A client that sends all of a body before it listens hears that the body is too large',
  async ({ url }) => {
    for (const length of [{}, { 'content-length': 4 * megabyte }]) {
      const { status, body } = await new Promise<{ status: number | undefined; body: unknown }>(
        (resolve, reject) => {
          const sent = httpRequest(
            `${url}/echo`,
            { method: 'POST', agent: false, headers: length },
            (answer) => {
              let text = '';
              answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
              answer.on('end', () => {
                resolve({ status: answer.statusCode, body: JSON.parse(text) });
              });
            },
          ).on('error', reject);
          for (let times = 0; times < 64; times += 1) sent.write(Buffer.alloc(megabyte / 16, ' '));
          sent.end();
        },
      );
      expect([status, body]).toEqual([
        413,
        clientError(`The request body must not be larger than ${bodyLimit} bytes`),
      ]);
    }
  },
);

limited(
  'A client that waits to be asked for its body is asked when it is wanted, and not otherwise',
  async (subject) => {
    const waiting = ['Expect: 100-continue', 'Content-Type: application/json'];
    const wanted = await hostileClient(subject, head('/echo', ...waiting, 'Content-Length: 7'));
    await wanted.hears(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    wanted.write('{"a":1}');
    expect(await wanted.hears(/"a":1/)).toMatch(/\r\n\r\nHTTP\/1\.1 200 /);
    wanted.leave();
    const unwanted = await hostileClient(
      subject,
      head('/echo', ...waiting, `Content-Length: ${bodyLimit + 1}`),
    );
    expect(await unwanted.hears(/\r\n\r\n.*}/s)).toMatch(/^HTTP\/1\.1 413 /);
    await unwanted.released();
    unwanted.leave();
  },
);

limited('A body that comes with its head is refused above the limit, too', async ({ request }) => {
  const within = { a: 'x'.repeat(bodyLimit - '{"a":""}'.length) };
  expectAnswer(await request().post('/echo').send(within), 200, success(within));
  const answer = await request()
    .post('/echo')
    .send({ a: `${within.a}x` });
  expectAnswer(answer, 413, clientError(`The request body must not be larger than ${bodyLimit} bytes`));
});

type Hear = (message: IncomingMessage, heard: (chunk: Buffer) => void) => unknown;

/** Listeners of a server that hear the body of a request, too. */
const hearers: Readonly<Record<string, Hear>> = {
  data: (message, heard) => message.on('data', heard),
  pipe: (message, heard) => {
    const copy = new PassThrough();
    copy.on('data', heard);
    message.pipe(copy);
  },
  resume: (message, heard) => message.on('data', heard).resume(),
  readable: (message, heard) =>
    message.on('readable', () => {
      const chunk = message.read() as Buffer | null;
      if (chunk !== null) heard(chunk);
    }),
};
const behind = ['data', 'pipe', 'resume'];

limited(
  'A body is read by its endpoint although a listener of the server reads it, too, whoever comes first',
  async ({ app, request }) => {
    const server = app.getHttpServer() as Server;
    for (const [name, hear] of Object.entries(hearers))
      for (const add of behind.includes(name)
        ? (['prependListener', 'on'] as const)
        : (['prependListener'] as const)) {
        const parts: Buffer[] = [];
        const listen = (message: IncomingMessage): void => {
          hear(message, (chunk) => parts.push(chunk));
        };
        server[add]('request', listen);
        const big = { a: 'x'.repeat(500) };
        expectAnswer(await request().post('/echo').send(big), 200, success(big));
        server.off('request', listen);
        expect([name, add, Buffer.concat(parts).toString()]).toEqual([name, add, JSON.stringify(big)]);
      }
  },
);

const unlimited = service(
  { entities: library, endpoints, root: { bodyLimit: Number.MAX_SAFE_INTEGER, receiveTimeout: 500 } },
  everyPlatform,
).contract;

unlimited('What a client announces takes no memory, only what it sends', async (subject) => {
  const { arrayBuffers } = process.memoryUsage();
  const clients = await Promise.all(
    [2 ** 28, 2 ** 31, 2 ** 52].map((length) =>
      hostileClient(subject, `${head('/echo', `Content-Length: ${length}`)}{`),
    ),
  );
  for (const client of clients) expect(await client.hears(/\r\n\r\n.*}/s)).toMatch(/^HTTP\/1\.1 408 /);
  expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(2 ** 27);
  expectAnswer(await subject.request().post('/echo').send({ a: 1 }), 200, success({ a: 1 }));
  for (const client of clients) client.leave();
});

unlimited('A body that comes in many parts is read as it was sent', async ({ url }) => {
  const text = JSON.stringify({ text: Array.from({ length: 40_000 }, (_, at) => `part ${at}`).join(' ') });
  const parts = text.match(/[^]{1,4099}/g) ?? [];
  const body = ReadableStream.from(parts.map((part) => Buffer.from(part)));
  const answer = await fetch(`${url}/echo`, { method: 'POST', body, duplex: 'half' });
  expect(await answer.json()).toEqual(success(JSON.parse(text)));
});
