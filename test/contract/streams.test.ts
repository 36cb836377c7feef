import { expect } from '@jest/globals';
import { QueryOrder } from '@mikro-orm/core';
import { Callable } from '@nest-endpoints/core';
import { Readable } from 'node:stream';
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expectAnswer, failure } from '../support/answers.js';
import { once as expressOnPostgresql, postgresqlOnly, service } from '../support/contract.js';
import { Book, library } from '../support/entities/library.js';

/** What happened to the generators, by their paths. */
const ended = new Map<string, PromiseWithResolvers<string>>();
const endOf = (path: string): PromiseWithResolvers<string> => {
  const known = ended.get(path) ?? Promise.withResolvers<string>();
  ended.set(path, known);
  return known;
};

const endless = (path: string, size: number) =>
  async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<object> {
    try {
      for (let number = 0; ; number += 1) {
        yield { number, filler: 'x'.repeat(size) };
        if (number % 100 === 0) await new Promise(setImmediate);
      }
    } finally {
      endOf(path).resolve(signal.aborted ? 'aborted' : 'returned');
    }
  };

const raw = { returnStandardResponse: false } as const;

const { contract } = service(
  {
    entities: library,
    endpoints: [
      new Callable({
        ...raw,
        url: 'objects',
        toCall: async function* () {
          yield { n: 1 };
          await Promise.resolve();
          yield { n: 2 };
        },
      }),
      new Callable({ ...raw, url: 'texts', toCall: () => Readable.from(['a', 'b', 'c']) }),
      new Callable({ ...raw, url: 'bytes', toCall: () => Readable.from([Buffer.from([1, 2])]) }),
      new Callable({ ...raw, url: 'web', toCall: () => new Response(new Blob(['streamed']).stream()) }),
      new Callable({ ...raw, url: 'empty', toCall: () => Readable.from([]) }),
      new Callable({
        ...raw,
        url: 'records',
        modelClass: Book,
        readableColumnNames: ['title', 'inPrint'],
        toCall: async function* ({ em }) {
          for (const book of await em.find(Book, {}, { orderBy: { title: QueryOrder.ASC } })) yield book;
        },
      }),
      new Callable({
        ...raw,
        url: 'broken-at-once',
        toCall: async function* () {
          yield await Promise.reject(new Error('at once'));
        },
      }),
      new Callable({
        ...raw,
        url: 'broken-later',
        toCall: async function* () {
          yield { n: 1 };
          await new Promise(setImmediate);
          throw new Error('later');
        },
      }),
      new Callable({ ...raw, url: 'endless', timeout: 100, toCall: endless('endless', 10) }),
      new Callable({ ...raw, url: 'stalled', stallTimeout: 200, toCall: endless('stalled', 10_000) }),
      new Callable({
        ...raw,
        url: 'headless',
        responseHeaders: () => {
          throw new Error('no headers');
        },
        toCall: endless('headless', 10),
      }),
      new Callable({ url: 'enveloped', toCall: () => Readable.from(['a']) }),
    ],
  },
  postgresqlOnly,
);

contract('Objects of a stream are lines of JSON', async ({ request }) => {
  const { text, headers } = await request().get('/objects').buffer(true);
  expect([text, headers['content-type']]).toEqual(['{"n":1}\n{"n":2}\n', 'application/x-ndjson']);
});

contract('Texts and bytes of a stream are sent as they are', async ({ request }) => {
  const texts = await request().get('/texts').buffer(true);
  expect([texts.text, texts.headers['content-type']]).toEqual(['abc', 'text/plain; charset=UTF-8']);
  const bytes = await request().get('/bytes');
  expect([bytes.body, bytes.headers['content-type']]).toEqual([
    Buffer.from([1, 2]),
    'application/octet-stream',
  ]);
  expect((await request().get('/empty').buffer(true)).text).toBe('');
});

contract('The stream of a Response is sent', async ({ request }) => {
  const { body } = await request().get('/web');
  expect(String(body)).toBe('streamed');
});

contract('Instances in a stream show their readable columns', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  const { text } = await request().get('/records').buffer(true);
  expect(text).toBe('{"title":"Emma","in_print":true}\n');
});

contract('HEAD of a stream has its headers and no body', async ({ request }) => {
  const { status, headers, body } = await request().head('/objects');
  expect([status, headers['content-type'], body]).toEqual([200, 'application/x-ndjson', {}]);
});

contract('HEAD of a stream closes what makes it', async ({ request }) => {
  ended.delete('endless');
  await request().head('/endless');
  expect(await endOf('endless').promise).toMatch(/returned|aborted/);
});

contract('A stream that fails at once is a failure envelope', async ({ request }) => {
  expectAnswer(await request().get('/broken-at-once'), 500, failure('Internal Server Error'));
});

contract(
  'A stream that fails later is cut short, never ended as if it were whole',
  async ({ request, log }) => {
    await expect(request().get('/broken-later').buffer(true)).rejects.toThrow();
    expect(log.text('error')).toContain('later');
  },
);

contract('A stream in the envelope is a failure', async ({ request }) => {
  expectAnswer(await request().get('/enveloped'), 500, failure('Internal Server Error'));
});

contract('A stream whose answer is never sent is closed', async ({ request }) => {
  ended.delete('headless');
  expectAnswer(await request().get('/headless'), 500, failure('Internal Server Error'));
  expect(await endOf('headless').promise).toMatch(/returned|aborted/);
});

contract('A stream flows on after the time limit, until its client goes away', async ({ url }) => {
  ended.delete('endless');
  const sent = httpRequest(`${url}/endless`).end();
  const [response] = (await once(sent, 'response')) as [Readable];
  const begun = performance.now();
  for await (const _chunk of response) if (performance.now() - begun > 300) break;
  sent.destroy();
  await endOf('endless').promise;
  expect(performance.now() - begun).toBeGreaterThan(300);
});

contract('A client that stops reading is cut off after the stall limit', async ({ url }) => {
  ended.delete('stalled');
  const sent = httpRequest(`${url}/stalled`).end();
  sent.on('error', () => undefined);
  const [response] = (await once(sent, 'response')) as [Readable];
  response.on('error', () => undefined).pause();
  expect(await endOf('stalled').promise).toMatch(/returned|aborted/);
  sent.destroy();
});

// PGlite gives whole results only.
const server = service(
  {
    entities: library,
    endpoints: [
      new Callable({
        ...raw,
        url: 'cursor',
        toCall: async function* ({ em }) {
          for await (const book of em.stream(Book)) yield { title: book.title };
        },
      }),
    ],
  },
  expressOnPostgresql,
);

server.contract('Clients that leave at any moment keep no connection of the database', async (subject) => {
  const { request, url } = subject;
  const em = subject.em();
  for (let index = 0; index < 300; index += 1) em.create(Book, { title: `book ${index}` });
  await em.flush();
  // More than the pool has: one that was kept would be missing at the end.
  for (let moment = 0; moment < 40; moment += 1) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    socket.end('GET /cursor HTTP/1.1\r\nHost: localhost\r\n\r\n');
    for (let turn = 0; turn < moment; turn += 1) await new Promise(setImmediate);
    socket.destroy();
  }
  for (let round = 0; round < 12; round += 1) expect((await request().head('/cursor')).status).toBe(200);
  expect((await request().get('/cursor').buffer(true)).text.split('\n')).toHaveLength(301);
});
