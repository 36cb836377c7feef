import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ImageQueue } from '@nest-endpoints/files/internal';
import { until } from './files.album.js';

/** A sharp of few words, which notes each thread that starts, and what it is given. */
const fake = `
const { appendFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
module.exports = (source) => {
  const image = {
    autoOrient: () => image, resize: () => image, timeout: () => image, webp: () => image,
    toFile: async (target) => {
      appendFileSync(path.join(__dirname, 'log'), path.basename(source) + ' ');
      if (source.endsWith('poison')) await new Promise(() => process.exit(1));
      writeFileSync(target, 'image');
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

const made = (sharpText: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'threads-'));
  const sharp = join(directory, 'sharp.cjs');
  const failed: string[] = [];
  writeFileSync(sharp, sharpText);
  const limits = { sharp, maximumPixels: 1, seconds: 1 };
  const queue = new ImageQueue(limits, (source, reason) =>
    failed.push(`${source.slice(directory.length + 1)}: ${reason}`),
  );
  const target = (name: string) => join(directory, 'made', name);
  return {
    failed,
    sharp,
    log: () => readFileSync(join(directory, 'log'), 'utf8').trim(),
    ask(...names: readonly string[]) {
      for (const name of names) {
        const source = join(directory, name);
        writeFileSync(source, 'x');
        queue.ask({ source, target: target(name), width: 1 });
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
  const { ask, failed, log, size } = made(fake);
  ask('a', 'poison', 'b');
  await until(() => size('b') !== undefined);
  expect([size('a'), size('poison'), size('b')]).toEqual([5, 0, 5]);
  expect(failed).toEqual(['poison: the thread has ended']);
  expect(log()).toBe('start a poison start poison start b');
  ask('c');
  await until(() => size('c') !== undefined);
});
