import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Update } from '@nest-endpoints/core';
import { bothPostgresql, service } from '../support/contract.js';
import { Listener } from '../support/listener.js';
import { board, Card, listening, of, settled, Slip, told } from './live.board.js';

const { contract } = service(
  board({}, [
    new Update({
      url: 'keyed/:id',
      modelClass: Card,
      readableColumnNames: ['id'],
      writeableColumnNames: ['id'],
    }),
  ]),
  bothPostgresql,
);

contract(
  'A record whose key changes leaves streams under the old one, and comes under the new one',
  async (subject) => {
    const { request, save } = subject;
    const { id } = await save(Card, { title: 'one', tenant: 'a' });
    const asked = [
      ['/cards', of('a')],
      [`/cards/${id}`, of('a')],
    ] as const;
    await listening(subject, asked, async (list, single) => {
      await list.until(told);
      await single.until(told);
      expect(
        (
          await request()
            .patch(`/keyed/${id}`)
            .send({ id: id + 1000 })
        ).status,
      ).toBe(200);
      await settled(subject, list, 'a');
      expect(list.named('left')).toEqual([{ id }]);
      expect(list.named('changed')).toContainEqual({ data: { id: id + 1000, title: 'one', state: 'open' } });
      await single.until(({ events }) => events.some(({ event }) => event === 'left'));
      expect(single.named('left')).toEqual([{ id }]);
    });
  },
);

const slip = (rank: number) => ({ id: randomUUID(), text: 'some', rank });

contract('A client that missed more than its stream can remember begins anew', async (subject) => {
  const some = Array.from({ length: 40 }, (_, rank) => slip(rank));
  for (const one of some) await subject.save(Slip, one);
  const first = await Listener.open(`${subject.url}/slips`);
  await first.until(told);
  first.close();
  for (let rank = 41; rank <= 61; rank += 1) await subject.save(Slip, slip(rank));
  await listening(subject, [['/slips', { 'Last-Event-ID': first.lastId }]], async (stream) => {
    await stream.until(({ events }) => events.length === 2);
    expect(stream.events.map(({ event }) => event)).toEqual(['reset', 'snapshot']);
  });
});

contract('A change that could not be read is told when it can be', async (subject) => {
  const { em, log } = subject;
  const table = em().getConnection();
  await listening(subject, [['/slips']], async (stream) => {
    await stream.until(told);
    await em().transactional(async (own) => {
      own.create(Slip, slip(1));
      await own.flush();
      await own
        .getConnection()
        .execute('alter table slip rename to slip_elsewhere', [], 'all', own.getTransactionContext());
    });
    while (!log.text('warn').includes('could not read what changed')) await setImmediate();
    await table.execute('alter table slip_elsewhere rename to slip');
    await stream.until(({ events }) => events.some(({ event }) => event === 'changed'));
    expect(stream.named('changed')).toEqual([{ data: expect.objectContaining({ rank: 1 }) }]);
  });
  log.lines = [];
});
