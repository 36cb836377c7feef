import { expect } from '@jest/globals';
import { AdvancedSearch, type AdvancedSearchOptions } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { everyDatabase, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const books = (options: Partial<AdvancedSearchOptions<Book>> = {}) =>
  new AdvancedSearch<Book>({
    url: 'books',
    modelClass: Book,
    readableColumnNames: ['title'],
    sortableColumnNames: ['title'],
    searchableColumnNames: ['title', 'isbn', 'contact', 'notes', 'author.name'],
    defaultSortColumnName: 'title',
    ...options,
  });

const application = () => libraryWith([books()]);

const { contract } = service(application(), everyDatabase);
const onPostgresql = service(application(), postgresqlOnly).contract;

const store = async ({ save }: Subject, ...titles: string[]) => {
  for (const title of titles) await save(Book, { title });
};

/** The titles that are like the pattern, in order. */
const like = async ({ request }: Subject, value: string, column = 'title'): Promise<string[]> => {
  const answer = await request()
    .post('/books')
    .send({ where: [{ column, operator: 'like', value }] });
  expect([answer.status, answer.body.error]).toEqual([200, '']);
  return answer.body.data.map(({ title }: { title: string }) => title);
};

contract('In like % stands for any text, also for none', async (subject) => {
  await store(subject, 'Emma', 'Gemma', 'Mansfield', 'a\nb');
  expect(await like(subject, 'Ge%')).toEqual(['Gemma']);
  expect(await like(subject, '%mma')).toEqual(['Emma', 'Gemma']);
  expect(await like(subject, 'Emma%')).toEqual(['Emma']);
  expect(await like(subject, '%s%l%')).toEqual(['Mansfield']);
  expect(await like(subject, 'a%b')).toEqual(['a\nb']);
  expect(await like(subject, '%')).toHaveLength(4);
  expect(await like(subject, '%%')).toHaveLength(4);
});

contract('In like _ stands for one character, however many bytes it has', async (subject) => {
  await store(subject, 'a', 'é', '😀', 'ab', '');
  expect((await like(subject, '_')).sort()).toEqual(['a', 'é', '😀'].sort());
  expect(await like(subject, '__')).toEqual(['ab']);
  expect(await like(subject, '_b')).toEqual(['ab']);
});

contract('like looks at the whole text', async (subject) => {
  await store(subject, 'Emma', 'Emma ', ' Emma');
  expect(await like(subject, 'Emma')).toEqual(['Emma']);
  expect(await like(subject, 'mm')).toEqual([]);
  expect(await like(subject, '')).toEqual([]);
});

onPostgresql('like tells upper from lower case', async (subject) => {
  await store(subject, 'EMMA', 'Emma', 'emma');
  expect(await like(subject, 'e%')).toEqual(['emma']);
  expect(await like(subject, 'É%')).toEqual([]);
});

contract('In like wildcards in a row are as good as one, however many', async (subject) => {
  await store(subject, 'Emma', 'E', 'a%b', '');
  const many = '%'.repeat(9990);
  expect(await like(subject, `${many}ma`)).toEqual(['Emma']);
  expect(await like(subject, `E${many}`)).toEqual(['E', 'Emma']);
  expect(await like(subject, `%_${many}%`)).toEqual(['E', 'Emma', 'a%b']);
  expect(await like(subject, '%_%_%_%_%')).toEqual(['Emma']);
  expect(await like(subject, '_%_')).toEqual(['Emma', 'a%b']);
  expect(await like(subject, '%%%\\%%%%')).toEqual(['a%b']);
  expect(await like(subject, 'a\\%%b')).toEqual(['a%b']);
});

/** Conditions with one pattern each, all of which match. */
const patterns = (wildcards: readonly number[]) =>
  wildcards.map((count) => ({ column: 'notes', operator: 'like', value: 'a%'.repeat(count) }));

contract('The patterns of a search have 200 wildcards together and no more', async (subject) => {
  await subject.save(Book, { title: 'long', notes: 'a'.repeat(300) });
  const { request } = subject;
  const ask = (wildcards: readonly number[]) =>
    request()
      .post('/books')
      .send({ where: patterns(wildcards) });
  for (const wildcards of [[200], [150, 50], Array.from({ length: 100 }, () => 2)])
    expect((await ask(wildcards)).body.data).toHaveLength(1);
  const refusal = clientError("'where' must not have more than 200 wildcards");
  for (const wildcards of [[201], [150, 51], [3, ...Array.from({ length: 99 }, () => 2)]])
    expectAnswer(await ask(wildcards), 400, refusal);
  // Those in a row are one, those without a meaning are none.
  const more = [
    ...patterns([199]),
    { column: 'notes', operator: 'like', value: `a${'%'.repeat(500)}` },
    { column: 'title', operator: '!=', value: '%x%' },
  ];
  expect((await request().post('/books').send({ where: more })).body.data).toHaveLength(1);
  const escaped = { column: 'title', operator: 'like', value: '\\%'.repeat(300) };
  expect(
    (
      await request()
        .post('/books')
        .send({ where: [escaped] })
    ).body.data,
  ).toEqual([]);
});

const few = service(
  libraryWith([books({ url: 'few', maximumWildcards: 2 }), books({ url: 'root' })], {
    root: { maximumWildcards: 1 },
  }),
  everyDatabase,
).contract;

few(
  'maximumWildcards of an endpoint or of forRoot sets how many wildcards a search takes',
  async (subject) => {
    await subject.save(Book, { title: 'aaaa', notes: 'aaaa' });
    for (const [url, most] of [
      ['few', 2],
      ['root', 1],
    ] as const) {
      const ask = (count: number) =>
        subject
          .request()
          .post(`/${url}`)
          .send({ where: patterns([count]) });
      expect((await ask(most)).body.data).toEqual([{ title: 'aaaa' }]);
      const refusal = clientError(`'where' must not have more than ${most} wildcards`);
      expectAnswer(await ask(most + 1), 400, refusal);
    }
  },
);

contract('In like a backslash takes the meaning from %, _ and itself', async (subject) => {
  await store(subject, '100%', '1000', 'a_b', 'axb', 'a\\b', 'a%b');
  expect(await like(subject, '100\\%')).toEqual(['100%']);
  expect(await like(subject, '100_')).toEqual(['100%', '1000']);
  expect(await like(subject, 'a\\_b')).toEqual(['a_b']);
  expect(await like(subject, 'a\\\\b')).toEqual(['a\\b']);
  expect(await like(subject, 'a\\%b')).toEqual(['a%b']);
  expect(await like(subject, '%\\%%')).toEqual(['100%', 'a%b']);
});

contract('In like a backslash before another character is left out', async (subject) => {
  await store(subject, 'abc', 'a\\bc');
  expect(await like(subject, 'a\\bc')).toEqual(['abc']);
});

contract('A lone backslash at the end of a pattern means itself', async (subject) => {
  await store(subject, '\\', 'a\\', 'a\\\\', 'a', '%');
  expect(await like(subject, '\\')).toEqual(['\\']);
  expect(await like(subject, 'a\\')).toEqual(['a\\']);
  expect(await like(subject, 'a\\\\')).toEqual(['a\\']);
  expect(await like(subject, 'a\\\\\\')).toEqual(['a\\\\']);
  expect(await like(subject, '%\\')).toEqual(['\\', 'a\\', 'a\\\\']);
});

contract('A pattern is never read as SQL or as a regular expression', async (subject) => {
  const titles = ["O'Neill", "' or '1'='1", '$1', '?', ':x', '[a-z]', '.*', '^a$', '(a|b)', '"; --'];
  await store(subject, ...titles, 'a');
  for (const title of titles) expect(await like(subject, title)).toEqual([title]);
  expect(await like(subject, "' escape 'x")).toEqual([]);
});

contract('A null record is like nothing', async (subject) => {
  await subject.save(Book, { title: 'Emma' });
  expect(await like(subject, '%', 'isbn')).toEqual([]);
  expect(await like(subject, '%', 'author.name')).toEqual([]);
});

contract(
  'A pattern need not be a value of the column: half an address, text longer than the column',
  async (subject) => {
    await subject.save(Book, { title: 'Emma', contact: 'jane@austen.uk', isbn: '1234567890123' });
    expect(await like(subject, '%@austen%', 'contact')).toEqual(['Emma']);
    expect(await like(subject, '%%%%%%%%%%%%%%%%%%%%3', 'isbn')).toEqual(['Emma']);
    expect(await like(subject, 'x'.repeat(10_000), 'isbn')).toEqual([]);
  },
);

contract('A pattern is text that can be stored', async ({ request }) => {
  const send = (value: string) =>
    request()
      .post('/books')
      .type('json')
      .send(`{"where":[{"column":"title","operator":"like","value":${value}}]}`);
  for (const value of ['"%\\u0000%"', '"\\ud800%"', '"%\\udc00"']) {
    const answer = await send(value);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'where 1: value contains characters that cannot be stored',
    ]);
  }
  for (const value of ['1', 'null', '["%"]', '{}', 'true'])
    expect((await send(value)).body.error).toBe('where 1: value should be a string');
});
