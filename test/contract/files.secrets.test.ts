import { expect, test } from '@jest/globals';
import { LocalFiles } from '@nest-endpoints/files';
import { directory } from './files.album.js';

test('Of several secrets the first one signs, and all are taken', async () => {
  const [before, next] = ['a secret of thirty-two characters', 'another one of thirty-two characters'];
  const [old, both] = [before, [next, before]].map((secret) => new LocalFiles({ directory, secret }));
  const file = { key: 'a'.repeat(32), name: 'x.png', type: 'image/png', bytes: 1, sha256: '0' };
  const read = (from?: LocalFiles, by?: LocalFiles) => {
    const url = from?.url(file, { isPublic: false, isInline: false }, '/files') ?? '';
    const { searchParams } = new URL(url, 'http://localhost');
    return by?.served(file.key, { get: (name) => searchParams.get(name) ?? undefined });
  };
  // What is good leads to a file that is gone.
  expect([await read(old, both), await read(both, both)]).toEqual([undefined, undefined]);
  expect(await read(both, old)).toBe('refused');
});
