import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { FileColumn, FileRecord, presigned, S3Files, type S3FilesOptions } from '@nest-endpoints/files';
import { once, service } from '../support/contract.js';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { S3Server, s3Keys } from '../support/s3.server.js';
import { png } from './files.album.js';
import { announceTo, expectRead, oddNames, photosIn, putInto } from './files.bucket.js';

const server = new S3Server();
const endpoint = await server.start();
afterAll(() => server.stop());

const options: S3FilesOptions = { ...s3Keys, endpoint, bucket: 'photos', pathStyle: true };

const { contract } = service(photosIn(options), once);

test('A presigned url has the signature of the example of AWS', () => {
  const signer = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  };
  const url = presigned(signer, {
    method: 'GET',
    url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
    expires: 86_400,
    now: new Date('2013-05-24T00:00:00Z'),
  });
  expect(url).toBe(
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

test('Options of S3Files that are not allowed stop the start', () => {
  for (const [option, value] of [
    ['endpoint', 'https://s3.example/path'],
    ['endpoint', 'ftp://s3.example'],
    ['bucket', '../other'],
    ['bucket', undefined],
    ['region', ''],
    ['secretAccessKey', undefined],
    ['pathStyle', 'yes'],
    ['acl', 'public-read'],
  ])
    expect(() => new S3Files({ ...options, [String(option)]: value })).toThrow(
      expect.objectContaining({ owner: 'S3Files', option }),
    );
});

contract(
  'Bytes go to the bucket and come from it, with the length and the checksum signed',
  async (subject) => {
    const { request } = subject;
    const bytes = png('in a bucket');
    const { key, upload } = await announceTo(subject, bytes, { name: 'été.png' });
    const put = (body: Buffer, headers = upload.headers) => putInto({ ...upload, headers }, body);
    const create = () => request().post('/photos').send({ file: key });
    const none = inputErrors({ file: 'the given file does not exist' });
    // What is longer, something else, or without the checksum.
    expect(await put(Buffer.concat([bytes, bytes]))).toBe(403);
    expect(await put(Buffer.from(bytes).fill(1))).toBe(400);
    expect(await put(bytes, { 'Content-Type': 'image/png' })).toBe(403);
    expectAnswer(await create(), 400, none);
    expect(await put(bytes)).toBe(200);
    const created = await create();
    expect(created.status).toBe(201);
    const read = await fetch(created.body.data.file.url);
    expect([read.status, read.headers.get('content-type'), read.headers.get('content-disposition')]).toEqual([
      200,
      'image/png',
      `attachment; filename="_t_.png"; filename*=UTF-8''%C3%A9t%C3%A9.png`,
    ]);
    expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
    const changed = created.body.data.file.url.replace('attachment', 'inline');
    expect((await fetch(changed)).status).toBe(403);
  },
);

contract('A file in the bucket that is of another type is not attached, and is swept', async (subject) => {
  const { request, em } = subject;
  const page = Buffer.from('<script>alert(1)</script>');
  const { key, upload } = await announceTo(subject, page);
  expect(await putInto(upload, page)).toBe(200);
  expectAnswer(
    await request().post('/photos').send({ file: key }),
    400,
    inputErrors({ file: 'the given file does not exist' }),
  );
  expect(server.objects.has(`/photos/${key}`)).toBe(true);
  await em().nativeUpdate(FileRecord, { key }, { changedAt: new Date(0) });
  expectAnswer(await request().post('/files/sweep'), 200, success({ deleted: 1 }));
  expect(server.objects.has(`/photos/${key}`)).toBe(false);
});

contract('A file whose bytes are others by now is not attached', async (subject) => {
  const bytes = png('as announced');
  const { key, upload } = await announceTo(subject, bytes);
  expect(await putInto(upload, bytes)).toBe(200);
  server.objects.set(`/photos/${key}`, Buffer.concat([bytes, bytes]));
  expectAnswer(
    await subject.request().post('/photos').send({ file: key }),
    400,
    inputErrors({ file: 'the given file does not exist' }),
  );
});

test('A file in a bucket is shown in place of saved where nothing in it runs', () => {
  const types = ['image/png', 'image/svg+xml', 'text/html'];
  const column = new FileColumn({ storage: new S3Files(options), maximumBytes: 10, types, inline: true });
  const facts = { key: 'a'.repeat(32), name: 'x', bytes: 1, sha256: '0' };
  const shown = types.map((type) => {
    const { url } = JSON.parse(column.toWire({ ...facts, type })) as { url: string };
    return new URL(url).searchParams.get('response-content-disposition');
  });
  expect(shown).toEqual(['inline; filename="x"', 'attachment; filename="x"', 'attachment; filename="x"']);
});

contract('A bucket that cannot answer now is a 503, and one that refuses us a 500', async (subject) => {
  const bytes = png('in a busy bucket');
  const { key, upload } = await announceTo(subject, bytes);
  expect(await putInto(upload, bytes)).toBe(200);
  const create = () => subject.request().post('/photos').send({ file: key });
  for (const [status, told] of [
    [503, 503],
    [500, 503],
    [429, 503],
    [403, 500],
    ['cut', 503],
  ] as const) {
    server.fails = status;
    const answer = await create();
    expect([status, answer.status, answer.headers['retry-after']]).toEqual([
      status,
      told,
      told === 503 ? '1' : undefined,
    ]);
  }
  server.fails = undefined;
  expect((await create()).status).toBe(201);
});

contract('A file with a content coding, which nobody signs, is not attached', async (subject) => {
  const image = png('in gzip');
  const packed = gzipSync(image);
  // 512 bytes are hundreds of MiB when they are unpacked.
  const bomb = brotliCompressSync(Buffer.concat([image, Buffer.alloc(100_000_000)]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  for (const [bytes, coding] of [
    [packed, 'gzip'],
    [packed, 'identity, gzip'],
    [bomb, 'br'],
    [image, 'unheard-of'],
  ] as const) {
    const { key, upload } = await announceTo(subject, bytes);
    const headers = { ...upload.headers, 'Content-Encoding': coding };
    expect([coding, await putInto({ ...upload, headers }, bytes)]).toEqual([coding, 200]);
    const before = process.memoryUsage().arrayBuffers;
    expectAnswer(
      await subject.request().post('/photos').send({ file: key }),
      400,
      inputErrors({ file: 'the given file does not exist' }),
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  }
  const { key, upload } = await announceTo(subject, image);
  const headers = { ...upload.headers, 'Content-Encoding': 'identity' };
  expect(await putInto({ ...upload, headers }, image)).toBe(200);
  expect((await subject.request().post('/photos').send({ file: key })).status).toBe(201);
});

test('No more of a file is read than its beginning, whatever the service sends', async () => {
  let sent = 0;
  const endless = createServer((_, response) => {
    response.writeHead(206, { 'Content-Range': 'bytes 0-9/10' });
    const send = (): void => {
      sent += 1;
      if (!response.destroyed) response.write(Buffer.alloc(10_000, sent), send);
    };
    send();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  const files = new S3Files({ ...options, endpoint: `http://127.0.0.1:${port}` });
  const found = await files.find('0'.repeat(32));
  expect([found?.bytes, found?.head.length]).toEqual([10, 512]);
  endless.closeAllConnections();
  await new Promise((resolve) => endless.close(resolve));
});

test('A file that a service knows nothing of is deleted already', async () => {
  const empty = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  const { port } = empty.address() as AddressInfo;
  const files = new S3Files({ ...options, endpoint: `http://127.0.0.1:${port}` });
  await expect(files.delete(['0'.repeat(32)])).resolves.toBeUndefined();
  empty.closeAllConnections();
  await new Promise((resolve) => empty.close(resolve));
});

contract('A file is sent and read whatever its name is', async (subject) => {
  for (const name of oddNames) await expectRead(subject, name);
});

test('A presigned url has one spelling, whatever characters its path and its parameters have', async () => {
  const headers = { 'x-amz-meta-note': '  a  b   c ' };
  for (const [path, query] of [
    ["/photos/o'dd (key)*!@$,;:=+&.png", ''],
    ['/photos/%c3%a9%20%2b%7E', ''],
    ['/photos/plain', '?b=2&a-b=1&a=%20+&b=1&b=1!&A=%2f'],
  ]) {
    const url = presigned(s3Keys, {
      method: 'DELETE',
      url: new URL(`${endpoint}${path}${query}`),
      headers,
      expires: 60,
      now: new Date(),
    });
    expect([path, query, (await fetch(url, { method: 'DELETE', headers })).status]).toEqual([
      path,
      query,
      204,
    ]);
  }
});
