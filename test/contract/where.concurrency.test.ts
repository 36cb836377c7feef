import { expect } from '@jest/globals';
import { LockMode } from '@mikro-orm/core';
import { Delete, DeleteMany, Update, UpdateMany } from '@nest-endpoints/core';
import { expectAnswer, notFound } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { Part, Ware } from '../support/entities/stock.js';
import { heldUpBy } from '../support/waits.js';
import { stockUp, stockWith } from './where.stock.js';

const deleted = { modelClass: Ware, where: ['state = new'] } as const;
const changed = { ...deleted, readableColumnNames: ['id'], writeableColumnNames: ['label'] } as const;

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
    new Update({ ...changed, url: 'hooked/:id', beforeSave: () => undefined }),
    new UpdateMany({ ...changed, url: 'hooked', beforeSave: () => undefined }),
    new Delete({ ...deleted, url: 'hooked/:id', beforeDelete: () => undefined }),
    new DeleteMany({ ...deleted, url: 'hooked', beforeDelete: () => undefined }),
  ]),
  once,
);

/** Holds the anvil while `ask` is sent and waits for it, then changes its state and lets go. */
const meanwhile = <Answer>(
  subject: Subject,
  state: string,
  ask: () => PromiseLike<Answer>,
): Promise<Answer> =>
  heldUpBy(
    subject,
    async (em) => {
      const ware = await em.findOneOrFail(Ware, 1, { lockMode: LockMode.PESSIMISTIC_WRITE });
      return () => (ware.state = state as 'new');
    },
    ask,
  );

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

contract('Records of many that leave where meanwhile are refused, and none is written', async (subject) => {
  await stockUp(subject);
  const many = { ids: [1], changes: { label: 'late' } };
  const send = () => subject.request().patch('/hooked').send(many);
  expect((await meanwhile(subject, 'used', send)).status).toBe(400);
  expect(await subject.em().findOne(Ware, 1)).toMatchObject({ label: 'anvil', state: 'used' });
});

contract('Nobody waits for a record that where leaves out, however long others hold it', async (subject) => {
  await stockUp(subject);
  const { request } = subject;
  const many = { ids: [2], changes: { label: 'late' } };
  const statuses = await subject.em().transactional(async (em) => {
    await em.findOneOrFail(Ware, 2, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const answers = [
      await request().patch('/hooked/2').send({ label: 'late' }),
      await request().delete('/hooked/2'),
      await request().patch('/hooked').send(many),
      await request()
        .delete('/hooked')
        .send({ ids: [2] }),
    ];
    return answers.map(({ status }) => status);
  });
  expect(statuses).toEqual([404, 404, 400, 400]);
  expect(await subject.em().findOne(Ware, 2)).toMatchObject({ label: 'bowl, deep' });
});
