import { expect } from '@jest/globals';
import { Public, RestfulApi } from '@nest-endpoints/core';
import { fill, of, partedEndpoints, partedShop, Task } from '../contract/parted.shop.js';
import { startApplication, type Application } from '../support/application.js';
import { citusUrl } from '../support/citus.js';
import { connectionOf } from '../support/catalogue.js';
import { once, service, type Subject } from '../support/contract.js';

const shop = {
  ...partedShop,
  root: { ...partedShop.root, authentication: new Public() },
  endpoints: [
    ...partedEndpoints,
    new RestfulApi({
      modelClass: Task,
      url: 'alone',
      readableColumnNames: ['id', 'name', 'rank'],
      writeableColumnNames: ['name'],
      searchableColumnNames: ['id', 'rank'],
      sortableColumnNames: ['id', 'rank'],
      defaultSortColumnName: 'rank',
    }),
  ],
};

const { contract } = service(shop, once);

const rounds = 5;
const seconds = 2;
/** What is asked for, and the least part of one PostgreSQL. Citus plans a join anew for each statement: that is told alone. */
const asked = [
  { name: 'a Get', path: '/alone/1', least: 0.6 },
  { name: 'a List', path: '/alone?limit=20', least: 0.6 },
  { name: 'a Get with a parent', path: '/flat/1', least: 0 },
  { name: 'a List with parents', path: '/flat?limit=20', least: 0 },
];

/** Answers a second, asked for by some clients that wait for each. */
const perSecond = async ({ url }: Pick<Application, 'url'>, path: string): Promise<number> => {
  const end = performance.now() + seconds * 1000;
  let answers = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const answer = await fetch(url + path, { headers: of('a') });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return answers / seconds;
};

/** The same application on a database of the coordinator that has no extension. */
const withPlain = async (
  work: (plain: Subject) => Promise<void>,
  { orm, ...subject }: Subject,
): Promise<void> => {
  const name = `plain_${process.pid}`;
  const connection = connectionOf(orm);
  await connection.execute(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  try {
    const clientUrl = Object.assign(new URL(String(citusUrl)), { pathname: name }).href;
    const application = await startApplication('express', 'postgresql', {
      ...shop,
      tables: (made) => made.schema.create(),
      orm: { clientUrl },
    });
    try {
      await work({ ...subject, ...application });
    } finally {
      await application.close();
    }
  } finally {
    await connection.execute(`drop database ${name} with (force)`);
  }
};

const median = (all: readonly number[]): number =>
  all.toSorted((one, other) => one - other)[all.length >> 1] ?? 0;

contract(
  'Get and List through a coordinator are at least 0.6 of those of one PostgreSQL',
  async (subject) => {
    await withPlain(async (plain) => {
      for (const one of [subject, plain]) {
        await fill(one);
        await connectionOf(one.orm).execute(
          `insert into task (tenant, id, name, rank) select 't' || n % 40, n, 'n ' || n, n % 9 from generate_series(10, 20000) n`,
        );
        await connectionOf(one.orm).execute('analyze task');
      }
      expect(await plain.em().count(Task, { tenant: 'a' })).toBe(3);
      const missed: string[] = [];
      for (const { name, path, least } of asked) {
        for (const one of [subject, plain]) await perSecond(one, path);
        const ratios: number[] = [];
        const rates: string[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const [through, one] = [await perSecond(subject, path), await perSecond(plain, path)];
          ratios.push(through / one);
          rates.push(`${through.toFixed(0)}/${one.toFixed(0)}`);
        }
        console.log(
          `${name}: ${median(ratios).toFixed(2)} of one PostgreSQL; answers a second: ${rates.join(', ')}`,
        );
        if (median(ratios) < least) missed.push(name);
      }
      expect(missed).toEqual([]);
    }, subject);
  },
);
