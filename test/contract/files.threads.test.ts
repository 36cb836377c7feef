import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ImageQueue } from '@nest-endpoints/files/internal';
import { png, until } from './files.album.js';

/** A sharp of few words, which notes each thread that starts, and what it is given. */
const fake = `
const { appendFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
module.exports = (source) => {
  const image = {
    autoOrient: () => image, resize: () => image, timeout: () => image, webp: () => image,
    toFile: async (target) => {
      appendFileSync(path.join(__dirname, 'log'), path.basename(source) + ' ');
      writeFileSync(target, 'image');
      if (source.endsWith('poison')) await new Promise(() => process.exit(1));
    },
  };
  return image;
};
Object.assign(module.exports, { block() {}, unblock() {}, cache() {}, concurrency() {} });
appendFileSync(path.join(__dirname, 'log'), 'start ');
`;

const broken = `
require('node:fs').appendFileSync(require('node:path').join(__dirname, 'log'), 'start ');
throw new Error('Could not load the sharp module');
`;

const made = (sharpText: string, directory = mkdtempSync(join(tmpdir(), 'threads-'))) => {
  const sharp = join(directory, `${randomUUID()}.cjs`);
  const failed: string[] = [];
  writeFileSync(sharp, sharpText);
  const limits = { sharp, maximumPixels: 1, seconds: 1 };
  const queue = new ImageQueue(limits, (source, reason) =>
    failed.push(`${source.slice(directory.length + 1)}: ${reason}`),
  );
  const target = (name: string) => join(directory, 'made', name);
  return {
    directory,
    failed,
    sharp,
    log: () => readFileSync(join(directory, 'log'), 'utf8').trim(),
    ask(...names: readonly (string | readonly [string, Buffer])[]) {
      for (const one of names) {
        const [name, bytes] = typeof one === 'string' ? [one, 'x'] : one;
        const source = join(directory, name);
        writeFileSync(source, bytes);
        queue.ask({ source, target: target(name), folder: join(directory, 'unfinished'), width: 1 });
      }
    },
    /** The length of an image; undefined where there is none. */
    size: (name: string) => (existsSync(target(name)) ? statSync(target(name)).size : undefined),
  };
};

test('A thread that cannot start makes no file impossible, and is started again after a while', async () => {
  const { ask, failed, log, sharp, size } = made(broken);
  ask('a', 'b', 'c');
  await until(() => failed.length > 0);
  expect(failed).toEqual([expect.stringMatching(/^a: .*Could not load the sharp module$/)]);
  ask('a', 'b');
  writeFileSync(sharp, fake);
  ask('c');
  expect([log(), size('a'), size('b'), size('c')]).toEqual(['start', undefined, undefined, undefined]);
  const { now } = Date;
  try {
    Date.now = () => now() + 10_000;
    ask('a', 'c');
  } finally {
    Date.now = now;
  }
  await until(() => size('c') !== undefined);
  expect([log(), size('a'), size('b'), size('c')]).toEqual(['start start a c', 5, undefined, 5]);
});

test('An image that ends its thread twice is impossible; those behind it are made', async () => {
  const { ask, directory, failed, log, size } = made(fake);
  ask('a', 'poison', 'b');
  await until(() => size('b') !== undefined);
  expect([size('a'), size('poison'), size('b')]).toEqual([5, 0, 5]);
  expect(failed).toEqual(['poison: the thread has ended']);
  expect(log()).toBe('start a poison start poison start b');
  expect(readdirSync(join(directory, 'unfinished'))).toEqual([]);
  ask('c');
  await until(() => size('c') !== undefined);
});

/** The real sharp, whose images are written to a full disk for as long as nobody has made room. */
const full = `
const { existsSync } = require('node:fs');
const path = require('node:path');
const real = require(${JSON.stringify(createRequire(import.meta.url).resolve('sharp'))});
module.exports = (source, options) => {
  const image = real(source, options);
  const toFile = image.toFile.bind(image);
  image.toFile = (target) => toFile(existsSync(path.join(__dirname, 'room')) ? target : '/dev/full');
  return image;
};
for (const name of ['block', 'unblock', 'cache', 'concurrency']) module.exports[name] = real[name].bind(real);
`;

test('A disk that is full makes no image impossible: it is made once there is room', async () => {
  const { ask, directory, failed, size } = made(full);
  ask(['a', png()]);
  await until(() => failed.length > 0);
  expect(failed).toEqual([expect.stringMatching(/^a: .*No space left on device$/s)]);
  writeFileSync(join(directory, 'room'), '');
  // Nobody tries again at once.
  ask(['a', png()]);
  expect([size('a'), readdirSync(join(directory, 'unfinished'))]).toEqual([undefined, []]);
  const { now } = Date;
  try {
    Date.now = () => now() + 10_000;
    ask(['broken', Buffer.from('no image')], ['a', png()]);
  } finally {
    Date.now = now;
  }
  await until(() => size('a') !== undefined);
  // What is said of the file itself is kept.
  expect([size('broken'), (size('a') ?? 0) > 0, failed.length]).toEqual([0, true, 2]);
});

/** A sharp that writes a text, and ends when a file is there. */
const slow = (name: string, text: string) => `
const { existsSync, writeFileSync } = require('node:fs');
const path = require('node:path');
module.exports = () => {
  const image = {
    autoOrient: () => image, resize: () => image, timeout: () => image, webp: () => image,
    toFile: async (target) => {
      writeFileSync(target, ${JSON.stringify(text)});
      writeFileSync(path.join(__dirname, '${name} writes'), '');
      while (!existsSync(path.join(__dirname, '${name} may end'))) await new Promise(setImmediate);
    },
  };
  return image;
};
Object.assign(module.exports, { block() {}, unblock() {}, cache() {}, concurrency() {} });
`;

test('Two instances that share a folder make one image at a time each: none is seen in part', async () => {
  const first = made(slow('first', 'image'));
  const { directory, size } = first;
  const second = made(slow('second', 'im'), directory);
  const isThere = (name: string) => existsSync(join(directory, name));
  const may = (name: string) => {
    writeFileSync(join(directory, name), '');
  };
  first.ask('a');
  await until(() => isThere('first writes'));
  second.ask('a');
  await until(() => isThere('second writes'));
  may('first may end');
  await until(() => size('a') !== undefined);
  expect(size('a')).toBe(5);
  may('second may end');
  await until(() => size('a') === 2);
  expect([readdirSync(join(directory, 'made')), readdirSync(join(directory, 'unfinished'))]).toEqual([
    ['a'],
    [],
  ]);
  expect([...first.failed, ...second.failed]).toEqual([]);
});
