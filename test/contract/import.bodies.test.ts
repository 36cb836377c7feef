import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Export, Import } from '@nest-endpoints/core';
import { SecretBearer } from '@nest-endpoints/auth';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { hostileClient } from '../support/hostile.client.js';
import { many } from './bulk.places.js';
import { Statements } from '../support/statements.js';
import { linesOf, told, Town, towns } from './import.rows.js';

/** Longer than a busy machine takes to read what is there. */
const receiveTimeout = 3000;

const authentication = new SecretBearer({ environmentKey: 'SECRET', environment: { SECRET: 'secret' } });

const { contract } = service(
  {
    entities: [Town],
    endpoints: [
      new Import({ ...towns, url: 'import' }),
      new Import({ ...towns, url: 'chunks', mode: 'chunks' }),
      new Import({ ...towns, url: 'secret', authentication }),
      new Import({ ...towns, url: 'small', maximumBytes: 5000 }),
      new Export({ ...towns, url: 'export' }),
    ],
    root: { bodyLimit: 100, receiveTimeout },
  },
  everyPlatform,
);

const head = (path: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: text/csv', ...headers, '', ''].join('\r\n');

/** A part of a body that is sent in chunks. */
const part = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

const rows = (from: number, to: number): string => many(to - from, (index) => `${from + index},n\n`).join('');

/** Waits until there are as many towns as are to be there at least. */
const counted = async ({ count }: Subject, least: number): Promise<number> => {
  for (let tries = 0; (await count(Town)) < least && tries < 200; tries += 1) await sleep(10);
  return count(Town);
};

contract(
  'Who may not import is told so before anything of the body is read, and the connection is closed',
  async (subject) => {
    for (const headers of [
      ['Content-Length: 100000000'],
      ['Transfer-Encoding: chunked', 'Expect: 100-continue'],
    ]) {
      const client = await hostileClient(subject, head('/secret', ...headers));
      const answer = await client.hears(/\r\n\r\n.*}/s);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toMatch(/connection: close/i);
      await client.released();
      client.leave();
    }
  },
);

contract(
  'A body is longer than bodyLimit, and a cell longer than 2 MiB, wherever its characters are cut',
  async (subject) => {
    const long = 'ä€😀'.repeat(300_000);
    const table = Buffer.from(`id,name\n1,"${long}"\n2,${'ö'.repeat(1000)}\n`);
    const client = await hostileClient(subject, head('/import', 'Transfer-Encoding: chunked'));
    for (let at = 0; at < table.length; at += 99_991) {
      const piece = table.subarray(at, at + 99_991);
      client.write(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      );
    }
    client.write('0\r\n\r\n');
    expect(await client.hears(/"status".*\n/)).toContain('"created":2');
    client.leave();
    const [first] = await subject.em().find(Town, { id: 1 });
    expect(first?.name === long).toBe(true);
  },
);

contract('A body that grows longer than it may ends its import', async (subject) => {
  const client = await hostileClient(subject, head('/small', 'Transfer-Encoding: chunked'));
  client.write(part(`id,name\n${rows(0, 500)}`));
  await client.hears(/HTTP\/1\.1 200 /);
  client.write(part(rows(500, 1500)));
  expect(await client.hears(/"status".*\n/)).toContain(
    '"error":"The request body must not be larger than 5000 bytes"',
  );
  await client.released();
  client.leave();
  expect(await subject.count(Town)).toBe(0);
});

contract('Bytes that are no text end an import', async (subject) => {
  const begin = `id,name\n${rows(0, 600)}`;
  for (const end of [Buffer.from([0xff, 0x0a]), Buffer.from([0xe2, 0x82]), Buffer.from([0xed, 0xa0, 0x80])]) {
    const body = Buffer.concat([Buffer.from(`${begin}601,`), end]);
    const { text } = await subject.raw('POST', '/import', { headers: { 'content-type': 'text/csv' }, body });
    const last = linesOf(text).at(-1) ?? (JSON.parse(text) as object);
    expect(last).toMatchObject({ status: 'client_error', error: 'The request body is not UTF-8' });
  }
  expect(await subject.count(Town)).toBe(0);
});

contract('A client that goes away has imported nothing, or in chunks what was written', async (subject) => {
  for (const [path, left] of [
    ['/import', 0],
    ['/chunks', 1000],
  ] as const) {
    const client = await hostileClient(subject, head(path, 'Transfer-Encoding: chunked'));
    client.write(part(`id,name\n${rows(0, 1300)}`));
    await client.hears(/HTTP\/1\.1 200 /);
    expect(await counted(subject, left)).toBeGreaterThanOrEqual(left);
    client.leave();
    await client.released();
    expect((await subject.count(Town)) >= left && (left > 0 || (await subject.count(Town)) === 0)).toBe(true);
    expect(subject.log.text('error')).toBe('');
    // Its connection of the database is free, and its records are nobody's.
    expect(await told(subject, '/import?dry_run=true', 'id,name\n5000,A\n')).toMatchObject([
      { status: 'success' },
    ]);
  }
});

contract('A client that sends nothing more ends its import', async (subject) => {
  const client = await hostileClient(subject, head('/import', 'Transfer-Encoding: chunked'));
  client.write(part(`id,name\n${rows(0, 600)}`));
  const answer = await client.hears(/"status".*\n/);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('"progress"');
  expect(answer).toContain('"status":"client_error","error":"Request Timeout"');
  await client.released();
  client.leave();
  const early = await hostileClient(subject, head('/import', 'Content-Length: 1000'));
  expect(await early.hears(/\r\n\r\n.*}/s)).toMatch(/^HTTP\/1\.1 408 /);
  await early.released();
  early.leave();
  expect(await subject.count(Town)).toBe(0);
});

contract('An export waits for a client that reads slowly, and ends with one that leaves', async (subject) => {
  await subject
    .em()
    .getConnection()
    .execute(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 8000)
       insert into town (id, name, note) select n, 'n', replace(hex(zeroblob(2500)), '00', 'xx') from numbers`,
    );
  const statements = await Statements.of(subject);
  const sent = await statements.during(async () => {
    const client = await hostileClient(subject, 'GET /export HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.hears(/HTTP\/1\.1 200 /);
    client.stopReading();
    // Whatever the sockets of a machine hold is far from all of it.
    for (let turn = 0; turn < 20; turn += 1) await subject.request().get('/nothing');
    client.leave();
    await client.released();
  });
  const reads = sent.filter((one) => one.includes('is_old'));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.length).toBeLessThan(8);
});
