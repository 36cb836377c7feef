import { expect } from '@jest/globals';
import { LockMode } from '@mikro-orm/core';
import { Delete, Update } from '@nest-endpoints/core';
import { expectAnswer, notFound } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { Part, Ware } from '../support/entities/stock.js';
import { heldUp } from '../support/waits.js';
import { stockUp, stockWith } from './where.stock.js';

const { contract } = service(
  stockWith([
    new Update({
      url: 'new/:id',
      modelClass: Ware,
      readableColumnNames: ['label'],
      writeableColumnNames: ['label'],
      where: ['state = new'],
    }),
    new Delete({ url: 'new/:id', modelClass: Ware, where: [() => ({ state: 'new' as const })] }),
  ]),
  once,
);

/** Holds the anvil while `ask` is sent and waits for it, then changes its state and lets go. */
const meanwhile = async <Answer>(
  subject: Subject,
  state: string,
  ask: () => PromiseLike<Answer>,
): Promise<Answer> => {
  let asked: Promise<Answer> | undefined;
  await subject.em().transactional(async (em) => {
    const ware = await em.findOneOrFail(Ware, 1, { lockMode: LockMode.PESSIMISTIC_WRITE });
    asked = Promise.resolve(ask());
    await heldUp(subject);
    ware.state = state as 'new';
  });
  if (asked === undefined) throw new Error('nothing was asked');
  return asked;
};

contract('An Update of a record that leaves where meanwhile is Not Found', async (subject) => {
  await stockUp(subject);
  const send = () => subject.request().patch('/new/1').send({ label: 'late' });
  expectAnswer(await meanwhile(subject, 'used', send), 404, notFound);
  expect(await subject.em().findOne(Ware, 1)).toMatchObject({ label: 'anvil', state: 'used' });
});

contract('A Delete of a record that leaves where meanwhile is Not Found', async (subject) => {
  await stockUp(subject);
  await subject.em().nativeDelete(Part, { ware: 1 });
  expectAnswer(await meanwhile(subject, 'used', () => subject.request().delete('/new/1')), 404, notFound);
  expect(await subject.em().count(Ware, 1)).toBe(1);
});
