import { expect } from '@jest/globals';
import { fc } from '../support/property.js';
import { IdempotencyRecord } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { Order, shop } from './orders.js';

const { contract: onPostgresql } = service(shop(), once);

/** What a header says, told in another way than the service reads it: undefined for what is no key. */
const keyIn = (header: string): string | undefined => {
  const isQuoted = header.length >= 2 && header.startsWith('"') && header.endsWith('"');
  const inside = isQuoted ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '\0$1') : header;
  const characters = inside
    .split('\0')
    .flatMap((part, index) => Array.from(index === 0 ? part : part.slice(1)));
  const forbidden = isQuoted ? ['"', '\\'] : ['"', ',', ';'];
  const isKey =
    inside !== '' && characters.every((one) => one > ' ' && one <= '~' && !forbidden.includes(one));
  return isKey ? inside.replaceAll('\0', '') : undefined;
};

onPostgresql('Whatever Idempotency-Key holds is a key or a 400', async (subject) => {
  const character = fc.constantFrom('"', '\\', ',', ';', ' ', '\t', 'a', 'B', '7', '-', '~', '!', 'é');
  const text = fc.string({ unit: character, minLength: 1, maxLength: 6 });
  const header = fc
    .oneof(
      text,
      text.map((inside) => `"${inside}"`),
    )
    .map((one) => one.trim());
  const seen = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(header, async (sent) => {
      const headers = { 'Idempotency-Key': Buffer.from(sent, 'latin1').toString('latin1') };
      const key = keyIn(sent);
      const { status, text: answer } = await subject.raw('POST', '/orders', {
        headers,
        body: '{"item":"tea"}',
      });
      expect([sent, status]).toEqual([sent, key === undefined ? 400 : 201]);
      if (key === undefined) return;
      expect(seen.get(key) ?? answer).toBe(answer);
      seen.set(key, answer);
    }),
    { numRuns: 300 },
  );
  expect(await subject.count(Order)).toBe(seen.size);
  expect(await subject.count(IdempotencyRecord)).toBe(seen.size);
});
