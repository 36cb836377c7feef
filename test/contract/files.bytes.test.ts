import { expect } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { clientError, expectAnswer, inputErrors, failure } from '../support/answers.js';
import {
  album,
  announce,
  announced,
  as,
  directory,
  png,
  put,
  storage,
  until,
  upload,
} from './files.album.js';

const { contract } = service(album(), everyPlatform);

const refused = clientError('Not Authorized');

/** The bytes that a storage has of a key; undefined for none. */
const found = async (key: string): Promise<number | undefined> => (await storage.find(key))?.bytes;

const unfinished = async (): Promise<readonly string[]> =>
  (await readdir(join(directory, 'unfinished')).catch(() => [])).toSorted();

contract('An upload says what it will be, and what is wrong with it is told by name', async ({ request }) => {
  const post = (body: object) => request().post('/pictures/files').set(as('ann')).send(body);
  expectAnswer(
    await post({ name: '../sea.png', type: 'image/jpeg', bytes: 100_001, sha256: 'A'.repeat(64), size: 1 }),
    400,
    inputErrors({
      size: 'Input column size is not an allowed input column.',
      name: 'value should be the name of a file',
      type: 'value should be one of: image/png, image/svg+xml, text/plain',
      bytes: 'value should be from 1 to 100000',
      sha256: 'value should be a SHA-256 in 64 digits of 0-9 and a-f',
    }),
  );
  expectAnswer(
    await post({}),
    400,
    inputErrors(
      Object.fromEntries(['name', 'type', 'bytes', 'sha256'].map((name) => [name, `'${name}' is required.`])),
    ),
  );
  for (const name of [
    '..',
    'a\0b',
    'a\nb',
    'a\\b',
    ' ',
    '\ud800',
    'é'.repeat(128),
    'a\u202egnp.exe',
    7,
    ['a'],
  ])
    expectAnswer(
      await post(announced(png(), { name })),
      400,
      inputErrors({ name: 'value should be the name of a file' }),
    );
  for (const bytes of [0, -1, 1.5, '10', 2 ** 53])
    expectAnswer(
      await post(announced(png(), { bytes })),
      400,
      inputErrors({ bytes: 'value should be from 1 to 100000' }),
    );
  expect((await request().post('/pictures/files').send(announced(png()))).status).toBe(401);
});

contract(
  'Bytes that are not those of the signature are refused, and nothing of them stays',
  async (subject) => {
    const bytes = png('right');
    const other = png('wrong');
    const ticket = await announce(subject, bytes);
    const expected = (sentence: string, status = 400) => [status, clientError(sentence)] as const;
    const sent = [
      [other, ...expected('The bytes are not those of the SHA-256')],
      [bytes.subarray(1), ...expected(`The body must have ${bytes.length} bytes`)],
      [Buffer.alloc(0), ...expected(`The body must have ${bytes.length} bytes`)],
      [
        Buffer.concat([bytes, Buffer.from('!')]),
        ...expected(`The request body must not be larger than ${bytes.length} bytes`, 413),
      ],
    ] as const;
    for (const [body, status, answer] of sent) expectAnswer(await put(subject, ticket, body), status, answer);
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const type of ['image/png', 'image/svg+xml', 'text/plain'])
      expectAnswer(
        await put(subject, await announce(subject, page, { type }), page),
        400,
        clientError(`The bytes are not of the type ${type}`),
      );
    expect(await found(ticket.key)).toBeUndefined();
    expect(await unfinished()).toEqual([]);
    expect((await put(subject, ticket, bytes)).status).toBe(200);
    expectAnswer(await put(subject, ticket, bytes), 409, clientError('The file is there already'));
  },
);

contract('A url that was changed, that is too old or that is for reading sends nothing', async (subject) => {
  const { request } = subject;
  const bytes = png('signed');
  const ticket = await announce(subject, bytes);
  const { url } = ticket;
  const changed = [
    url.replace(/bytes=\d+/, 'bytes=99999'),
    url.replace(/sha256=\w/, 'sha256=0'),
    url.replace('type=image%2Fpng', 'type=text%2Fplain'),
    url.replace(/expires=\d/, 'expires=9'),
    url.replace(/signature=.*/, ''),
    url.replace(/signature=.*/, 'signature='),
    `${url}A`,
    // What decoders of base64 leave out.
    `${url}!`,
    `${url}=`,
    url.replace('signature=', 'signature=*'),
    url.replace(ticket.key, 'f'.repeat(32)),
    url.replace(ticket.key, '..%2F..%2Fetc%2Fpasswd'),
    url.replace(ticket.key, `${ticket.key}%00`),
  ];
  for (const one of changed) expectAnswer(await put(subject, { ...ticket, url: one }, bytes), 403, refused);
  const { now } = Date;
  try {
    Date.now = () => now() + 15 * 60_000;
    expectAnswer(await put(subject, ticket, bytes), 403, refused);
  } finally {
    Date.now = now;
  }
  const key = await upload(subject);
  const { body } = await request()
    .post('/pictures')
    .set(as('ann'))
    .send({ title: 'Signed', cover_file: key });
  const read: string = body.data.cover_file.url;
  expectAnswer(await put(subject, { ...ticket, url: read }, bytes), 403, refused);
  expectAnswer(await request().get(url), 403, refused);
  expectAnswer(await request().get(read.replace('sea.png', 'sea.html')), 403, refused);
  try {
    Date.now = () => now() + 2 * 60_000;
    expectAnswer(await request().get(read), 403, refused);
  } finally {
    Date.now = now;
  }
  expect(await found(ticket.key)).toBeUndefined();
});

/** Sends the head of an upload and a part of its bytes. */
const begun = async ({ url: origin }: Subject, path: string, head: string, body: Buffer) => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const answer: Buffer[] = [];
  socket.on('data', (chunk) => answer.push(chunk)).on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n${head}\r\n\r\n`,
  );
  socket.write(body);
  return { socket, answer: () => Buffer.concat(answer).toString() };
};

contract(
  'More bytes than were signed are refused while they come, with a length or in pieces',
  async (subject) => {
    const bytes = png('pieces');
    const { url, key } = await announce(subject, bytes);
    const chunk = (part: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
    // The body never ends: the answer does not wait for it.
    const long = await begun(
      subject,
      url,
      'Transfer-Encoding: chunked',
      chunk(Buffer.concat([bytes, bytes])),
    );
    await until(() => long.answer().includes('413'));
    long.socket.destroy();
    const announcing = await begun(subject, url, 'Content-Length: 1000000000', bytes);
    await until(() => announcing.answer().includes('413'));
    announcing.socket.destroy();
    expect([await found(key), await unfinished()]).toEqual([undefined, []]);
    const whole = Buffer.concat([chunk(bytes), Buffer.from('0\r\n\r\n')]);
    const right = await begun(subject, url, 'Transfer-Encoding: chunked', whole);
    await until(() => right.answer().includes('200 OK'));
    right.socket.destroy();
    expect(await found(key)).toBe(bytes.length);
  },
);

contract('A client that goes away in the middle leaves nothing', async (subject) => {
  const bytes = Buffer.concat([png(), Buffer.alloc(20_000, 1)]);
  const { url, key } = await announce(subject, bytes);
  const { socket } = await begun(subject, url, `Content-Length: ${bytes.length}`, bytes.subarray(0, 9000));
  await until(async () => (await unfinished()).length === 1);
  socket.destroy();
  await until(async () => (await unfinished()).length === 0);
  expect(await found(key)).toBeUndefined();
});

contract('An upload that is slower than its url is good for ends', async (subject) => {
  const bytes = Buffer.concat([png(), Buffer.alloc(20_000, 1)]);
  const { url } = await announce(subject, bytes);
  const { socket, answer } = await begun(
    subject,
    url,
    `Content-Length: ${bytes.length}`,
    bytes.subarray(0, 9000),
  );
  await until(async () => (await unfinished()).length === 1);
  const { now } = Date;
  try {
    Date.now = () => now() + 15 * 60_000;
    socket.write(bytes.subarray(9000, 9001));
    await until(() => answer().includes('408'));
  } finally {
    Date.now = now;
    socket.destroy();
  }
  expect(await unfinished()).toEqual([]);
});

contract(
  'A disk that is full is a 503 for the client, and its path is for the log alone',
  async (subject) => {
    const bytes = png('full');
    const { key, url } = await announce(subject, bytes);
    const ticket = storage.ticket(key, new URL(url, 'http://a').searchParams as never);
    if (ticket === undefined) throw new Error('the url is good');
    async function* full(): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, 9);
      await Promise.resolve();
      throw Object.assign(new Error(`no space left: ${directory}`), { code: 'ENOSPC' });
    }
    await expect(storage.write(ticket, full())).rejects.toMatchObject({
      statusCode: 503,
      message: 'Service Unavailable',
    });
    expect(await unfinished()).toEqual([]);
  },
);

contract('Of two uploads of one file at once, one is a 409', async (subject) => {
  const bytes = Buffer.concat([png(), Buffer.alloc(20_000, 1)]);
  const { url, key } = await announce(subject, bytes);
  const length = `Content-Length: ${bytes.length}`;
  const both = [
    await begun(subject, url, length, bytes.subarray(0, 9000)),
    await begun(subject, url, length, bytes.subarray(0, 9000)),
  ];
  await until(async () => (await unfinished()).length === 2);
  for (const { socket } of both) socket.write(bytes.subarray(9000));
  await until(() => both.every(({ answer }) => answer() !== ''));
  const statuses = both.map(({ socket, answer }) => {
    socket.destroy();
    return answer().slice(9, 12);
  });
  expect(statuses.toSorted()).toEqual(['200', '409']);
  expect([await found(key), await unfinished()]).toEqual([bytes.length, []]);
});

contract('Of one file no more than three uploads are taken at a time', async (subject) => {
  const bytes = Buffer.concat([png(), Buffer.alloc(20_000, 1)]);
  const ticket = await announce(subject, bytes);
  const begin = () => begun(subject, ticket.url, `Content-Length: ${bytes.length}`, bytes.subarray(0, 9000));
  const three = [await begin(), await begin(), await begin()];
  await until(async () => (await unfinished()).length === 3);
  expectAnswer(await put(subject, ticket, bytes), 503, failure('Service Unavailable'));
  const others = png('other');
  expect((await put(subject, await announce(subject, others), others)).status).toBe(200);
  for (const { socket } of three) socket.destroy();
  await until(async () => (await unfinished()).length === 0);
  expect((await put(subject, ticket, bytes)).status).toBe(200);
});
