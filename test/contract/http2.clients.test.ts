import { once } from 'node:events';
import type { ClientHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { startHttp2, type Http2Application } from '../support/http2.js';

/** Something that a test waits for, and how often it has come. */
class Heard {
  count = 0;
  #next = Promise.withResolvers<null>();

  tell(): void {
    this.count += 1;
    this.#next.resolve(null);
    this.#next = Promise.withResolvers<null>();
  }

  /** Waits for the next time. */
  get next(): Promise<null> {
    return this.#next.promise;
  }
}

const begun = new Heard();
const givenUp = new Heard();
const closed = new Heard();
const written = new Heard();
/** Lets an answer begin. */
let go = Promise.withResolvers<null>();

const endpoints = [
  new Callable({
    url: 'waits',
    toCall: async ({ signal }) => {
      begun.tell();
      await once(signal, 'abort');
      givenUp.tell();
      return 'nobody hears it';
    },
  }),
  new Callable({
    url: 'stream',
    returnStandardResponse: false,
    toCall: async () => {
      begun.tell();
      await go.promise;
      return new Readable({
        read() {
          this.push('x'.repeat(65_536));
        },
        // It may never have been read.
        destroy(error, done) {
          closed.tell();
          done(error);
        },
      });
    },
  }),
  new Callable({
    url: 'write',
    requestMethods: ['POST'],
    toCall: () => {
      written.tell();
      return 'written';
    },
  }),
  new Callable({ url: 'quick', toCall: () => 'here' }),
];

let app: Http2Application['app'];
let session: Http2Application['session'];

beforeAll(async () => {
  ({ app, session } = await startHttp2({
    endpoints,
    root: { maximumInFlight: 2, closingTime: 100 },
  }));
  session.on('error', () => undefined);
});

afterAll(async () => {
  session.destroy();
  await app.close();
});

const ask = (path: string, method = 'GET', isWhole = true): ClientHttp2Stream => {
  const stream = session.request({ ':method': method, ':path': path }, { endStream: isWhole });
  stream.on('error', () => undefined);
  return stream;
};

const statusOf = async (stream: ClientHttp2Stream): Promise<unknown> => {
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
  stream.resume();
  await once(stream, 'end');
  return answer[':status'];
};

/** Resets a request where it is; one that is closed is ended before. */
const reset = async (stream: ClientHttp2Stream): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<null>();
  stream.once('close', () => {
    resolve(null);
  });
  stream.destroy(new Error('reset'));
  await promise;
};

test('Work for a client of HTTP/2 that has gone is given up, and its place with it', async () => {
  for (let time = 0; time < 4; time += 1) {
    const [started, ended] = [begun.next, givenUp.next];
    const stream = ask('/waits');
    await started;
    await reset(stream);
    await ended;
  }
  expect(await statusOf(ask('/quick'))).toBe(200);
});

test('A stream whose client has gone before it began is closed', async () => {
  for (let time = 0; time < 4; time += 1) {
    go = Promise.withResolvers<null>();
    const [started, ended] = [begun.next, closed.next];
    const stream = ask('/stream');
    await started;
    await reset(stream);
    // The service has heard of it before this one.
    expect(await statusOf(ask('/quick'))).toBe(200);
    go.resolve(null);
    await ended;
  }
});

test('A request that is reset within its body is not answered', async () => {
  for (const part of ['', '{"a": 1}']) {
    const stream = ask('/write', 'POST', false);
    if (part !== '') stream.write(part);
    // It is on its way by then.
    expect(await statusOf(ask('/quick'))).toBe(200);
    await reset(stream);
    expect(await statusOf(ask('/quick'))).toBe(200);
  }
  expect(written.count).toBe(0);
  const whole = ask('/write', 'POST', false);
  whole.end('{"a": 1}');
  expect(await statusOf(whole)).toBe(200);
  expect(written.count).toBe(1);
});

test('A service that stops cuts sessions of HTTP/2 that do not end', async () => {
  go.resolve(null);
  const stream = ask('/stream');
  await once(stream, 'response');
  const ended = closed.next;
  await app.close();
  await ended;
});
