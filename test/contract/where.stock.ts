import { List, type EndpointOrGroup } from '@nest-endpoints/core';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { Depot, Mark, Part, Region, stock, Ware } from '../support/entities/stock.js';

type WareList = ConstructorParameters<typeof List<Ware>>[0];

/** A list of wares that shows their ids; a test adds what it is about. */
export const wares = (url: string, options: Partial<WareList> = {}) =>
  new List<Ware>({
    url,
    modelClass: Ware,
    readableColumnNames: ['id'],
    sortableColumnNames: ['id', 'size', 'label'],
    defaultSortColumnName: 'id',
    ...options,
  });

/** An application that serves the stock: camelCase inside, snake_case outside. */
export const stockWith = (
  endpoints: readonly EndpointOrGroup[],
  options: Partial<ApplicationOptions> = {},
): ApplicationOptions => ({
  entities: stock,
  endpoints: [...endpoints],
  ...options,
});

export const injected = `d'or"; drop table ware; --`;

/** Five wares: 1 and 3 in Kiel, 2 in Graz, 5 in a depot without a region, 4 with nothing at all. */
export const stockUp = async ({ save }: Subject): Promise<void> => {
  const [north, south] = [
    await save(Region, { id: 1, title: 'north' }),
    await save(Region, { id: 2, title: 'south' }),
  ];
  const kiel = await save(Depot, { id: 1, name: 'Kiel', rank: 1, region: north });
  const graz = await save(Depot, { id: 2, name: 'Graz', rank: 2, region: south });
  const oslo = await save(Depot, { id: 3, name: 'Oslo' });
  const [red, blue] = [await save(Mark, { id: 1, word: 'red' }), await save(Mark, { id: 2, word: 'blue' })];
  const anvil = await save(Ware, {
    id: 1,
    label: 'anvil',
    size: 10,
    weight: 1.5,
    price: '9.90',
    serial: '9007199254740993',
    fragile: false,
    madeOn: '2020-01-31',
    soldAt: new Date('2024-05-05T10:00:00.250Z'),
    checkedAt: 100,
    code: 'aaaaaaaa-0000-4000-8000-000000000000',
    state: 'new',
    depot: kiel,
    tags: [red, blue],
  });
  const bowl = await save(Ware, {
    id: 2,
    label: 'bowl, deep',
    size: 20,
    weight: 2.5,
    price: '10.00',
    fragile: true,
    madeOn: '2021-02-28',
    state: 'used',
    depot: graz,
    tags: [red],
  });
  await save(Ware, { id: 3, label: 'a%b', size: 20, fragile: true, depot: kiel });
  await save(Ware, { id: 4 });
  await save(Ware, { id: 5, label: injected, size: 30, depot: oslo });
  await save(Part, { id: 1, ware: anvil, name: 'bolt', count: 2 });
  await save(Part, { id: 2, ware: anvil, name: 'nut', count: 5 });
  await save(Part, { id: 3, ware: bowl, name: 'nut', count: 1 });
  await save(Part, { id: 4, ware: bowl });
};

/** The ids of a list's answer, in order. */
export const idsOf = (answer: { readonly body: { readonly data: readonly { id: unknown }[] } }): string =>
  answer.body.data.map(({ id }) => String(id)).join(' ');

/** Lists with one `where` each, and what each of them shows: `['size = 10', '1']`. */
export const tried = (
  tables: Readonly<Record<string, readonly (readonly [string, string])[]>>,
): {
  endpoints: EndpointOrGroup[];
  shown(table: string, subject: Subject): Promise<readonly (readonly [string, string])[]>;
} => {
  const texts = [...new Set(Object.values(tables).flatMap((table) => table.map(([text]) => text)))];
  return {
    endpoints: texts.map((text, index) => wares(`tried-${index}`, { where: [text] })),
    shown: (table, { request }) =>
      Promise.all(
        (tables[table] ?? []).map(async ([text]) => {
          const answer = await request().get(`/tried-${texts.indexOf(text)}`);
          const shown = answer.status === 200 ? idsOf(answer) : String(answer.status);
          const total: unknown = answer.body.pagination?.number_results;
          const isCounted = answer.status !== 200 || total === answer.body.data.length;
          return [text, isCounted ? shown : `${shown}, of ${String(total)}`] as const;
        }),
      ),
  };
};
