import { expect } from '@jest/globals';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { clientError, expectAnswer } from '../support/answers.js';
import { album, as, png, sha256, storage, upload } from './files.album.js';

const { contract } = service(album(), everyPlatform);

const page = '/pictures/notes';

/** The picture that somebody makes with files. */
const made = async ({ request }: Subject, body: object) => {
  const answer = await request()
    .post('/pictures')
    .set(as('ann'))
    .send({ title: 'one', ...body });
  return answer.body.data as {
    readonly id: number;
    readonly cover_file: { readonly url: string; readonly name: string };
    readonly notes: { readonly url: string };
  };
};

contract(
  'A file is sent to be saved under its name, as what it is, and nothing in it runs',
  async (subject) => {
    const { request } = subject;
    const bytes = png('served');
    const names = [
      ['sea.png', 'attachment; filename="sea.png"'],
      ['a "b" %41.png', `attachment; filename="a _b_ _41.png"; filename*=UTF-8''a%20%22b%22%20%2541.png`],
      [
        "ça (1)'s 🏖.png",
        `attachment; filename="_a (1)'s _.png"; filename*=UTF-8''%C3%A7a%20%281%29%27s%20%F0%9F%8F%96.png`,
      ],
    ] as const;
    for (const [name, disposition] of names) {
      const key = await upload(subject, bytes, { name });
      const { id, cover_file: file } = await made(subject, { title: name, cover_file: key });
      expect(file.name).toBe(name);
      const { status, headers, body } = await request().get(file.url);
      expect([id > 0, status, body.equals(bytes)]).toEqual([true, 200, true]);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': disposition,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': expect.stringMatching(/^private, max-age=(?:9\d|1[01]\d|120)$/),
        'accept-ranges': 'bytes',
        etag: `"${sha256(bytes)}"`,
      });
    }
  },
);

contract('A public file has one url for ever, and is shown where nothing in it can run', async (subject) => {
  const { request } = subject;
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');
  const key = await upload(subject, html, { name: 'x.html', type: 'text/html' }, { path: page });
  const { id, notes } = await made(subject, { notes: key });
  const shown = await request().get(notes.url);
  expect(shown.headers).toMatchObject({
    'content-disposition': 'attachment; filename="x.html"',
    'content-type': 'text/html',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const { now } = Date;
  try {
    Date.now = () => now() + 3_600_000;
    const later = await request().get(`/pictures/${id}`).set(as('ann'));
    expect(later.body.data.notes.url).toBe(notes.url);
    expect((await request().get(notes.url)).status).toBe(200);
  } finally {
    Date.now = now;
  }
  const picture = await upload(subject, png('inline'), {}, { path: page });
  const { notes: inline } = await made(subject, { title: 'two', notes: picture });
  const { headers } = await request().get(inline.url);
  expect(headers['content-disposition']).toBe('inline; filename="sea.png"');
  expect((await request().get(inline.url.replace('inline=true&', ''))).status).toBe(403);
});

contract('A part of a file is a 206, and a client that has it gets a 304', async (subject) => {
  const { request } = subject;
  const bytes = png('0123456789');
  const { cover_file: file } = await made(subject, { cover_file: await upload(subject, bytes) });
  const size = bytes.length;
  const part = async (range: string, more: object = {}) => {
    const { status, headers, body } = await request()
      .get(file.url)
      .set({ Range: range, ...more })
      .buffer(true);
    return [status, headers['content-range'], Buffer.isBuffer(body) ? body.length : 0];
  };
  expect(await part('bytes=0-9')).toEqual([206, `bytes 0-9/${size}`, 10]);
  expect(await part('bytes=-10')).toEqual([206, `bytes ${size - 10}-${size - 1}/${size}`, 10]);
  expect(await part('Bytes=0-9')).toEqual([206, `bytes 0-9/${size}`, 10]);
  expect(await part('bytes=10-')).toEqual([206, `bytes 10-${size - 1}/${size}`, size - 10]);
  const all = [206, `bytes 0-${size - 1}/${size}`, size];
  for (const more of [`bytes=-${size + 1}`, `bytes=0-${size}`]) expect(await part(more)).toEqual(all);
  expect(await part('bytes=0-9', { 'If-Range': '"another"' })).toEqual([200, undefined, size]);
  expect(await part('bytes=0-9', { 'If-Range': `"${sha256(bytes)}"` })).toEqual([
    206,
    `bytes 0-9/${size}`,
    10,
  ]);
  for (const odd of ['bytes=9-0', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b'])
    expect(await part(odd)).toEqual([200, undefined, size]);
  for (const none of [`bytes=${size}-`, 'bytes=-0', `bytes=${'9'.repeat(20)}-`])
    expect((await part(none)).slice(0, 2)).toEqual([416, `bytes */${size}`]);
  const known = await request()
    .get(file.url)
    .set({ 'If-None-Match': `"${sha256(bytes)}"` });
  expect([known.status, known.text]).toEqual([304, '']);
});

contract(
  "An answer with a url that ends has a tag of its own; the version in it is the record's",
  async (subject) => {
    const { request } = subject;
    const { id } = await made(subject, { cover_file: await upload(subject) });
    const get = () => request().get(`/pictures/${id}`).set(as('ann'));
    const first = (await get()).headers['etag'] ?? '';
    expect(first).toMatch(/^"1-[\w-]{22}"$/);
    const { now } = Date;
    try {
      Date.now = () => now() + 60_000;
      // Who has the answer of a minute ago has a url that soon ends.
      const later = await get().set({ 'If-None-Match': first });
      expect(later.status).toBe(200);
    } finally {
      Date.now = now;
    }
    const patched = await request()
      .patch(`/pictures/${id}`)
      .set(as('ann'))
      .set({ 'If-Match': first })
      .send({ title: 'new' });
    expect(patched.status).toBe(200);
  },
);

contract('A file that is gone is a 404', async (subject) => {
  const key = await upload(subject);
  const { cover_file: file } = await made(subject, { cover_file: key });
  await storage.delete([key]);
  expectAnswer(await subject.request().get(file.url), 404, clientError('Not Found'));
});

contract(
  'A 304 of a file names no type, which would be that of the file a cache has; a part that is known is a 304, too',
  async (subject) => {
    const bytes = png('known');
    const { cover_file: file } = await made(subject, { cover_file: await upload(subject, bytes) });
    const tag = `"${sha256(bytes)}"`;
    const get = async (headers: Record<string, string>, method = 'GET') => {
      const { status, headers: got } = await subject.raw(method, file.url, { headers });
      return [status, got['content-type'], got['content-range'], got.etag];
    };
    const known = [304, undefined, undefined, tag];
    const part = { Range: 'bytes=0-0' };
    for (const list of [tag, `W/${tag}`, `"another", ${tag}`, '*'])
      for (const more of [{}, part, { Range: 'bytes=999999-' }, { ...part, 'If-Range': tag }])
        expect(await get({ 'If-None-Match': list, ...more })).toEqual(known);
    const range = `bytes 0-0/${bytes.length}`;
    expect(await get({ 'If-None-Match': '"another"', ...part })).toEqual([206, 'image/png', range, tag]);
    for (const other of [`W/${tag}`, 'Fri, 27 Nov 2026 19:00:00 GMT'])
      expect(await get({ ...part, 'If-Range': other })).toEqual([200, 'image/png', undefined, tag]);
    expect(await get({ 'If-None-Match': tag, ...part }, 'HEAD')).toEqual(known);
    for (const ranged of [part, { Range: 'bytes=999999-' }])
      expect(await get(ranged, 'HEAD')).toEqual([200, 'image/png', undefined, tag]);
    const record = await subject.request().get('/pictures').set(as('ann'));
    expect(record.headers['content-type']).toMatch(/^application\/json/);
  },
);
