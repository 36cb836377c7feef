import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Export } from '@nest-endpoints/core';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { mariaDbOnly, service } from '../support/contract.js';

const Line = defineEntity({
  name: 'Line',
  properties: { id: p.integer().primary(), rank: p.integer(), text: p.text() },
});

const { contract } = service(
  {
    entities: [Line],
    endpoints: [
      new Export({
        url: 'lines',
        modelClass: Line,
        readableColumnNames: ['rank', 'text'],
        sortableColumnNames: ['rank'],
      }),
    ],
  },
  mariaDbOnly,
);

contract('An Export in another order than that of ids is of one moment on MariaDB', async (subject) => {
  const connection = subject.em().getConnection();
  // More than the buffers of an operating system hold on both sides.
  await connection.execute(
    `insert into line (id, rank, text) select seq, seq, repeat('x', 8000) from seq_1_to_3000`,
  );
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${subject.url}/lines?sort=rank`, resolve).on('error', reject);
  });
  // The first page is read by now, and the last one is not.
  await connection.execute('update line set rank = -rank where id > 1500');
  const lines = (await text(response)).trim().split('\n');
  const ranks = lines.map((line) => (JSON.parse(line) as { readonly rank: number }).rank);
  expect(ranks).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
});
