import { expect } from '@jest/globals';
import { once, service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { many } from './bulk.places.js';
import { application, everyWay, post } from './conflicting.items.js';
import { Item } from './upserted.stock.js';

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
