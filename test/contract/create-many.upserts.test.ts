import { expect } from '@jest/globals';
import { once, service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { many } from './bulk.places.js';
import { application, as, everyWay, post } from './conflicting.items.js';
import { Item, Stock, Warehouse } from './upserted.stock.js';

const direct = service({ ...application(), route: 'direct' }, once);

direct.contract(
  '500 upserts, half of them conflicts, are one statement, answered in their order',
  async (subject) => {
    const statements = await Statements.of(subject);
    const all = many(500, (index) => ({ code: `c${(index * 7) % 500}`, name: `n${index}`, amount: index }));
    await post(
      subject,
      '/items',
      all.filter((_, index) => index % 2 === 0).map((one) => ({ ...one, name: 'old' })),
    );
    const sent = await statements.during(async () => {
      const answer = await post(subject, '/items', all);
      expect(answer.status).toBe(201);
      expect(
        answer.body.data.map(({ code, name, amount }: (typeof all)[number]) => ({ code, name, amount })),
      ).toEqual(all);
    });
    expect(sent).toHaveLength(1);
    expect(await subject.count(Item)).toBe(500);
  },
);

direct.contract(
  'Records of other columns and requests in opposite order keep what was sent',
  async (subject) => {
    const records = many(40, (index) => ({
      code: `c${index}`,
      name: `n${index}`,
      ...(index % 2 === 0 ? { note: `x${index}` } : {}),
    }));
    await post(subject, '/items', records);
    const changed = records.map(({ code }, index) => ({
      code,
      name: 'm',
      ...(index % 3 === 0 ? { note: null } : {}),
    }));
    for (let round = 0; round < 20; round += 1) {
      const both = [changed, records.toReversed()].map((one) => post(subject, '/items', one));
      expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
    }
    await post(subject, '/items', records);
    await post(subject, '/items', changed);
    const notes = (await subject.em().findAll(Item, { orderBy: { id: 'asc' } })).map(({ note }) => note);
    expect(notes.toSorted()).toEqual(
      many(40, (index) => (index % 3 === 0 || index % 2 === 1 ? null : `x${index}`)).toSorted(),
    );
  },
);

direct.contract('New keys that two requests bring at once are one record each', async (subject) => {
  const records = many(30, (index) => ({ code: `c${index}`, name: 'n' }));
  for (const url of everyWay) {
    await subject.clean();
    const answers = await Promise.all(
      many(6, (index) => post(subject, `/${url}`, index % 2 === 0 ? records : records.toReversed())),
    );
    expect(answers.filter(({ status }) => ![200, 201].includes(status))).toEqual([]);
    expect(await subject.count(Item)).toBe(30);
  }
});

direct.contract(
  'Records that share values of several columns with those sent are not asked for',
  async (subject) => {
    const places = Array.from({ length: 12 }, (_, index) => index + 1);
    for (const id of places) await subject.save(Warehouse, { id, name: `W${id}` });
    const all = places.flatMap((warehouse) =>
      places.map((sku) => ({ sku: `S${sku}`, warehouse, amount: 1 })),
    );
    await subject.em().insertMany(Stock, all);
    // These the endpoint does not see.
    await subject.em().nativeUpdate(Stock, { sku: 'S11', warehouse: 11 }, { amount: 5000 });
    await subject.em().nativeUpdate(Stock, { sku: 'S12', warehouse: 12 }, { amount: 5000 });
    const records = places.map((place) => ({ sku: `S${place}`, warehouse_id: place, amount: 2 }));
    const listened = await Statements.of(subject);
    const statements = await listened.during(async () => {
      const { body } = await post(subject, '/small/stocks', records, as({ sub: 'ann' }));
      expect(Object.keys(body.input_errors as object)).toEqual(['records.10.sku', 'records.11.sku']);
    });
    const asked = statements.filter((text) => /^select .* where .*sku/s.test(text));
    expect(asked.some((text) => text.includes('amount') && text.includes('limit'))).toBe(true);
    expect(asked.some((text) => !text.includes('amount') && text.includes('limit'))).toBe(true);
    for (const text of asked) expect(text).toMatch(/sku.{1,9} = .{1,9} and .{1,8}warehouse_id. = .* or /s);
    const keys = asked.flatMap((text) => / in \(([\d, ]+)\)/.exec(text)?.[1]?.split(', ').length ?? []);
    expect(Math.max(...keys)).toBe(10);
  },
);
