import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Batch, EndpointGroup, UpdateMany } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { many } from './bulk.places.js';

const Page = defineEntity({
  name: 'Page',
  properties: { id: p.integer().primary().autoincrement(), text: p.text(), rank: p.integer().default(0) },
});

const shown = { modelClass: Page, readableColumnNames: ['id', 'text'] } as const;
const written = { ...shown, writeableColumnNames: ['text', 'rank'] } as const;

/** A text of which JSON has six characters for each of its own: 8.4 million. */
const long = '\u0001'.repeat(1_400_000);

const wide = 'x'.repeat(8_400_000);

const { contract } = service(
  {
    entities: [Page],
    root: { bodyLimit: 9_000_000 },
    endpoints: [
      new EndpointGroup({
        url: 'written',
        // Half a gigabyte of text takes its time.
        timeout: 80_000,
        endpoints: [
          new Batch({ url: 'batch' }),
          new UpdateMany({ ...written, url: 'pages' }),
          new UpdateMany({ ...written, url: 'mapped', outputMap: () => wide }),
        ],
      }),
    ],
  },
  once,
);

const tooLong = 'The answer must not be longer than 535822312 characters: ask for fewer records or columns';

const saved = async ({ save }: Subject, count: number): Promise<readonly number[]> => {
  const ids: number[] = [];
  for (const text of many(count, (index) => `p${index}`)) ids.push((await save(Page, { text })).id);
  return ids;
};

for (const path of ['pages', 'mapped'])
  contract(
    `A write whose answer would be longer than a text can be is refused, and writes nothing: ${path}`,
    async (subject) => {
      const ids = await saved(subject, 64);
      const text = path === 'pages' ? long : 'new';
      const body = { ids, changes: { text } };
      expectAnswer(await subject.request().patch(`/written/${path}`).send(body), 400, clientError(tooLong));
      expect(await subject.em().count(Page, { text })).toBe(0);
    },
  );

contract(
  'A batch whose answers together would be longer than a text can be is refused, and writes nothing',
  async (subject) => {
    const ids = await saved(subject, 64);
    await subject.em().nativeUpdate(Page, {}, { text: long });
    const operations = [ids.slice(0, 32), ids.slice(32)].map((half) => ({
      method: 'PATCH',
      path: '/written/pages',
      body: { ids: half, changes: { rank: 1 } },
    }));
    expectAnswer(
      await subject.request().post('/written/batch').send({ operations }),
      400,
      clientError(tooLong),
    );
    expect(await subject.em().count(Page, { rank: 1 })).toBe(0);
  },
);
