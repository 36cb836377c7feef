import { expect } from '@jest/globals';
import { once, service } from '../support/contract.js';
import { heldUp } from '../support/waits.js';
import { answered, items, left, many, stored, write } from './bulk.items.js';

const { contract } = service(items, once);

contract(
  'An Update compares with the record that it has locked, not with the one that it began with',
  async (subject) => {
    await write(subject, { create: many(2) });
    const em = subject.em();
    await em.begin();
    await em
      .getConnection()
      .execute(
        'update item set level = 50, version = version + 1 where id = 1',
        [],
        'run',
        em.getTransactionContext(),
      );
    // The record has this level until the other transaction is committed.
    const answer = write(subject, {
      update: [
        { id: 1, level: 0 },
        { id: 2, level: 1 },
      ],
    });
    await heldUp(subject);
    await em.commit();
    expect(answered(await answer, 'level', 'version')).toEqual([
      200,
      [
        ['0', '3'],
        ['1', '1'],
      ],
    ]);
    expect(await stored(subject, 'level', 'version')).toEqual([
      [0, 3],
      [1, 1],
    ]);
  },
);

contract('A version is that of the record that was locked', async (subject) => {
  await write(subject, { create: many(2) });
  const em = subject.em();
  await em.begin();
  await em
    .getConnection()
    .execute(
      'update item set level = 50, version = version + 1 where id = 1',
      [],
      'run',
      em.getTransactionContext(),
    );
  const answer = write(subject, {
    update: [
      { id: 2, level: 8 },
      { id: 1, level: 7, if_match: ['1'] },
    ],
  });
  await heldUp(subject);
  await em.commit();
  expect(answered(await answer, 'id')).toEqual(left);
  expect(await stored(subject, 'level', 'version')).toEqual([
    [50, 2],
    [1, 1],
  ]);
});

contract('Two Updates over the same records in opposite order never wait for each other', async (subject) => {
  const number = 20;
  await write(subject, { create: many(number) });
  const ids = Array.from({ length: number }, (_, index) => index + 1);
  const statuses = new Set<number>();
  for (let round = 0; round < 100; round += 1) {
    const one = ids.map((id) => ({ id, level: round }));
    const other = ids.toReversed();
    const answers = await Promise.all([
      write(subject, { update: one }),
      write(subject, { ids: other, changes: { level: -round, name: `r${round}` } }),
    ]);
    for (const { status } of answers) statuses.add(status);
    const levels = new Set((await stored(subject, 'level')).flat());
    expect(levels.size).toBe(1);
  }
  expect([...statuses]).toEqual([200]);
});

contract(
  'Conditions never meet more records than may be, whoever makes more of them meanwhile',
  async (subject) => {
    const maximum = 10;
    let isOver = false;
    const makes = async (): Promise<void> => {
      while (!isOver) await write(subject, { create: [{ level: 1 }, { level: 1 }, { level: 1 }] });
    };
    const others = [makes(), makes()];
    const numbers: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      const changes = { level: 2, name: `r${round}` };
      const { status, rows } = await write(subject, { where: { level: 1 }, maximum, changes });
      if (status === 200) numbers.push(rows.length);
      else await write(subject, { where: { level: 1 }, maximum: 10_000, changes: { level: 3 } });
    }
    isOver = true;
    await Promise.all(others);
    expect(numbers.length).toBeGreaterThan(0);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(maximum);
    const written = await subject
      .em()
      .getConnection()
      .execute<{ number: string }[]>(`select count(*) as number from item where level = 2 group by name`);
    for (const { number } of written) expect(Number(number)).toBeLessThanOrEqual(maximum);
  },
);
