import { expect, test } from '@jest/globals';
import { defineEntity, p, type EntityName } from '@mikro-orm/core';
import { EndpointsModule, List, type PagingOptions } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import {
  startApplication,
  startUpError,
  type Application,
  type ApplicationOptions,
} from '../support/application.js';
import { everyDatabase } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { idsOf, stockWith, wares } from './advanced-search.wares.js';
import { stopped } from './stopped.js';

const listed = {
  url: 'list',
  modelClass: Ware,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id', 'label'],
  defaultSortColumnName: 'label',
  defaultLimit: 1,
  pagination: 'keyset',
} as const;

type Root = NonNullable<ApplicationOptions['root']>;

const application = (root: Root, options: PagingOptions = {}) =>
  stockWith([new List({ ...listed, ...options })], root);

/** Starts applications one after the other, as processes of a service would be, and closes them after the test. */
const started = async (
  options: readonly ApplicationOptions[],
  body: (...applications: Application[]) => Promise<void>,
): Promise<void> => {
  for (const { platform, database } of everyDatabase) {
    const applications: Application[] = [];
    try {
      for (const one of options) applications.push(await startApplication(platform, database, one));
      await body(...applications);
    } finally {
      for (const one of applications) await one.close();
    }
  }
};

const store = async ({ em }: Application) =>
  em().insertMany(Ware, [
    { id: 1, label: 'a' },
    { id: 2, label: 'b' },
    { id: 3, label: 'c' },
  ]);

const refusal = clientError(
  "'after' must be what next_page said of this list, for the same sort and direction",
);

/** What the second process answers to the cursor of the first. */
const carried = async (first: Application, second: Application) => {
  const { body } = await first.request().get('/list');
  return second.request().get('/list').query(body.pagination.next_page);
};

test('A cursor of another process with the same cursorSecret is accepted', () =>
  started(
    [
      application({ cursorSecret: 'a secret of 32 bytes, or of more' }),
      application({ cursorSecret: 'a secret of 32 bytes, or of more' }),
    ],
    async (first, second) => {
      for (const one of [first, second]) await store(one);
      const answer = await carried(first, second);
      expect([answer.status, idsOf(answer)]).toEqual([200, [2]]);
    },
  ));

test('A cursor of another process without a cursorSecret is refused', () =>
  started([application({}), application({})], async (first, second) => {
    for (const one of [first, second]) await store(one);
    expectAnswer(await carried(first, second), 400, refusal);
    expect(idsOf(await carried(first, first))).toEqual([2]);
  }));

test('A cursor of another cursorSecret is refused', () =>
  started(
    [
      application({ cursorSecret: 'one secret that is long enough, yes' }),
      application({ cursorSecret: 'One secret that is long enough, yes' }),
    ],
    async (first, second) => {
      for (const one of [first, second]) await store(one);
      expectAnswer(await carried(first, second), 400, refusal);
      expectAnswer(await carried(second, first), 400, refusal);
    },
  ));

/** The same endpoint before and after a deployment that gave a column another type. */
const version = (entity: EntityName): ApplicationOptions => ({
  entities: [entity],
  root: { cursorSecret: 'kept over the deployment, and over the next' },
  endpoints: [
    new List<{ id: number; rank?: unknown }>({
      url: 'list',
      modelClass: entity as EntityName<{ id: number; rank?: unknown }>,
      readableColumnNames: ['id'],
      sortableColumnNames: ['rank'],
      defaultSortColumnName: 'rank',
      defaultLimit: 1,
      pagination: 'keyset',
    }),
  ],
});

const id = p.integer().primary();
const Text = defineEntity({ name: 'Item', properties: { id, rank: p.string() } });
const Whole = defineEntity({ name: 'Item', properties: { id, rank: p.integer().nullable() } });
const Moment = defineEntity({ name: 'Item', properties: { id, rank: p.datetime() } });
const Flag = defineEntity({ name: 'Item', properties: { id, rank: p.boolean() } });

test("A cursor whose values are not of the column's type any more is refused", () =>
  started([Text, Whole, Moment, Flag].map(version), async (text, whole, moment, flag) => {
    const two = <T>(rank: (number: number) => T) =>
      [1, 2].map((number) => ({ id: number, rank: rank(number) }));
    await text.em().insertMany(
      Text,
      two((number) => `rank ${number}`),
    );
    await whole.em().insertMany(
      Whole,
      two((number) => number),
    );
    await moment.em().insertMany(
      Moment,
      two((number) => new Date(`2024-05-0${number}`)),
    );
    await flag.em().insertMany(
      Flag,
      two((number) => number > 1),
    );
    const answers = [
      await carried(text, whole),
      await carried(text, moment),
      await carried(text, flag),
      await carried(whole, moment),
      await carried(moment, whole),
      await carried(moment, flag),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [400, refusal]));
  }));

test('Of several secrets the first one encrypts cursors and all of them decrypt, so that they can be changed', () => {
  const [old, next] = ['the old secret of this service, 32', 'the next secret of this service 32'];
  const steps = [old, [old, next], [next, old], [next], next] as const;
  return started(
    steps.map((cursorSecret) => application({ cursorSecret })),
    async (...processes) => {
      for (const one of processes) await store(one);
      // Whose cursors are accepted by whom: a step of the change and the next one understand each other.
      const accepted = [];
      for (const first of processes) {
        const by = [];
        for (const second of processes) by.push((await carried(first, second)).status === 200 ? 1 : 0);
        accepted.push(by);
      }
      expect(accepted).toEqual([
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [0, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
        [0, 1, 1, 1, 1],
      ]);
    },
  );
});

test('A cursorSecret of less than 32 bytes stops the start, and the message does not tell it', async () => {
  const short = 'x'.repeat(31);
  for (const [cursorSecret, problem] of [
    [short, 'cursorSecret: the secret has 31 bytes; it must have at least 32'],
    ['secret', 'cursorSecret: the secret has 6 bytes'],
    [[short], 'cursorSecret: secret 1 has 31 bytes'],
    [['y'.repeat(32), short], 'cursorSecret: secret 2 has 31 bytes'],
    [['y'.repeat(32), ''], 'cursorSecret: secret 2 is empty'],
    [[], 'cursorSecret: the list is empty'],
    [[['y'.repeat(32)]], 'cursorSecret: secret 1 is no text'],
    [5, 'cursorSecret: the secret is no text'],
    [null, 'cursorSecret: the secret is no text'],
  ] as const) {
    const message = await startUpError(application({ cursorSecret: cursorSecret as never }));
    expect(message).toContain(problem);
    expect(message).not.toContain('xxx');
  }
  await started([application({ cursorSecret: 'é'.repeat(16) })], () => Promise.resolve());
});

test('An empty cursorSecret stops the start', async () => {
  for (const pagination of ['keyset', 'offset'] as const)
    expect(await startUpError(application({ cursorSecret: '' }, { pagination }))).toMatch(
      /EndpointsModule\.forRoot.*cursorSecret.*empty/,
    );
  const imports = [EndpointsModule.forRoot({ cursorSecret: '' })];
  expect(await startUpError({ entities: [Ware], imports, endpoints: [wares()] })).toMatch(/cursorSecret/);
});

test('A pagination that does not exist stops the start', async () => {
  const refused = { cursor: 'is unknown', Keyset: 'is unknown', '': 'is unknown', constructor: 'is unknown' };
  const wrong: [unknown, string][] = [
    ...Object.entries(refused).map(([name, why]): [string, string] => [name, `'${name}' ${why}`]),
    [null, 'null is not allowed'],
    [1, '1 is not allowed'],
  ];
  for (const [pagination, problem] of wrong) {
    const given = { pagination: pagination as never };
    for (const [make, owner] of [
      [() => new List({ ...listed, ...given }), "List 'list'"],
      [() => wares(given), "AdvancedSearch 'wares'"],
    ] as const) {
      const message = await stopped(make, stockWith([]));
      expect(message).toContain(`${owner}: pagination: ${problem}`);
      expect(message).toContain('allowed: offset, keyset');
    }
  }
});

test('A pagination of forRoot that does not exist stops the start', async () => {
  const { pagination: _pagination, ...unset } = listed;
  const root = { pagination: 'cursor' as never };
  expect(await startUpError(stockWith([new List(unset)], root))).toMatch(
    /pagination: 'cursor' is unknown; allowed: offset, keyset/,
  );
});
