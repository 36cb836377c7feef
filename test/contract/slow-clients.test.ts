import { expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { library } from '../support/entities/library.js';

const limit = 700;

/** The limit that there is without one of an endpoint's own, in milliseconds. */
const usual = 30_000;

/** More than the buffers of an operating system hold on both sides. */
const pieces = 140;
/** Of a letter that no header has. */
const piece = 'z'.repeat(100_000);

const whole = { returnStandardResponse: false, stallTimeout: limit } as const;

const endpoints = [
  new Callable({
    ...whole,
    url: 'stream',
    toCall: async function* () {
      for (let index = 0; index < pieces; index += 1) yield await Promise.resolve(piece);
    },
  }),
  new Callable({ ...whole, url: 'bytes', toCall: () => Buffer.from(piece.repeat(pieces)) }),
  new Callable({ ...whole, url: 'text', toCall: () => piece.repeat(pieces) }),
  new Callable({ url: 'envelope', stallTimeout: limit, toCall: () => piece.repeat(pieces) }),
  new Callable({
    ...whole,
    url: 'idle',
    toCall: async function* () {
      yield 'begun';
      await after(2 * limit);
      yield 'ended';
    },
  }),
  new Callable({ url: 'small', toCall: () => 'small' }),
];

const { contract } = service({ entities: library, endpoints, root: { maximumInFlight: 3 } }, everyPlatform);

/** A connection on which something was asked, of which nothing has been read. */
const asking = (url: string, ...paths: readonly string[]): Socket => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write(paths.map((path) => `GET /${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''));
  return socket;
};

/** Reads at a steady rate until the connection ends. @returns how many bytes of the filler came */
const readSlowly = async (socket: Socket, bytesPerSecond: number): Promise<number> => {
  let read = 0;
  const begun = performance.now();
  for await (const chunk of socket) {
    read += String(chunk).split('z').length - 1;
    await after(Math.max(0, (read / bytesPerSecond) * 1000 - (performance.now() - begun)));
    if (read >= pieces * piece.length) break;
  }
  return read;
};

const connections = ({ app }: Subject): Promise<number> =>
  new Promise((resolve, reject) => {
    (app.getHttpServer() as Server).getConnections((error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });

/** How long until the service has no connection any more, in milliseconds. */
const untilClosed = async (subject: Subject): Promise<number> => {
  const begun = performance.now();
  while ((await connections(subject)) > 0) await after(10);
  return performance.now() - begun;
};

const unread: readonly (readonly string[])[] = [
  ['stream'],
  ['bytes'],
  ['text'],
  ['envelope'],
  ['small', 'bytes'],
  ['bytes', 'stream', 'small'],
];

contract('A client that reads slowly but steadily gets all of its answer', async ({ url }) => {
  const rate = 2_000_000;
  const read = await Promise.all(
    ['stream', 'bytes', 'envelope'].map((path) => readSlowly(asking(url, path), rate)),
  );
  expect(read).toEqual([0, 0, 0].map(() => pieces * piece.length));
});

contract(
  'A client that reads nothing is cut off after the stall limit, whatever its answer is',
  async (subject) => {
    for (const paths of unread) {
      const socket = asking(subject.url, ...paths);
      while ((await connections(subject)) === 0) await after(1);
      const took = await untilClosed(subject);
      socket.destroy();
      expect([paths, took > 0.9 * limit, took < usual / 2]).toEqual([paths, true, true]);
    }
  },
);

contract('An answer that nobody reads gives its place back', async (subject) => {
  const paths = ['bytes', 'stream', 'text', 'envelope', 'stream', 'bytes'];
  const sockets = paths.map((path) => asking(subject.url, path));
  // The first ones may find all places taken, while the answers that nobody reads are made.
  const answers: number[] = [];
  for (let count = 0; count < 12; count += 1) answers.push((await subject.request().get('/small')).status);
  expect(answers.slice(6)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(await connections(subject)).toBeGreaterThanOrEqual(paths.length);
  await untilClosed(subject);
  for (const socket of sockets) socket.destroy();
  const later = await Promise.all([1, 2, 3].map(() => subject.request().get('/small')));
  expect(later.map(({ status }) => status)).toEqual([200, 200, 200]);
});

contract('A stream that waits for its source is not cut off', async ({ request }) => {
  expect((await request().get('/idle').buffer(true)).text).toBe('begunended');
});

contract('Bytes that are no HTTP put nothing into an answer that has begun', async ({ url, request }) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += String(chunk);
    if (text.includes('begun')) socket.write('no HTTP at all\r\n\r\n');
  });
  socket.write('GET /idle HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'close');
  expect(text).toContain('begun');
  expect(text.split('HTTP/1.1')).toHaveLength(2);
  expect((await request().get('/small')).status).toBe(200);
});

contract('Bytes that are no HTTP are a 400 where no answer has begun', async ({ url }) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('no HTTP at all\r\n\r\n');
  expect(await textOf(socket)).toMatch(/^HTTP\/1\.1 400 /);
});
