import { expect } from '@jest/globals';
import { once, service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { answered, items, left, many, owners, stored, write } from './bulk.items.js';

const { contract } = service(items, once);

contract('Values of every type are kept as they were sent, in the order of the records', async (subject) => {
  await owners(subject);
  const all = {
    code: 'a"\\{},',
    name: ' NULL ',
    place: 'here',
    owner_id: 2,
    amount: '1.505',
    large: '-9223372036854775808',
    ratio: 1e-7,
    level: -32768,
    day: '2026-02-28',
    at: '2026-01-02T03:04:05.678+02:00',
    is_active: false,
    data: { a: [1, '"\\', null], b: 'é\n' },
    tags: ['NULL', '', '"', 'x,y', '{'],
    token: '7A1A9A66-4C92-4FC7-A7CF-7D2F1F0F0A11',
    size: 'large',
    letters: 'abc',
  };
  const { status, rows } = await write(subject, { create: [{ data: 'null' }, all, { tags: [], place: '' }] });
  expect(status).toBe(200);
  expect(rows.map(({ id, version, madeAt }) => [id, version, madeAt === null])).toEqual([
    ['1', '1', false],
    ['2', '1', false],
    ['3', '1', false],
  ]);
  expect(rows[1]).toEqual({
    id: '2',
    version: '1',
    code: 'a"\\{},',
    name: ' NULL ',
    place: 'here',
    ownerId: '2',
    amount: '1.51',
    large: '-9223372036854775808',
    ratio: '1e-07',
    level: '-32768',
    day: '2026-02-28',
    at: '2026-01-02 01:04:05.678+00',
    isActive: 'f',
    data: String.raw`{"a": [1, "\"\\", null], "b": "é\n"}`,
    tags: String.raw`{"NULL","","\"","x,y","{"}`,
    token: '7a1a9a66-4c92-4fc7-a7cf-7d2f1f0f0a11',
    size: 'large',
    letters: 'abc',
    'owner.id': '2',
    'owner.name': 'Ben',
    madeAt: expect.any(String),
    changedAt: null,
  });
  const { data, tags, name, place, code, isActive } = rows[0] ?? {};
  expect([data, tags, name, place, code, isActive]).toEqual([
    '"null"',
    null,
    'nobody',
    'from the database',
    null,
    't',
  ]);
  expect([rows[2]?.['place'], rows[2]?.['tags']]).toEqual(['', '{}']);
});

contract('Records without a value of a column get what the database gives', async (subject) => {
  const { status, rows } = await write(subject, {
    create: Array.from({ length: 12 }, (_, index) => ({
      code: `c${index}`,
      ...(index % 2 === 0 ? {} : { place: `p${index}` }),
      ...(index % 3 === 0 ? {} : { level: index }),
    })),
  });
  expect(status).toBe(200);
  expect(rows.map(({ code, place, level }) => [code, place, level])).toEqual(
    Array.from({ length: 12 }, (_, index) => [
      `c${index}`,
      index % 2 === 0 ? 'from the database' : `p${index}`,
      index % 3 === 0 ? null : String(index),
    ]),
  );
  expect((await stored(subject, 'code')).flat().toSorted()).toEqual(rows.map(({ code }) => code).toSorted());
});

contract('What is sent does not depend on the number of records', async (subject) => {
  const statements = await Statements.of(subject);
  const sentFor = async (number: number) => {
    await subject.clean();
    const ids = Array.from({ length: number }, (_, index) => index + 1);
    const bodies = [
      { create: many(number) },
      { update: ids.map((id) => ({ id, level: id + 1, ...(id === 1 ? { name: 'x' } : {}) })) },
      { ids, changes: { level: 5 } },
      { where: { level: 5 }, maximum: number, changes: { level: 6 } },
      { ids: ids.toReversed() },
    ];
    const texts: string[] = [];
    for (const body of bodies)
      texts.push(
        ...(await statements.during(async () => {
          const { status, rows } = await write(subject, body);
          expect([Object.keys(body), status, rows.length]).toEqual([Object.keys(body), 200, number]);
        })),
      );
    return texts;
  };
  const few = await sentFor(2);
  expect(few.length).toBe(5);
  expect(await sentFor(100)).toEqual(few);
});

contract(
  'An Update writes what differs, and answers with all in the order in which they were sent',
  async (subject) => {
    await write(subject, { create: many(4) });
    const update = [
      { id: 3, level: 7 },
      { id: 1, level: 0, code: 'c0' },
      { id: 2, name: 'x', if_match: ['1', '5'] },
    ];
    const first = await write(subject, { update });
    expect(answered(first, 'id', 'level', 'name', 'version')).toEqual([
      200,
      [
        ['3', '7', 'nobody', '2'],
        ['1', '0', 'nobody', '1'],
        ['2', '1', 'x', '2'],
      ],
    ]);
    expect(first.rows.map(({ changedAt }) => changedAt === null)).toEqual([false, true, false]);
    const same = await write(subject, { ids: [4, 3], changes: { level: 7, name: 'nobody' } });
    expect(answered(same, 'id', 'level', 'version')).toEqual([
      200,
      [
        ['4', '7', '2'],
        ['3', '7', '2'],
      ],
    ]);
  },
);

contract(
  'An instant that is sent back as it was written keeps the finer digits of the database',
  async (subject) => {
    await write(subject, { create: many(2) });
    const fine = '2026-01-02 03:04:05.678901+00';
    await subject.em().getConnection().execute(`update item set at = '${fine}'`);
    const at = '2026-01-02T03:04:05.678Z';
    const kept = [
      200,
      [
        ['2', fine, '2'],
        ['1', fine, '1'],
      ],
    ];
    const update = [
      { id: 2, at, level: 9 },
      { id: 1, at },
    ];
    expect(answered(await write(subject, { update }), 'id', 'at', 'version')).toEqual(kept);
    expect(answered(await write(subject, { ids: [2, 1], changes: { at } }), 'id', 'at', 'version')).toEqual(
      kept,
    );
  },
);

contract('Nothing is written where a record is missing, stale, named twice or refused', async (subject) => {
  await write(subject, { create: many(3) });
  const level = 70;
  for (const body of [
    {
      update: [
        { id: 1, level },
        { id: 9, level },
      ],
    },
    {
      update: [
        { id: 1, level },
        { id: 2, level, if_match: ['2'] },
      ],
    },
    {
      update: [
        { id: 1, level },
        { id: 2, level, if_match: ['x'] },
      ],
    },
    {
      update: [
        { id: 1, level },
        { id: '1', level },
      ],
    },
    {
      update: [
        { id: 1, level },
        { id: 2, code: 'c2' },
      ],
    },
    // Each would be free once the other is gone.
    {
      update: [
        { id: 1, code: 'c1', level },
        { id: 2, code: 'c0' },
      ],
    },
    {
      update: [
        { id: 1, level },
        { id: 2, owner_id: 5 },
      ],
    },
    { ids: [1, 9], changes: { level } },
    { ids: [1, 9] },
    { where: { isActive: true }, maximum: 2, changes: { level } },
    { where: { isActive: true }, maximum: 2 },
    { where: { isActive: false }, maximum: 2 },
    { create: [{ level }, { code: 'c1' }] },
    { create: [{ level, code: 'twice' }, { code: 'twice' }] },
    { create: [{ level }, { owner_id: 5 }] },
  ])
    expect([body, answered(await write(subject, body), 'id')]).toEqual([body, left]);
  expect(await stored(subject, 'level', 'version', 'code')).toEqual([
    [0, 1, 'c0'],
    [1, 1, 'c1'],
    [2, 1, 'c2'],
  ]);
});

contract(
  'Records that conditions meet are answered by id, and are at most as many as were allowed',
  async (subject) => {
    await write(subject, { create: many(4).map((one, index) => ({ ...one, level: index % 2 })) });
    const changed = await write(subject, {
      where: { level: 1 },
      maximum: 2,
      changes: { level: 1, name: 'odd' },
    });
    expect(answered(changed, 'id', 'name')).toEqual([
      200,
      [
        ['2', 'odd'],
        ['4', 'odd'],
      ],
    ]);
    const gone = await write(subject, { where: { level: 1, name: 'odd' }, maximum: 5 });
    expect(answered(gone, 'id', 'name')).toEqual([
      200,
      [
        ['2', 'odd'],
        ['4', 'odd'],
      ],
    ]);
    expect((await stored(subject, 'id')).flat()).toEqual([1, 3]);
  },
);

contract(
  'Deleted records are answered as they were, in the order in which they were named',
  async (subject) => {
    await owners(subject);
    await write(subject, { create: many(3).map((one) => ({ ...one, owner_id: 1 })) });
    expect(answered(await write(subject, { ids: [3, 1] }), 'code', 'owner.name')).toEqual([
      200,
      [
        ['c2', 'Ann'],
        ['c0', 'Ann'],
      ],
    ]);
    expect((await stored(subject, 'id')).flat()).toEqual([2]);
  },
);
