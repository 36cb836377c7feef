import { expect } from '@jest/globals';
import { InProcessClient } from '@nest-endpoints/core/internal';
import type { Server } from 'node:http';
import { once, service, type Subject } from '../support/contract.js';
import { Gauge, gaugesWith, usual } from './gathered.gauges.js';
import { turn } from '../support/waits.js';

/** More than a stack has room for, if each of them had its turn within the one before. */
const crowd = 5000;

const { signal } = new AbortController();

const statusOf = async (client: InProcessClient, path: string): Promise<number | undefined> => {
  const request = { method: 'GET', path, query: [], headers: new Map<string, string>(), body: undefined };
  // Nobody marks it as one of the command line, which has no time limit.
  const answer = await client.send(request, { signal, arrived: () => undefined });
  answer.resume();
  return answer.statusCode;
};

/** Asks for a record in thousands of turns while the only connection is taken. @returns the statuses, and how often each came */
const crowded = async (subject: Subject, path: string): Promise<ReadonlyMap<number | undefined, number>> => {
  await subject.em().insert(Gauge, { ...usual, id: 1, code: 'one' });
  const client = InProcessClient.of(subject.app.getHttpServer() as Server);
  const holder = subject.em();
  await holder.begin();
  const asked: Promise<number | undefined>[] = [];
  const counted = new Map<number | undefined, number>();
  try {
    for (let sent = 0; sent < crowd; sent += 1) {
      asked.push(statusOf(client, path));
      await turn();
    }
    if (path.startsWith('/hasty')) await Promise.all(asked);
  } finally {
    await holder.rollback();
  }
  for (const status of await Promise.all(asked)) counted.set(status, (counted.get(status) ?? 0) + 1);
  return counted;
};

const one = { pool: { min: 1, max: 1 } };

/** The pool of `pg`, as far as it is looked at. */
interface Waiting {
  readonly waitingCount: number;
}

const poolOf = ({ em }: Subject): Promise<Waiting> => {
  const connection = em().getConnection() as unknown as { getNativeClient(): Promise<Waiting> };
  return connection.getNativeClient();
};

for (const [name, root] of [
  ['sent together', {}],
  ['sent one by one', { gatherReads: false }],
] as const) {
  const contract = service(gaugesWith(root, one), once).contract;

  contract(`Thousands of Gets wait for a connection, and each is answered: ${name}`, async (subject) => {
    expect(await crowded(subject, '/gauges/1')).toEqual(new Map([[200, crowd]]));
  });

  contract(`Thousands of Gets give up waiting, and the next one is answered: ${name}`, async (subject) => {
    expect(await crowded(subject, '/hasty/1')).toEqual(new Map([[503, crowd]]));
    expect((await subject.request().get('/gauges/1')).status).toBe(200);
  });
}

const { contract: lasting } = service(gaugesWith({}, one), once);

lasting(
  'However long a database is behind, no more wait for a connection than requests do',
  async (subject) => {
    await subject.em().insert(Gauge, { ...usual, id: 1, code: 'one' });
    const client = InProcessClient.of(subject.app.getHttpServer() as Server);
    const pool = await poolOf(subject);
    const clients = 64;
    let most = 0;
    const ask = async (): Promise<void> => {
      for (let asked = 0; asked < 40; asked += 1) {
        expect(await statusOf(client, '/gauges/1')).toBe(200);
        most = Math.max(most, pool.waitingCount);
      }
    };
    await Promise.all(Array.from({ length: clients }, ask));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(clients);
    expect(pool.waitingCount).toBe(0);
  },
);
