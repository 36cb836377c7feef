import { expect } from '@jest/globals';
import { Update } from '@nest-endpoints/core';
import { bothPostgresql, service } from '../support/contract.js';
import { board, Card, listening, of, settled, told } from './live.board.js';

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
