import { afterEach, expect, jest } from '@jest/globals';
import { Create, IdempotencyRecord } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Receipt } from './orders.js';

const post = ({ request }: Subject, key: string) =>
  request().post('/receipts').set('Idempotency-Key', key).send({ text: 'a' });

/** What is told of an answer: its status, and whether it is one that was kept. */
const told = ({ status, headers }: { status: number; headers: Record<string, string> }) => [
  status,
  headers['idempotency-replayed'] === 'true',
];
const created = [201, false];
const replayed = [201, true];

const day = 86_400_000;
const others = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
afterEach(() => {
  jest.useRealTimers();
});

/** Sets the clock of this process; that of a database which runs inside of it goes with it. */
const clockIs = (days: number) =>
  jest.useFakeTimers({ now: Date.now() + days * day, doNotFake: [...others] });

const { contract } = service(
  {
    entities: [Receipt, IdempotencyRecord],
    endpoints: [
      new Create({
        url: 'receipts',
        modelClass: Receipt,
        readableColumnNames: ['id'],
        writeableColumnNames: ['text'],
        idempotency: true,
      }),
    ],
  },
  everyDatabase.filter(({ database }) => database !== 'pglite'),
);

contract('Keys expire by the clock of the database, whatever that of the process says', async (subject) => {
  const before = Date.now();
  expect(told(await post(subject, 'a'))).toEqual(created);
  clockIs(3);
  expect(told(await post(subject, 'a'))).toEqual(replayed);
  jest.useRealTimers();
  clockIs(-3);
  expect(told(await post(subject, 'b'))).toEqual(created);
  jest.useRealTimers();
  const kept = await subject.em().findAll(IdempotencyRecord);
  expect(kept).toHaveLength(2);
  for (const { expiresAt } of kept) {
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(before + day - 1);
    expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + day + 1);
  }
  await subject.em().nativeUpdate(IdempotencyRecord, {}, { expiresAt: new Date(Date.now() - 1) });
  clockIs(-3);
  expect(told(await post(subject, 'a'))).toEqual(created);
});
