import { expect, jest } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Get, SimpleSearch } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { verbOf } from '../support/statements.js';
import { usedHeap } from './used.heap.js';

jest.setTimeout(240_000);

const columns = Array.from({ length: 40 }, (_, index) => `c${index}` as const);

const Owner = defineEntity({
  name: 'Owner',
  properties: { id: p.integer().primary(), name: p.string() },
});
const Wide = defineEntity({
  name: 'Wide',
  properties: {
    id: p.integer().primary(),
    ...Object.fromEntries(columns.map((name) => [name, p.integer().default(0)])),
    owner: () => p.manyToOne(Owner),
  },
});

const shown = {
  modelClass: Wide,
  readableColumnNames: ['id', ...columns] as never,
  clientSelectsColumns: true,
  includableColumnNames: ['owner.name'],
} as const;

const { contract } = service(
  {
    entities: [Owner, Wide],
    endpoints: [
      new Get({ ...shown, url: 'wide/:id' }),
      new SimpleSearch({
        ...shown,
        url: 'wide',
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
    ],
    orm: { pool: { min: 1, max: 1 } },
    route: 'direct',
  },
  once,
);

interface Prepared {
  readonly statement: string;
}

/** The statements that are prepared on the one connection that there is. */
const prepared = async ({ em }: Subject): Promise<readonly string[]> => {
  const sql = `select statement from pg_prepared_statements where name like 'e%' and statement like '%"wide"%'`;
  const rows: readonly Prepared[] = await em().getConnection().execute<readonly Prepared[]>(sql);
  return rows.map(({ statement }) => statement).filter((one) => verbOf(one) === 'select');
};

/** A set of columns for each number, never the same for two. */
const fieldsOf = (number: number): string =>
  columns.filter((_, index) => Math.floor((number + 3) / 2 ** index) % 2 === 1).join(',');

const save = async (subject: Subject): Promise<void> => {
  const owner = await subject.save(Owner, { id: 1, name: 'o' });
  await subject.save(Wide, { id: 1, owner });
};

contract('Requests that name the same columns in another order share one statement', async (subject) => {
  await save(subject);
  const orders = ['c1,c2,owner.name', 'owner.name,c2,c1', 'c2,owner,c1', 'c2,c1&include=owner.name'];
  for (let round = 0; round < 3; round += 1)
    for (const fields of orders) {
      const { body } = await subject.request().get(`/wide/1?fields=${fields}`);
      expect(JSON.stringify(body.data)).toBe('{"c1":0,"c2":0,"owner":{"name":"o"}}');
    }
  const [one, ...others] = await prepared(subject);
  expect(others).toEqual([]);
  expect(one).toMatch(/"c1" as c0/);
});

contract(
  'The usual selection and single includes are prepared at once, others when they come again',
  async (subject) => {
    await save(subject);
    const before = (await prepared(subject)).length;
    const newly = async (query: string): Promise<number> => {
      const known = (await prepared(subject)).length;
      expect((await subject.request().get(`/wide/1${query}`)).status).toBe(200);
      return (await prepared(subject)).length - known;
    };
    expect([await newly(''), await newly('?include=owner')]).toEqual([1, 1]);
    expect([await newly('?fields=c7'), await newly('?fields=c7'), await newly('?fields=c7')]).toEqual([
      0, 1, 0,
    ]);
    // Thirty-two others come between, so that it is forgotten.
    for (let number = 0; number < 32; number += 1) expect(await newly(`?fields=${fieldsOf(number)}`)).toBe(0);
    expect([await newly('?fields=c7,c9'), await newly('?fields=c7')]).toEqual([0, 0]);
    expect((await prepared(subject)).length - before).toBe(3);
  },
);

/** `SELECTIONS=20000` takes a minute. */
const selections = Number(process.env['SELECTIONS'] ?? 1500);

contract(
  'However many selections are asked for, memory and prepared statements stay as they are',
  async (subject) => {
    await save(subject);
    const ask = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number += 20)
        await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const path = index % 2 === 0 ? '/wide/1' : '/wide';
            const answer = await fetch(`${subject.url}${path}?fields=${fieldsOf(number + index)}`);
            expect(answer.status).toBe(200);
            await answer.arrayBuffer();
          }),
        );
    };
    await ask(1000, 2000);
    const known = (await prepared(subject)).length;
    const heap = usedHeap();
    await ask(2000, 2000 + selections);
    expect((await prepared(subject)).length).toBe(known);
    expect(usedHeap() - heap).toBeLessThan(4 * 2 ** 20);
  },
);
