import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Export, Import, List } from '@nest-endpoints/core';
import { connect, type Socket } from 'node:net';
import { expectAnswer, failure } from '../support/answers.js';
import { postgresqlOnly, service, type Subject } from '../support/contract.js';

const Line = defineEntity({
  name: 'Line',
  properties: { id: p.integer().primary().autoincrement(), rank: p.integer(), text: p.text() },
});

const shown = {
  modelClass: Line,
  readableColumnNames: ['rank', 'text'],
  sortableColumnNames: ['id', 'rank'],
} as const;

/** A pool of four connections gives two of them to transactions that last as long as their clients. */
const { contract } = service(
  {
    entities: [Line],
    endpoints: [
      new Export({ ...shown, url: 'lines' }),
      new Import({ url: 'lines', modelClass: Line, writeableColumnNames: ['rank', 'text'] }),
      new List({ ...shown, url: 'list', defaultSortColumnName: 'id' }),
    ],
    orm: { pool: { max: 4 } },
  },
  postgresqlOnly.filter(({ database }) => database === 'postgresql'),
);

/** More than the buffers of an operating system hold on both sides. */
const fill = ({ em }: Subject): Promise<unknown> =>
  em()
    .getConnection()
    .execute(
      `insert into line (rank, text) select n % 7, repeat('x', 8000) from generate_series(1, 3000) as n`,
    );

/** A connection on which something is sent, and nothing is read. */
const sending = ({ url }: Subject, text: string): Socket => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write(text);
  return socket;
};

/** Waits until so many transactions wait for their clients. */
const untilHeld = async ({ em }: Subject, number: number): Promise<void> => {
  const asked = `select 1 from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
  for (;;) {
    const held: unknown[] = await em().getConnection().execute(asked);
    if (held.length === number) return;
  }
};

const head = (line: string, ...headers: readonly string[]): string =>
  [line, 'Host: localhost', ...headers, '', ''].join('\r\n');

const line = JSON.stringify({ rank: 1, text: 'sent' });

/** Sends the first lines of many, and then nothing more. */
const beginning = (subject: Subject): Socket =>
  sending(
    subject,
    `${head('POST /lines HTTP/1.1', 'Content-Type: application/x-ndjson', 'Content-Length: 90000000')}${`${line}\n`.repeat(2000)}`,
  );

contract(
  'Half of the connections are for exports of one moment whose clients read slowly; more are a 503, and others are answered',
  async (subject) => {
    await fill(subject);
    const { request } = subject;
    const slow = [1, 2].map(() => sending(subject, head('GET /lines?sort=rank HTTP/1.1')));
    await untilHeld(subject, 2);
    const refused = await request().get('/lines?sort=rank');
    expectAnswer(refused, 503, failure('Service Unavailable'));
    expect(refused.headers['retry-after']).toBe('1');
    // One in the order of ids holds nothing.
    expect((await request().get('/lines?limit=5')).text.trim().split('\n')).toHaveLength(5);
    expect((await request().get('/list?limit=5')).body.data).toHaveLength(5);
    for (const socket of slow) socket.destroy();
    await untilHeld(subject, 0);
    const answered = await request().get('/lines?sort=rank');
    expect(answered.text.trim().split('\n')).toHaveLength(3000);
  },
);

contract('So are imports of all or nothing whose clients send slowly', async (subject) => {
  const { request } = subject;
  const slow = [1, 2].map(() => beginning(subject));
  await untilHeld(subject, 2);
  const send = () => request().post('/lines').set('Content-Type', 'application/x-ndjson').send(line);
  const refused = await send();
  expect(JSON.parse(refused.text.trim().split('\n').at(-1) ?? '')).toMatchObject({
    status: 'failure',
    error: 'Service Unavailable',
    data: { lines: 0, created: 0 },
  });
  expect((await request().get('/list?limit=5')).body.data).toEqual([]);
  for (const socket of slow) socket.destroy();
  await untilHeld(subject, 0);
  expect((await send()).text).toContain('"created":1');
});

contract('Who comes while all are taken has the next one that is free', async (subject) => {
  const { request } = subject;
  const send = () => request().post('/lines').set('Content-Type', 'application/x-ndjson').send(line);
  const answers = await Promise.all(Array.from({ length: 8 }, async () => send()));
  expect(answers.filter(({ text }) => text.includes('"created":1'))).toHaveLength(8);
  expect(await subject.count(Line)).toBe(8);
});
