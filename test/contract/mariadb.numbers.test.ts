import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Aggregate, BigIntegerColumn, defineColumns } from '@nest-endpoints/core';
import { mariaDbOnly, service, type Subject } from '../support/contract.js';
import { idsOfPages, pages, searching } from './keyset.walk.js';

/** Numbers that differ beyond the digits of double precision, stored and worked out. */
const Wide = defineEntity({
  name: 'Wide',
  properties: {
    id: p.integer().primary(),
    amount: p.decimal('string').precision(38).scale(10),
    serial: p.bigint('string'),
    doubled: p
      .decimal('string')
      .precision(39)
      .scale(10)
      .formula((columns) => `${columns['amount']} * 2`),
    facts: p.json<{ serial?: string }>(),
    next: p.bigint('string').formula((columns) => `${columns['serial']} + 1`),
  },
});

defineColumns(Wide, { 'facts.serial': { type: new BigIntegerColumn() } });

const names = ['amount', 'serial', 'doubled', 'next', 'facts.serial'] as const;

const { contract } = service(
  {
    entities: [Wide],
    endpoints: [
      new AdvancedSearch({
        url: 'wides',
        modelClass: Wide,
        readableColumnNames: ['id'],
        searchableColumnNames: names,
        sortableColumnNames: ['id', ...names],
        defaultSortColumnName: 'id',
        pagination: 'keyset',
        maximumInValues: 10_000,
      }),
      new Aggregate({
        url: 'aggregate',
        modelClass: Wide,
        groupableColumnNames: ['id'],
        measurableColumnNames: { amount: ['sum', 'min', 'avg'], serial: ['sum', 'max'] },
        searchableColumnNames: [],
      }),
    ],
  },
  mariaDbOnly,
);

const last = (digit: number): string => `12345678901234567890.123456789${digit}`;
const twice = (digit: number): string => `24691357802469135780.246913578${digit}`;

const wides = [0, 1, 2].map((digit) => ({
  id: digit + 1,
  amount: last(digit),
  serial: `900719925474099${digit + 2}`,
  facts: {},
}));

/** Stores them, with their numbers as JSON has them, which JavaScript would round. */
const store = async (em: ReturnType<Subject['em']>): Promise<void> => {
  await em.insertMany(Wide, wides);
  await em.getConnection().execute(`update wide set facts = concat('{"serial":', serial, '}')`);
};

type Condition = readonly [operator: string, value: unknown, ids: readonly number[]];

const conditions: Readonly<Record<(typeof names)[number], readonly Condition[]>> = {
  amount: [
    ['between', [last(1), last(1)], [2]],
    ['between', [last(2), last(1)], []],
    ['in', [last(1), '1'], [2]],
    ['in', [], []],
    ['not in', [last(1), '1'], [1, 3]],
    ['not in', [], [1, 2, 3]],
    ['in', [...Array.from({ length: 9000 }, (_, index) => String(index)), last(2)], [3]],
  ],
  serial: [
    ['between', ['9007199254740993', '9007199254740993'], [2]],
    ['in', ['9007199254740993', '1'], [2]],
    ['not in', ['9007199254740993', '1'], [1, 3]],
  ],
  doubled: [
    ['=', twice(2), [2]],
    ['between', [twice(2), twice(3)], [2]],
    ['in', [twice(2), '1'], [2]],
    ['not in', [twice(2), '1'], [1, 3]],
  ],
  next: [
    ['=', '9007199254740992', []],
    ['=', '9007199254740993', [1]],
    ['>', '9007199254740992', [1, 2, 3]],
    ['between', ['9007199254740992', '9007199254740992'], []],
    ['in', ['9007199254740992', '9007199254740995'], [3]],
    ['not in', ['9007199254740992', '1'], [1, 2, 3]],
  ],
  'facts.serial': [
    ['=', '9007199254740993', [2]],
    ['between', ['9007199254740993', '9007199254740993'], [2]],
    ['in', ['9007199254740993', '1'], [2]],
    ['not in', ['9007199254740993', '1'], [1, 3]],
  ],
};

contract(
  'On MariaDB exact numbers are compared to the last digit by every operator',
  async ({ em, request }) => {
    await store(em());
    for (const [column, entries] of Object.entries(conditions))
      for (const [operator, value, ids] of entries) {
        const { status, body } = await request()
          .post('/wides')
          .send({ where: [{ column, operator, value }] });
        const shown = [operator, value].flat(2).slice(0, 3);
        expect([column, shown, status, body.data?.map(({ id }: { id: number }) => id)]).toEqual([
          column,
          shown,
          200,
          ids,
        ]);
      }
  },
);

contract('On MariaDB what is measured exactly is compared to the last digit', async ({ em, request }) => {
  await store(em());
  for (const [measure, operator, value, ids] of [
    ['amount.min', 'in', [last(1), '1'], [2]],
    ['amount.sum', 'between', [last(1), last(1)], [2]],
    ['amount.avg', 'in', [last(1), '1'], [2]],
    ['serial.sum', 'in', ['9007199254740993', '1'], [2]],
    ['serial.max', 'between', ['9007199254740993', '9007199254740993'], [2]],
  ] as const) {
    const { status, body } = await request()
      .post('/aggregate')
      .send({ group_by: ['id'], having: [{ measure, operator, value }] });
    expect([measure, status, body.data?.map(({ id }: { id: number }) => id)]).toEqual([measure, 200, ids]);
  }
});

contract('On MariaDB keyset pages over exact numbers reach every record once', async (subject) => {
  await store(subject.em());
  for (const sort of names) {
    const by = async (direction: string): Promise<number[]> => {
      const ask = searching(subject, '/wides', { limit: 1, sort: [{ column: sort, direction }] });
      return idsOfPages(await pages(ask)).flat();
    };
    expect([sort, await by('asc')]).toEqual([sort, [1, 2, 3]]);
    expect([sort, await by('desc')]).toEqual([sort, [3, 2, 1]]);
  }
});
