import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Aggregate,
  BigIntegerColumn,
  BooleanColumn,
  Callable,
  DecimalColumn,
  FloatColumn,
  IntegerColumn,
  RestfulApi,
  SelectColumn,
  StringColumn,
  defineColumns,
} from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';

interface Attributes {
  color?: unknown;
  size?: unknown;
}

const Product = defineEntity({
  name: 'Product',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string(),
    attributes: p.json<Attributes>().nullable(),
    variants: () => p.oneToMany(Variant).mappedBy('product'),
  },
});

const Variant = defineEntity({
  name: 'Variant',
  properties: { id: p.integer().primary(), product: () => p.manyToOne(Product) },
});

defineColumns(Product, {
  'attributes.color': { type: new StringColumn() },
  'attributes.size.width': { type: new FloatColumn() },
  'attributes.stockCount': { type: new IntegerColumn(-100, 1_000_000) },
  'attributes.serial': { type: new BigIntegerColumn() },
  'attributes.price': { type: new DecimalColumn() },
  'attributes.isNew': { type: new BooleanColumn() },
  'attributes.grade': { type: new SelectColumn(['a', 'b']) },
});

const columns = [
  'attributes.color',
  'attributes.size.width',
  'attributes.stockCount',
  'attributes.serial',
  'attributes.price',
  'attributes.isNew',
] as never[];

const shown = {
  modelClass: Product,
  readableColumnNames: ['id', ...columns],
  sortableColumnNames: ['id', ...columns],
  searchableColumnNames: ['id', ...columns, 'attributes' as never],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Product, Variant],
    endpoints: [
      new RestfulApi({
        ...shown,
        url: 'products',
        searchableColumnNames: ['id', ...columns],
        writeableColumnNames: ['name', 'attributes'],
      }),
      new AdvancedSearch({ ...shown, url: 'search', pagination: 'keyset', clientSelectsColumns: true }),
      new Callable({
        url: 'given/:id',
        modelClass: Product,
        readableColumnNames: ['id', ...columns],
        toCall: ({ em, routingData }) => em.findOneOrFail(Product, { id: Number(routingData['id']) }),
      }),
      new AdvancedSearch({
        url: 'variants',
        modelClass: Variant,
        readableColumnNames: ['id', 'product.attributes.color'] as never,
        sortableColumnNames: ['product.attributes.size.width'] as never,
        searchableColumnNames: ['product.attributes.color'] as never,
        defaultSortColumnName: 'id',
      }),
      new Aggregate({
        url: 'numbers',
        modelClass: Product,
        groupableColumnNames: ['attributes.color'] as never,
        measurableColumnNames: { 'attributes.size.width': ['sum', 'max'] } as never,
        searchableColumnNames: ['attributes.isNew'] as never,
      }),
    ],
  },
  everyDatabase,
);

/** What rows have in place of the declared members: the third has none that fits, the fourth nothing at all. */
const stored: readonly (Record<string, unknown> | null)[] = [
  {
    color: 'red',
    size: { width: 2.5 },
    stockCount: 3,
    serial: 7,
    price: 9.5,
    isNew: true,
    extra: { deep: [1, { x: 2 }] },
  },
  { color: 'blue', size: { width: 10 }, stockCount: -4, serial: 12, price: 10, isNew: false },
  { color: 7, size: { width: '12' }, stockCount: 1.5, serial: 'x', price: '3', isNew: 'true' },
  null,
  { color: null, size: 4, stockCount: 1e9, serial: [], price: {}, isNew: 1 },
  { color: ['red'], size: [], stockCount: true, serial: null, price: null, isNew: null },
];

const store = async ({ em }: Subject): Promise<void> => {
  const manager = em();
  for (const [index, attributes] of stored.entries())
    manager.create(Product, { id: index + 1, name: `p${index + 1}`, attributes });
  await manager.flush();
  for (const id of [1, 2, 3]) manager.create(Variant, { id, product: manager.getReference(Product, id) });
  await manager.flush();
};

const none = {
  color: null,
  size: { width: null },
  stock_count: null,
  serial: null,
  price: null,
  is_new: null,
};

contract(
  'A member of a Json column is read, and is null where the row has a value of another sort',
  async (subject) => {
    await store(subject);
    const { body } = await subject.request().get('/products');
    expect(body.data).toEqual([
      {
        id: 1,
        attributes: {
          color: 'red',
          size: { width: 2.5 },
          stock_count: 3,
          serial: '7',
          price: '9.5',
          is_new: true,
        },
      },
      {
        id: 2,
        attributes: {
          color: 'blue',
          size: { width: 10 },
          stock_count: -4,
          serial: '12',
          price: '10',
          is_new: false,
        },
      },
      ...[3, 4, 5, 6].map((id) => ({ id, attributes: none })),
    ]);
    for (const id of [1, 2, 3, 4]) {
      const [plain, mapped] = [
        await subject.request().get(`/products/${id}`),
        await subject.request().get(`/given/${id}`),
      ];
      expect([mapped.status, mapped.body.data]).toEqual([200, plain.body.data]);
    }
  },
);

contract('Numbers that no column can hold are null, and no failure', async (subject) => {
  await subject.save(Product, { id: 1, name: 'x' });
  const text = '{"size":{"width":1e400},"stockCount":1e400,"serial":1e30,"price":1.5,"isNew":1e-400}';
  await subject.em().getConnection().execute(`update product set attributes = '${text}'`);
  const { body, status } = await subject.request().get('/products?sort=attributes.size.width');
  expect([status, body.data[0].attributes.stock_count, body.data[0].attributes.serial]).toEqual([
    200,
    null,
    null,
  ]);
});

contract('Records are found and sorted by members, a page at a time', async (subject) => {
  await store(subject);
  const found = async (where: object[], sort: object[] = []): Promise<unknown> => {
    const { body } = await subject.request().post('/search').send({ where, sort });
    return body.error === '' ? (body.data as { id: number }[]).map(({ id }) => id) : (body.error as unknown);
  };
  const width = 'attributes.size.width';
  expect(await found([{ column: 'attributes.color', operator: 'contains', value: 'E' }])).toEqual([1, 2]);
  expect(await found([{ column: width, operator: 'between', value: [2.5, 9] }])).toEqual([1]);
  expect(await found([{ column: width, operator: 'is null' }])).toEqual([3, 4, 5, 6]);
  expect(await found([{ not: { column: 'attributes.is_new', operator: '=', value: true } }])).toEqual([
    2, 3, 4, 5, 6,
  ]);
  expect(await found([{ column: 'attributes.serial', operator: '>', value: '7' }])).toEqual([2]);
  expect(await found([{ column: 'attributes.price', operator: '=', value: '9.50' }])).toEqual([1]);
  expect(await found([{ column: 'attributes.stock_count', operator: 'in', value: [3, -4] }])).toEqual([1, 2]);
  expect(await found([{ column: 'attributes', operator: 'is null' }])).toEqual([4]);
  expect(await found([{ column: 'attributes.extra', operator: 'is null' }])).toMatch(
    /^where 1: column must be one of: /,
  );
  const pages: number[] = [];
  let after: object = {};
  for (let page = 0; page < 4; page += 1) {
    const body = { sort: [{ column: width, direction: 'desc' }], limit: 2, ...after };
    const answer = await subject.request().post('/search').send(body);
    pages.push(...(answer.body.data as { id: number }[]).map(({ id }) => id));
    after = answer.body.pagination.next_page as object;
    if (Object.keys(after).length === 0) break;
  }
  expect(pages).toEqual([3, 4, 5, 6, 2, 1]);
  const simple = await subject.request().get('/products?attributes.color=red');
  expect(simple.body.data).toHaveLength(1);
});

contract('Members are reached over relations, selected by clients, grouped and measured', async (subject) => {
  await store(subject);
  const { request } = subject;
  const variants = await request()
    .post('/variants')
    .send({
      sort: [{ column: 'product.attributes.size.width', direction: 'desc' }],
      where: [{ not: { column: 'product.attributes.color', operator: '=', value: 'red' } }],
    });
  expect(variants.body.data).toEqual([
    { id: 3, product: { attributes: { color: null } } },
    { id: 2, product: { attributes: { color: 'blue' } } },
  ]);
  const selected = await request()
    .post('/search')
    .send({ fields: ['attributes.size.width'], limit: 1 });
  expect(selected.body.error === '' ? selected.body.data : selected.body.error).toEqual([
    { attributes: { size: { width: 2.5 } } },
  ]);
  const numbers = await request()
    .post('/numbers')
    .send({
      group_by: ['attributes.color'],
      measures: ['attributes.size.width.sum', 'attributes.size.width.max'],
    });
  expect(numbers.body.data).toHaveLength(3);
});

contract('Members are written with their Json column alone', async ({ request }) => {
  const refused = await request()
    .post('/products')
    .send({ name: 'x', attributes: {}, 'attributes.color': 'red' });
  expect(refused.status).toBe(400);
  const created = await request()
    .post('/products')
    .send({ name: 'x', attributes: { color: 'red', size: { width: 1 } } });
  expect([created.status, created.body.data?.attributes?.color]).toEqual([201, 'red']);
});

contract('Where the database can look into JSON, has finds what a Json column has in it', async (subject) => {
  await store(subject);
  const ask = async (value: unknown): Promise<unknown> => {
    const where = [{ column: 'attributes', operator: 'has', value }];
    const { body } = await subject.request().post('/search').send({ where });
    return body.error === '' ? (body.data as { id: number }[]).map(({ id }) => id) : (body.error as unknown);
  };
  if (subject.database === 'sqlite' || subject.database === 'mariadb') {
    expect(await ask({})).toBe('where 1: operator must be one of: is null, is not null');
    return;
  }
  expect(await ask({ color: 'red' })).toEqual([1]);
  expect(await ask({ extra: { deep: [{ x: 2 }] } })).toEqual([1]);
  expect(await ask({ size: {} })).toEqual([1, 2, 3]);
  expect(await ask({ color: null })).toEqual([5]);
  expect(await ask(null)).toEqual([]);
  expect(await ask("{'; drop table product")).toEqual([]);
  expect(await ask('x'.repeat(4095))).toBe('where 1: value should be at most 4096 bytes of JSON');
  expect(await ask({ a: '\u0000' })).toBe('where 1: value contains characters that cannot be stored');
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
  const body = `{"where":[{"column":"attributes","operator":"has","value":${deep}}]}`;
  const { status } = await subject.request().post('/search').type('json').send(body);
  expect(status).toBe(400);
});
