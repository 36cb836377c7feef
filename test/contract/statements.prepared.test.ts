import { expect } from '@jest/globals';
import { AdvancedSearch } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

/** Fifty statements of each are more than a connection keeps. */
const endpoints = 22;

const searchable = ['id', 'title', 'pages', 'isbn', 'notes', 'contact'] as const;

const { contract } = service(
  libraryWith(
    [
      books({ readableColumnNames: ['id', 'title'], searchableColumnNames: [...searchable] }),
      // A hook takes an endpoint MikroORM's way, on which Unique and BelongsTo are asked for.
      books({ url: 'hooked', readableColumnNames: ['title'], beforeSave: () => undefined }),
      ...Array.from(
        { length: endpoints },
        (_, index) =>
          new AdvancedSearch({
            url: `search/${index}`,
            modelClass: Book,
            readableColumnNames: ['id'],
            sortableColumnNames: ['id'],
            searchableColumnNames: [...searchable],
            defaultSortColumnName: 'id',
          }),
      ),
    ],
    { orm: { pool: { min: 1, max: 1 } }, route: 'direct' },
  ),
  once,
);

/** How many statements are prepared on the one connection that there is. */
const prepared = async ({ em }: Subject, like = '%'): Promise<number> => {
  const sql = `select count(*)::int as n from pg_prepared_statements where name like 'e%' and statement like '${like}'`;
  const [row] = await em().getConnection().execute<[{ n: number }]>(sql);
  return row.n;
};

const orders = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item) => orders(items.filter((one) => one !== item)).map((rest) => [item, ...rest]));

contract('The order in which a client sends its search terms makes no other statement', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma', pages: 7, isbn: '1' });
  const terms = [`id=${id}`, 'title=Emma', 'pages=7', 'isbn=1'];
  await subject.request().get(`/books?${terms.join('&')}`);
  const before = await prepared(subject);
  for (const order of orders(terms)) {
    const { body } = await subject.request().get(`/books?${order.join('&')}`);
    expect([order, body.data]).toEqual([order, [{ id, title: 'Emma' }]]);
  }
  expect(before).toBeGreaterThan(0);
  expect(await prepared(subject)).toBe(before);
});

contract('Whether a value is taken is one prepared statement, however often it is asked', async (subject) => {
  const { request, save } = subject;
  const { id: authorId } = await save(Author, { name: 'Jane' });
  const post = async (isbn: string) =>
    (await request().post('/hooked').send({ title: 'Emma', isbn, author_id: authorId })).status;
  expect(await post('0')).toBe(201);
  const before = await prepared(subject, '%isbn%=%');
  for (let isbn = 1; isbn < 20; isbn += 1) expect([isbn, await post(String(isbn))]).toEqual([isbn, 201]);
  expect(await post('7')).toBe(400);
  expect(before).toBeGreaterThan(0);
  expect(await prepared(subject, '%isbn%=%')).toBe(before);
});

/** Searches of different shapes, each beside a key, so that one plan is good for all values. */
const shapes = (id: string, count: number, more = 0): object[] =>
  Array.from({ length: count }, (_, index) => ({
    where: [
      { column: 'id', operator: '=', value: id },
      ...Array.from({ length: more }, () => ({ column: 'title', operator: '!=', value: 'Persuasion' })),
      ...Array.from({ length: index }, () => ({ column: 'pages', operator: '>', value: 0 })),
    ],
  }));

contract(
  'Fifty shapes of searches are prepared for an endpoint, and others once they come again',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma', pages: 7 });
    const ask = async (search: object) => (await subject.request().post('/search/0').send(search)).body.data;
    const all = shapes(id, 80);
    for (const search of all) expect(await ask(search)).toEqual([{ id }]);
    const beside = await prepared(subject, '%"pages" >%');
    expect(beside).toBe(49);
    for (const search of all.slice(60, 63)) expect(await ask(search)).toEqual([{ id }]);
    expect(await prepared(subject, '%"pages" >%')).toBe(52);
  },
);

contract(
  'A thousand statements stay prepared on a connection, and the latest are among them whatever came before',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma', pages: 7 });
    const ask = (index: number, search: object) => subject.request().post(`/search/${index}`).send(search);
    for (let index = 0; index < endpoints; index += 1)
      for (const search of shapes(id, 50, index + 1)) expect((await ask(index, search)).status).toBe(200);
    expect(await prepared(subject)).toBe(1000);
    const before = await prepared(subject, '%"title" =%');
    const read = () => subject.request().get(`/books?id=${id}&title=Emma`);
    expect([(await read()).status, (await read()).status]).toEqual([200, 200]);
    expect([await prepared(subject), await prepared(subject, '%"title" =%')]).toEqual([1000, before + 1]);
  },
);

contract(
  'A search whose values may be rare or common is prepared once it comes again, and PostgreSQL plans each with its values',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma', pages: 7 });
    const plans = async () => {
      const sql = `select custom_plans::int as known, generic_plans::int as unknown from pg_prepared_statements
        where statement like '%"title" like%'`;
      return subject.em().getConnection().execute<readonly { known: number; unknown: number }[]>(sql);
    };
    const search = (value: string) => ({ where: [{ column: 'title', operator: 'like', value }] });
    const seen: number[] = [];
    for (let time = 0; time < 30; time += 1) {
      const { body } = await subject
        .request()
        .post('/search/0')
        .send(search(time % 2 === 0 ? 'Em%' : 'Pers%'));
      expect([time, body.data]).toEqual([time, time % 2 === 0 ? [{ id }] : []]);
      const [plan, ...others] = await plans();
      expect([others, plan?.unknown ?? 0]).toEqual([[], 0]);
      seen.push(plan?.known ?? 0);
    }
    // Not the first time; then five plans each, and the count begins anew.
    expect(seen).toEqual(Array.from({ length: 30 }, (_, time) => (time === 0 ? 0 : ((time - 1) % 5) + 1)));
  },
);

contract('Fifty searches stay prepared on a connection, whatever clients look for', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma', pages: 7 });
  const search = (index: number) => ({
    where: [
      { column: 'title', operator: 'like', value: 'Em%' },
      ...Array.from({ length: index }, () => ({ column: 'pages', operator: '<', value: 9 })),
    ],
  });
  for (let time = 0; time < 3; time += 1)
    for (let index = 1; index <= 70; index += 1) {
      const { body } = await subject.request().post('/search/1').send(search(index));
      expect([index, body.data]).toEqual([index, [{ id }]]);
    }
  expect(await prepared(subject, '%"pages" <%')).toBe(50);
});

/** A query of `pg`, as far as it is looked at. */
interface Query {
  readonly answers?: readonly unknown[];
}

/** A connection of `pg` that is lent. */
interface Lent {
  query(...parameters: readonly [Query, ...unknown[]]): unknown;
}

/** The pool of `pg`, which tells whom it lends a connection to. */
interface Lender {
  on(event: 'acquire', listener: (client: Lent) => void): void;
}

contract('A query that is over has nothing left of its rows, whoever keeps it', async (subject) => {
  const { request, save, em } = subject;
  const { id } = await save(Book, { title: 'Emma' });
  const connection = em().getConnection() as unknown as { getNativeClient(): Promise<Lender> };
  const pool = await connection.getNativeClient();
  const queries: Query[] = [];
  const heard = new WeakSet<Lent>();
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    const send = client.query.bind(client);
    client.query = (query, ...others) => {
      if (query.answers !== undefined) queries.push(query);
      return send(query, ...others);
    };
  });
  for (const path of [`/books/${id}`, '/books', '/books?title=Emma'])
    expect([path, (await request().get(path)).status]).toEqual([path, 200]);
  expect((await request().patch(`/hooked/${id}`).send({ title: 'Sanditon' })).status).toBe(200);
  expect(queries.length).toBeGreaterThan(3);
  expect(queries.map(({ answers }) => answers)).toEqual(queries.map(() => []));
});
