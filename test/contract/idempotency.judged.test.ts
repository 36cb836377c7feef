import { expect } from '@jest/globals';
import { Create, IdempotencyRecord } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Receipt } from './orders.js';

/** What the next request that is judged does. */
let rule: () => Promise<Record<string, string>>;
const transactions: boolean[] = [];
let written: string[] = [];

const { contract } = service({
  entities: [Receipt, IdempotencyRecord],
  endpoints: [
    new Create({
      url: 'receipts',
      modelClass: Receipt,
      readableColumnNames: ['id', 'text'],
      writeableColumnNames: ['text'],
      idempotency: true,
      beforeSave: ({ record }) => void written.push(record.text),
      inputValidationCallable: ({ em }): Promise<Record<string, string>> => {
        transactions.push(em.isInTransaction());
        return rule();
      },
    }),
  ],
});

const accepts = () => Promise.resolve({});

const post = async ({ request }: Subject, key: string, text = 'One') =>
  request().post('/receipts').set('Idempotency-Key', key).send({ text });

contract(
  'Under a key input is judged before a transaction begins, and not again for a replay',
  async (subject) => {
    transactions.length = 0;
    written = [];
    rule = accepts;
    const first = await post(subject, 'key');
    expect([first.status, transactions]).toEqual([201, [false]]);
    rule = () => Promise.resolve({ text: 'late' });
    const again = await post(subject, 'key');
    expect([again.text, again.headers['idempotency-replayed'], transactions]).toEqual([
      first.text,
      'true',
      [false],
    ]);
    expectAnswer(await post(subject, 'other'), 400, inputErrors({ text: 'late' }));
    expect([await subject.count(IdempotencyRecord), written]).toEqual([1, ['One']]);
  },
);

contract(
  'A retry that is judged while the first request succeeds gets its answer, whatever was said',
  async (subject) => {
    for (const said of [{}, { text: 'late' }]) {
      const before = await subject.count(Receipt);
      const key = JSON.stringify(Object.keys(said)).length.toString();
      const arrived = Promise.withResolvers<undefined>();
      const gate = Promise.withResolvers<Record<string, string>>();
      rule = () => {
        arrived.resolve(undefined);
        return gate.promise;
      };
      const retry = post(subject, key);
      await arrived.promise;
      rule = accepts;
      // What waits in a function of the user's holds no connection: with one connection there would be none left.
      const first = await post(subject, key);
      expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
      gate.resolve(said);
      const { text, headers } = await retry;
      expect([text, headers['idempotency-replayed']]).toEqual([first.text, 'true']);
      expect(await subject.count(Receipt)).toBe(before + 1);
    }
  },
);
