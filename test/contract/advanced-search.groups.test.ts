import { expect } from '@jest/globals';
import { everyDatabase, service } from '../support/contract.js';
import { Depot, Part, Ware } from '../support/entities/stock.js';
import { idsOf, stockWith, wares } from './advanced-search.wares.js';
import type { Subject } from '../support/contract.js';

const { contract } = service(stockWith([wares()]), everyDatabase);

const label = (operator: string, value?: unknown): object => ({ column: 'label', operator, value });
const size = (operator: string, value?: unknown): object => ({ column: 'size', operator, value });

/** Wares 1 to 4: the last has nothing, the first two have parts. */
const store = async ({ em }: Subject): Promise<void> => {
  const manager = em();
  const depot = manager.create(Depot, { id: 1, name: 'north', rank: 1 });
  const labels = ['100%_\\ Wool', '100 x wool', 'Cotton'];
  for (const [index, text] of labels.entries())
    manager.create(Ware, {
      id: index + 1,
      label: text,
      size: (index + 1) * 10,
      ...(index === 0 ? { depot } : {}),
    });
  manager.create(Ware, { id: 4 });
  await manager.flush();
  const part = (id: number, ware: number, name: string | null, count: number | null): void => {
    manager.create(Part, { id, name, count, ware: manager.getReference(Ware, ware) });
  };
  part(1, 1, 'bolt', 1);
  part(2, 1, 'nut', 9);
  part(3, 2, 'bolt', 9);
  part(4, 2, null, null);
  await manager.flush();
};

/** What each search finds, under its text. */
const table = async ({ request }: Subject, searches: readonly (readonly object[])[]): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for (const where of searches) {
    const answer = await request().post('/wares').send({ where });
    rows.push([answer.body.error, idsOf(answer)]);
  }
  return rows;
};

const expectFound = async (
  subject: Subject,
  expected: readonly (readonly [object[], number[]])[],
): Promise<void> => {
  expect(
    await table(
      subject,
      expected.map(([where]) => where),
    ),
  ).toEqual(expected.map(([, ids]) => ['', ids]));
};

contract(
  'any, all and not say how conditions count together, and not meets what is null',
  async (subject) => {
    await store(subject);
    await expectFound(subject, [
      [[{ any: [size('=', 10), size('=', 30)] }], [1, 3]],
      [[{ any: [size('=', 10), size('is null')] }], [1, 4]],
      [[{ all: [size('>', 10), size('<', 30)] }], [2]],
      [[{ not: size('=', 10) }], [2, 3, 4]],
      [[{ not: { not: size('=', 10) } }], [1]],
      [[{ not: { any: [size('=', 10), label('contains', 'x')] } }], [3, 4]],
      [[{ not: { all: [size('>', 10), size('<', 30)] } }], [1, 3, 4]],
      [
        [
          { any: [{ all: [size('>', 10), label('contains', 'wool')] }, { not: size('<', 100) }] },
          size('<=>', 20),
        ],
        [2],
      ],
      [[{ not: { column: 'depot.name', operator: '=', value: 'north' } }], [2, 3, 4]],
      [[{ any: [{ column: 'depot.name', operator: '=', value: 'north' }, size('=', 30)] }], [1, 3]],
    ]);
  },
);

contract(
  'some and none ask for one related record that meets all, conditions apart for any',
  async (subject) => {
    await store(subject);
    const bolt = { column: 'name', operator: '=', value: 'bolt' };
    const many = { column: 'count', operator: '>', value: 5 };
    const apart = [
      { column: 'parts.name', operator: '=', value: 'bolt' },
      { column: 'parts.count', operator: '>', value: 5 },
    ];
    await expectFound(subject, [
      [apart, [1, 2]],
      [[{ some: 'parts', all: [bolt, many] }], [2]],
      [[{ none: 'parts', all: [bolt, many] }], [1, 3, 4]],
      [[{ not: { some: 'parts', all: [bolt, many] } }], [1, 3, 4]],
      [[{ some: 'parts', all: [] }], [1, 2]],
      [[{ none: 'parts', all: [] }], [3, 4]],
      [[{ some: 'parts', all: [{ not: bolt }] }], [1, 2]],
      [[{ none: 'parts', all: [{ not: bolt }] }], [3, 4]],
      [[{ some: 'parts', all: [{ any: [bolt, many] }] }, size('=', 10)], [1]],
      [
        [
          {
            any: [
              { some: 'tags', all: [] },
              { some: 'parts', all: [many, { not: bolt }] },
            ],
          },
        ],
        [1],
      ],
    ]);
  },
);

contract(
  'contains, starts with and ends with take a text as it is, in small letters or capital ones',
  async (subject) => {
    await store(subject);
    await expectFound(subject, [
      [[label('contains', '100%_\\')], [1]],
      [[label('contains', '%')], [1]],
      [[label('contains', '_')], [1]],
      [[label('contains', '\\')], [1]],
      [[label('contains', 'WOOL')], [1, 2]],
      [[label('contains', '')], [1, 2, 3]],
      [[label('starts with', '100%')], [1]],
      [[label('starts with', 'c')], [3]],
      [[label('Starts With', '%')], []],
      [[label('ends with', 'Wool')], [1, 2]],
      [[label('ends with', '\\')], []],
      [[{ column: 'state', operator: 'contains', value: 'n' }], []],
      [[{ column: 'depot.name', operator: 'ends with', value: 'TH' }], [1]],
      [[{ not: label('contains', 'o') }], [4]],
    ]);
  },
);

contract('not in and between compare values, and null is none', async (subject) => {
  await store(subject);
  await expectFound(subject, [
    [[size('not in', [10, 30])], [2]],
    [[size('not in', [])], [1, 2, 3]],
    [[{ not: size('in', [10]) }], [2, 3, 4]],
    [[{ not: size('not in', [10]) }], [1, 4]],
    [[size('between', [10, 20])], [1, 2]],
    [[size('between', [20, 10])], []],
    [[{ not: size('between', [10, 20]) }], [3, 4]],
  ]);
});
