import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { List } from '@nest-endpoints/core';
import { bothPostgresql, service } from '../support/contract.js';
import { board, has, listening, Slip, slips, told } from './live.board.js';

const { contract } = service(
  board({}, [new List({ ...slips, url: 'some-slips', clientSelectsColumns: true, live: true })]),
  bothPostgresql,
);

contract(
  'A stream shows the columns that it asked for, whatever others of the same list asked for',
  async (subject) => {
    const asked = ['text', 'id,text', 'id'].map((fields) => [`/some-slips?fields=${fields}`] as const);
    await listening(subject, asked, async (...streams) => {
      for (const stream of streams) await stream.until(told);
      const { id } = await subject.save(Slip, { id: randomUUID(), text: 'new' });
      for (const stream of streams) await stream.until(has('changed'));
      const shown = streams.map((stream) => JSON.stringify(stream.named('changed')));
      expect(shown).toEqual(
        [{ text: 'new' }, { id, text: 'new' }, { id }].map((data) => JSON.stringify([{ data }])),
      );
    });
  },
);
