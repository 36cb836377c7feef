import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FileRecord, presigned, S3Files } from '@nest-endpoints/files';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { once, service, type Contract } from '../support/contract.js';
import { hasSwift, startSwift, swiftKeys } from '../support/swift.js';
import { png } from './files.album.js';
import { announceTo, expectRead, oddNames, photosIn, putInto } from './files.bucket.js';

const swift = hasSwift ? await startSwift() : undefined;
const endpoint = swift?.endpoint ?? 'http://127.0.0.1';
const options = { ...swiftKeys, endpoint, bucket: 'photos', pathStyle: true };
const bucket = `${endpoint}/photos`;

/** A url of a request that nothing but the library makes. */
const signed = (method: string, path: string, { age = 0, headers = {} } = {}): string =>
  presigned(swiftKeys, {
    method,
    url: new URL(bucket + path),
    headers,
    expires: 900,
    now: new Date(Date.now() - age),
  });

const contract: Contract =
  swift === undefined
    ? (sentence) =>
        test.skip(`${sentence}: no Swift is installed (apt-get install python3-swift)`, () => undefined)
    : service(photosIn(options), once).contract;

beforeAll(async () => {
  if (swift === undefined) return;
  const made = await fetch(signed('PUT', ''), { method: 'PUT' });
  expect(made.status).toBe(200);
});
afterAll(() => swift?.stop());

contract('A store that others wrote takes an upload as it was signed, and no other', async (subject) => {
  const { request } = subject;
  const bytes = png('in a store');
  const { key, upload } = await announceTo(subject, bytes, { name: 'été.png' });
  const { url, headers } = upload;
  const { 'x-amz-checksum-sha256': sum = '', ...rest } = headers;
  for (const [wrong, body] of [
    // Longer, shorter, empty.
    [upload, Buffer.concat([bytes, bytes])],
    [upload, bytes.subarray(1)],
    [upload, Buffer.alloc(0)],
    // Without the checksum, with another one, as something else, under another name.
    [{ url, headers: rest }, bytes],
    [{ url, headers: { ...rest, 'x-amz-checksum-sha256': sum.replace(/^./, 'A') } }, bytes],
    [{ url, headers: { ...headers, 'Content-Type': 'text/html' } }, bytes],
    [{ url, headers: { ...headers, 'Content-Disposition': 'inline' } }, bytes],
    // To another key, for longer.
    [{ url: url.replace(key, key.replace(/^./, 'g')), headers }, bytes],
    [{ url: url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'), headers }, bytes],
  ] as const)
    expect([wrong.url, await putInto(wrong, body)]).toEqual([wrong.url, 403]);
  const create = () => request().post('/photos').send({ file: key });
  expectAnswer(await create(), 400, inputErrors({ file: 'the given file does not exist' }));
  expect(await putInto(upload, bytes)).toBe(200);
  const created = await create();
  expect(created.body.data.file).toMatchObject({ name: 'été.png', type: 'image/png', bytes: bytes.length });
  const link = created.body.data.file.url as string;
  const read = await fetch(link);
  expect([read.status, read.headers.get('content-type'), read.headers.get('content-disposition')]).toEqual([
    200,
    'image/png',
    `attachment; filename="_t_.png"; filename*=UTF-8''%C3%A9t%C3%A9.png`,
  ]);
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
  for (const [method, changed] of [
    ['GET', link.replace('attachment', 'inline')],
    ['GET', link.replace('image%2Fpng', 'text%2Fhtml')],
    ['HEAD', link],
    ['DELETE', link],
  ] as const)
    expect([method, (await fetch(changed, { method })).status]).toEqual([method, 403]);
});

contract('Such a store takes and gives a file whatever its name is', async (subject) => {
  for (const name of oddNames) await expectRead(subject, name);
});

contract('Such a store takes a key of any characters', async () => {
  const headers = { 'x-amz-meta-note': '  a  b   c ' };
  for (const key of ["/o'dd (key)*!@$,;:=+&.png", '/%c3%a9%20%2b%7E'])
    expect([key, await putInto({ url: signed('PUT', key, { headers }), headers }, png())]).toEqual([
      key,
      200,
    ]);
});

contract('Urls for such a store that are too old send and read nothing', async () => {
  const key = 'a'.repeat(32);
  const bytes = png();
  const headers = { 'content-length': String(bytes.length) };
  const put = (age: number) =>
    putInto({ url: signed('PUT', `/${key}`, { age, headers }), headers: {} }, bytes);
  const get = async (age: number) => (await fetch(signed('GET', `/${key}`, { age }))).status;
  expect(await put(901_000)).toBe(403);
  expect(await get(0)).toBe(404);
  expect([await put(890_000), await get(890_000), await get(901_000)]).toEqual([200, 200, 403]);
});

contract('Files are looked at in such a store, and swept from it', async (subject) => {
  const { request, em } = subject;
  const storage = new S3Files(options);
  const page = Buffer.from('<script>alert(1)</script>');
  const { key, upload } = await announceTo(subject, page);
  expect(await storage.find(key)).toBeUndefined();
  expect(await putInto(upload, page)).toBe(200);
  expect(await storage.find(key)).toEqual({ bytes: page.length, head: page });
  expectAnswer(
    await request().post('/photos').send({ file: key }),
    400,
    inputErrors({ file: 'the given file does not exist' }),
  );
  await em().nativeUpdate(FileRecord, { key }, { changedAt: new Date(0) });
  expectAnswer(await request().post('/files/sweep'), 200, success({ deleted: 1 }));
  expect(await storage.find(key)).toBeUndefined();
  await storage.delete([key]);
  const stranger = new S3Files({ ...options, secretAccessKey: 'another' });
  await expect(stranger.find(key)).rejects.toThrow('The storage of files answers 403');
});
