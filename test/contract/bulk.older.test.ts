import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { once, service } from '../support/contract.js';
import { pretendVersion } from '../support/older.server.js';
import { Statements } from '../support/statements.js';
import { BulkRows } from './bulk.rows.js';

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string().nullable(),
    place: p.string().defaultRaw(`'here'`),
  },
});

const { contract } = service(
  {
    entities: [Note],
    endpoints: [
      new BulkRows({
        url: 'bulk',
        modelClass: Note,
        readableColumnNames: ['id', 'text', 'place'],
        writeableColumnNames: ['text', 'place'],
      }),
    ],
  },
  once,
);

contract('A server whose merge answers nothing makes the records in their order, too', async (subject) => {
  await pretendVersion(subject, 160004);
  const statements = await Statements.of(subject);
  const records = Array.from({ length: 1000 }, (_, index) => ({
    text: `t${index}`,
    ...(index % 3 === 0 ? { place: `p${index}` } : {}),
  }));
  const sent = await statements.during(async () => {
    const { status, body } = await subject
      .request()
      .post('/bulk')
      .send({ json: JSON.stringify({ create: records }) });
    expect(status).toBe(200);
    const data = body.data as { readonly text: string; readonly place: string }[];
    expect(data.map(({ text, place }) => ({ text, place }))).toEqual(
      records.map(({ text, place = 'here' }) => ({ text, place })),
    );
  });
  const written = sent.filter((text) => text.includes('"note"'));
  expect(written.map((text) => [text.includes('merge'), text.includes('insert into')])).toEqual([
    [false, true],
  ]);
});
