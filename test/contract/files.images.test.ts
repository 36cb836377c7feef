import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, RestfulApi } from '@nest-endpoints/core';
import {
  FileColumn,
  fileEndpoints,
  FileRecord,
  LocalFiles,
  SharpImages,
  type StoredFile,
} from '@nest-endpoints/files';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { as, png, sha256, until, upload } from './files.album.js';

const directory = mkdtempSync(join(tmpdir(), 'images-'));
const secret = 'a secret of thirty-two characters';
const storage = new LocalFiles({ directory, secret });
const images = new SharpImages({ maximumPixels: 1_000_000 });
const variants = { thumb: { width: 200 }, tile: { width: 40, height: 40 } } as const;

const Photo = defineEntity({
  name: 'Photo',
  properties: {
    id: p.integer().primary().autoincrement(),
    file: p.json<StoredFile>().nullable(),
  },
});

defineColumns(Photo, {
  file: {
    type: new FileColumn({
      storage,
      maximumBytes: 1_000_000,
      types: ['image/png', 'image/svg+xml'],
      variants,
      images,
    }),
  },
});

const { contract } = service(
  {
    entities: [Photo, FileRecord],
    endpoints: [
      fileEndpoints({ url: 'photos/files', modelClass: Photo, columnName: 'file' }),
      new RestfulApi({
        url: 'photos',
        modelClass: Photo,
        readableColumnNames: ['id', 'file'],
        writeableColumnNames: ['file'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyPlatform,
);

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};

/** A black picture of one bit a pixel, which is little however large it is. */
const picture = (width: number, height: number): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([png().subarray(0, 8), ...parts]);
};

interface Shown {
  readonly url: string;
  readonly variants: { readonly thumb: string; readonly tile: string } | null;
}

const made = async (subject: Subject, bytes: Buffer, more: object = {}): Promise<Shown & { key: string }> => {
  const key = await upload(subject, bytes, more, { path: '/photos/files' });
  const { body } = await subject.request().post('/photos').set(as('ann')).send({ file: key });
  return { ...(body.data.file as Shown), key };
};

/** The answer about an image once it is no longer being made. */
const finished = async ({ request }: Subject, url: string) => {
  await until(async () => (await request().get(url)).headers['cache-control'] !== 'no-store');
  return request().get(url).buffer(true);
};

/** The width and the height that a WebP of one picture says. */
const sizeOf = (webp: Buffer): readonly number[] => {
  expect(webp.subarray(8, 16).toString('latin1')).toBe('WEBPVP8 ');
  return [webp.readUInt16LE(26), webp.readUInt16LE(28)];
};

contract(
  'A smaller image is made beside the requests; until it is there, the file stands for it',
  async (subject) => {
    const { request } = subject;
    const bytes = picture(400, 300);
    const { variants: urls } = await made(subject, bytes);
    const first = await request().get(String(urls?.thumb));
    expect([first.status, first.headers['content-type']]).toEqual([200, 'image/png']);
    expect([first.headers['cache-control'], first.headers['etag']]).toEqual([
      'no-store',
      `"${sha256(bytes)}"`,
    ]);
    for (const [url, size] of [
      [urls?.thumb, [200, 150]],
      [urls?.tile, [40, 30]],
    ] as const) {
      const { status, headers, body } = await finished(subject, String(url));
      expect([status, sizeOf(body as Buffer)]).toEqual([200, size]);
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'content-disposition': 'attachment; filename="sea.webp"',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': expect.stringMatching(/^private, max-age=/),
      });
      const known = await request()
        .get(String(url))
        .set({ 'If-None-Match': String(headers['etag']) });
      expect([known.status, headers['etag']]).toEqual([304, expect.stringMatching(/-\d+x\d+"$/)]);
    }
    const larger = String(urls?.thumb).replace('size=200x0', 'size=9000x0');
    expect((await request().get(larger)).status).toBe(403);
  },
);

contract('A small picture stays as small as it is', async (subject) => {
  const { variants: urls } = await made(subject, picture(30, 20));
  const { body } = await finished(subject, String(urls?.thumb));
  expect(sizeOf(body as Buffer)).toEqual([30, 20]);
});

contract('A picture that is higher than a WebP can be gets as high as one can be', async (subject) => {
  const { variants: urls } = await made(subject, picture(8, 40_000));
  const { body } = await finished(subject, String(urls?.thumb));
  expect(sizeOf(body as Buffer)).toEqual([3, 16_383]);
});

contract(
  'A file of too many pixels, or of none, has no smaller image, and the next one has',
  async (subject) => {
    const { request } = subject;
    const bomb = picture(20_000, 20_000);
    expect(bomb.length).toBeLessThan(100_000);
    for (const bytes of [bomb, Buffer.concat([png().subarray(0, 8), Buffer.alloc(100, 7)])]) {
      const { url, variants: urls } = await made(subject, bytes);
      expect((await finished(subject, String(urls?.thumb))).status).toBe(404);
      expect((await request().get(url)).status).toBe(200);
    }
    const { variants: urls } = await made(subject, picture(300, 300));
    expect((await finished(subject, String(urls?.thumb))).headers['content-type']).toBe('image/webp');
  },
);

contract('Drawings have no variants; images go with their file', async (subject) => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const drawing = await made(subject, svg, { name: 'x.svg', type: 'image/svg+xml' });
  expect(drawing.variants).toBeNull();
  const { key, variants: urls } = await made(subject, picture(300, 300));
  await finished(subject, String(urls?.thumb));
  const folder = join(directory, 'images', key.slice(0, 2), key);
  expect(existsSync(folder)).toBe(true);
  await storage.delete([key]);
  expect(existsSync(folder)).toBe(false);
});
