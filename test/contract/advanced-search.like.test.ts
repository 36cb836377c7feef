import { expect } from '@jest/globals';
import { AdvancedSearch } from '@nest-endpoints/core';
import { everyDatabase, postgresqlOnly, service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const application = () =>
  libraryWith([
    new AdvancedSearch({
      url: 'books',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title'],
      searchableColumnNames: ['title', 'isbn', 'contact', 'notes', 'author.name'],
      defaultSortColumnName: 'title',
    }),
  ]);

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
