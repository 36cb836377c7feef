import { expect } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Callable, HealthCheck, Import } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';
import { hostileClient } from '../support/hostile.client.js';

const inFlight = 3;
const receiving = 6;
const receiveTimeout = 3000;

const application = libraryWith([
  new HealthCheck({ url: 'health', requestMethods: ['GET', 'POST'] }),
  new Callable({ url: 'echo', requestMethods: ['POST'], toCall: ({ requestData }) => requestData }),
  books(),
  new Import({ url: 'import', modelClass: Book, writeableColumnNames: ['title'] }),
]);

const { contract } = service(
  {
    ...application,
    root: {
      maximumInFlight: inFlight,
      maximumReceiving: receiving,
      receiveTimeout,
    },
  },
  everyPlatform,
);

const head = (method: string, path: string, ...headers: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

const unfinished = (path: string): string => head('POST', path, 'Content-Length: 12');

const several = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

const inEnvelope = (status: string, error: string): string => `"status":"${status}","error":"${error}"`;

contract('A request has a place only when its body is there', async (subject) => {
  const clients = await several(inFlight + 1, () => hostileClient(subject, unfinished('/echo')));
  expectAnswer(await subject.request().post('/echo').send({ a: 1 }), 200, success({ a: 1 }));
  for (const client of clients) client.write('{"b":"late"}');
  for (const client of clients) {
    expect(await client.hears(/"late"/)).toMatch(/^HTTP\/1\.1 (200|503) /);
    client.leave();
  }
});

contract(
  'A body that is worked on while it comes has no place while its client sends nothing',
  async (subject) => {
    const lines = head('POST', '/import', 'Content-Length: 44', 'Content-Type: application/x-ndjson');
    const clients = await several(inFlight + 1, () => hostileClient(subject, `${lines}{"title":"one"}\n`));
    for (let round = 0; round < 2; round += 1)
      expectAnswer(await subject.request().post('/echo').send({ a: 1 }), 200, success({ a: 1 }));
    for (const [index, client] of clients.entries()) {
      client.write(`{"title":"another ${String(index)}"}`.padEnd(28, ' '));
      expect(await client.hears(/"status":"\w+"/)).toMatch(/^HTTP\/1\.1 200 /);
      client.leave();
    }
  },
);

contract('A body that goes on to come is read, however its parts come', async (subject) => {
  const client = await hostileClient(subject, unfinished('/echo'));
  for (const part of ['{"b"', ':', '"late', '"', '}']) {
    client.write(part);
    expect((await subject.request().get('/health')).status).toBe(200);
  }
  expect(await client.hears(/"late"/)).toMatch(/^HTTP\/1\.1 200 /);
  expect(client.text).not.toMatch(/connection: close/i);
  client.leave();
});

contract(
  'When too many bodies are on their way, the one that has sent for longest is answered 408',
  async (subject) => {
    const clients = await several(receiving, () => hostileClient(subject, unfinished('/echo')));
    // Who has only begun gives way to nobody.
    while (clients.some(({ taken }) => taken === 0)) await subject.request().get('/health');
    const early = await hostileClient(subject, unfinished('/echo'));
    expect(await early.hears(/\r\n\r\n.*}/s)).toMatch(/^HTTP\/1\.1 503 /);
    // Whose body comes with its head needs no place, but this one sends it in parts.
    let late = early;
    const begun = performance.now();
    while (!clients.some(({ text }) => text.includes(' 408 '))) {
      late.leave();
      expect(performance.now() - begun).toBeLessThan(receiveTimeout);
      late = await hostileClient(subject, unfinished('/echo'));
      await subject.request().get('/health');
    }
    late.write('{"b":"late"}');
    expect(await late.hears(/"late"/)).toMatch(/^HTTP\/1\.1 200 /);
    late.leave();
    const [first] = clients;
    expect(await first?.hears(/408/)).toContain(inEnvelope('client_error', 'Request Timeout'));
    expect(clients.slice(1).map(({ text }) => text)).toEqual(clients.slice(1).map(() => ''));
    await first?.released();
    for (const client of clients) client.leave();
  },
);

contract(
  'A body that is longer on its way than receiveTimeout is answered 408, and its connection is closed',
  async (subject) => {
    const begun = performance.now();
    const client = await hostileClient(subject, unfinished('/books'));
    const dripping = setInterval(() => client.write(' '), receiveTimeout / 8);
    expect(await client.hears(/408[^]*}/)).toContain(inEnvelope('client_error', 'Request Timeout'));
    clearInterval(dripping);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(receiveTimeout - 1);
    expect(await client.released()).toBeLessThan(receiveTimeout);
    client.leave();
  },
);

const bodiless = async (subject: Subject): Promise<string[]> => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  return [
    head('GET', '/health', 'Content-Length: 5'),
    head('POST', '/health', 'Content-Length: 5'),
    head('GET', `/books/${id}`, 'Transfer-Encoding: chunked'),
    head('DELETE', `/books/${id}`, 'Content-Length: 5', 'Content-Type: application/json'),
  ];
};

contract(
  'An endpoint that reads no body waits for none, and the connection of one that is not there is closed',
  async (subject) => {
    for (const text of await bodiless(subject)) {
      const client = await hostileClient(subject, text);
      expect(await client.hears(/\r\n\r\n.*}/s)).toMatch(/^HTTP\/1\.1 200 /);
      expect(client.text).toMatch(/\r\nconnection: close\r\n/i);
      await client.released();
      client.leave();
    }
  },
);

contract('A body that nobody reads does not harm the connection it came on', async (subject) => {
  const client = await hostileClient(subject);
  for (let times = 1; times <= 3; times += 1) {
    client.write(`${head('POST', '/health', 'Content-Length: 5', 'Content-Type: application/json')}{"a":`);
    while (client.text.split('HTTP/1.1 200 ').length <= times || !client.text.endsWith('}}')) await turn();
  }
  expect(client.text).not.toMatch(/connection: close/i);
  client.leave();
});

contract('Bodies that never end keep neither HealthChecks nor others from their answers', async (subject) => {
  const { request } = subject;
  const heads = [unfinished('/echo'), unfinished('/health'), head('GET', '/books', 'Content-Length: 9')];
  const clients = await Promise.all(heads.flatMap((text) => [1, 2].map(() => hostileClient(subject, text))));
  for (let times = 0; times < 40; times += 1) {
    expect((await request().get('/health')).status).toBe(200);
    expect((await request().post('/echo').send({ a: 1 })).status).toBe(200);
  }
  for (const client of clients) client.leave();
});

contract(
  'A preflight, a HEAD request and an unknown path are answered whatever body they announce',
  async (subject) => {
    const paths = ['OPTIONS', 'HEAD'].map((method) => head(method, '/health', 'Content-Length: 5'));
    // Express has parsers that read what is for nobody of ours: the limits of the server hold for them.
    if (subject.platform === 'fastify') paths.push(head('POST', '/nowhere', 'Content-Length: 5'));
    for (const text of paths) {
      const client = await hostileClient(subject, text);
      expect(await client.hears(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 (200|404) /);
      await client.released();
      client.leave();
    }
  },
);
