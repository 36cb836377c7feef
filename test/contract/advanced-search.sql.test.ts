import { expect } from '@jest/globals';
import { ColumnType } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { stockWith, wares, type Sent } from './advanced-search.wares.js';

/** Text that extends nothing of the library's. */
class WordColumn extends ColumnType {
  readonly name = 'Word';
  readonly schema = { type: 'string' };

  complaint(value: unknown): string | undefined {
    return typeof value === 'string' ? undefined : 'value should be a word';
  }

  toWire(value: unknown): string {
    return JSON.stringify(value);
  }
}

class PlainWordColumn extends WordColumn {
  override readonly isText = true;
}

const withLabel = (url: string, type: ColumnType) => wares({ url, columnOverrides: { label: { type } } });

const { contract } = service(
  stockWith([wares(), withLabel('words', new WordColumn()), withLabel('plain-words', new PlainWordColumn())]),
  everyDatabase,
);

/** What the statement of a search demands of records, in the words of the database. */
const demanded = async (subject: Subject, sought: Sent, url = '/wares'): Promise<string> => {
  const statements = await Statements.of(subject);
  const sent = await statements.during(async () => {
    const { status } = await subject
      .request()
      .post(url)
      .send({ where: [sought] });
    expect(status).toBe(200);
  });
  const search = sent.find((statement) => statement.includes(' where ')) ?? '';
  const condition = / where (.*?) order by /s.exec(search)?.[1] ?? search;
  return condition.replaceAll(/["`]\w+["`]\./g, '').replaceAll(/["`]/g, '');
};

/** How databases write conditions: an operator, a value, and the SQL on PostgreSQL and on SQLite. */
type Row = readonly [operator: string, value: unknown, postgresql: string, sqlite?: string];

const expectEach = async (subject: Subject, column: string, rows: readonly Row[]): Promise<void> => {
  const isSqlite = subject.database === 'sqlite';
  const found: string[][] = [];
  for (const [operator, value] of rows)
    found.push([operator, await demanded(subject, { column, operator, value })]);
  const expected = rows.map(([operator, , postgresql, sqlite]) => [
    operator,
    isSqlite ? (sqlite ?? postgresql.replaceAll(/\$\d/g, '?')) : postgresql,
  ]);
  expect(found).toEqual(expected);
};

contract('Each operator is one condition in SQL', async (subject) => {
  await expectEach(subject, 'label', [
    ['=', 'a', 'label = $1'],
    ['!=', 'a', 'label <> $1'],
    ['<', 'a', 'label < $1'],
    ['<=', 'a', 'label <= $1'],
    ['>', 'a', 'label > $1'],
    ['>=', 'a', 'label >= $1'],
    ['<=>', 'a', 'label = $1'],
    ['<=>', null, 'label is null'],
    ['in', ['a', 'b'], 'label = any($1)', 'label in (select value from json_each(?))'],
    ['is', null, 'label is null'],
    ['is not', null, 'label is not null'],
    ['is null', undefined, 'label is null'],
    ['is not null', undefined, 'label is not null'],
    ['like', 'a%', String.raw`label like $1 escape '\'`],
  ]);
});

contract('A condition on an instant is one on the second around it', async (subject) => {
  const value = '2027-01-01T00:00:00Z';
  const among = 'exists (select 1 from json_each(?) where sold_at >= value and sold_at < value + 1000)';
  await expectEach(subject, 'sold_at', [
    ['=', value, 'sold_at >= $1 and sold_at < $2'],
    ['!=', value, '(sold_at < $1 or sold_at >= $2)'],
    ['<', value, 'sold_at < $1'],
    ['<=', value, 'sold_at < $1'],
    ['>', value, 'sold_at >= $1'],
    ['>=', value, 'sold_at >= $1'],
    ['<=>', value, 'sold_at >= $1 and sold_at < $2'],
    ['in', [value], "date_trunc('second', sold_at) = any($1)", among],
    ['is null', undefined, 'sold_at is null'],
  ]);
});

contract('A condition on a truth value is one in SQL', async (subject) => {
  await expectEach(subject, 'fragile', [
    ['=', true, 'fragile = $1'],
    ['is', true, 'fragile = $1'],
    ['is', null, 'fragile is null'],
    ['is not', true, '(fragile <> $1 or fragile is null)'],
    ['is not', null, 'fragile is not null'],
  ]);
});

contract('like makes text of what may be kept in another way', async (subject) => {
  await expectEach(subject, 'state', [
    ['=', 'new', 'state = $1'],
    [
      'like',
      'n%',
      String.raw`state::text like $1 escape '\'`,
      String.raw`iif(typeof(state) = 'integer', cast(state as text), state) like ? escape '\'`,
    ],
  ]);
});

contract("A user's own type says whether like finds text already", async (subject) => {
  const sought = { column: 'label', operator: 'like', value: 'a%' };
  expect(await demanded(subject, sought, '/plain-words')).toMatch(/^label like \S+ escape/);
  expect(await demanded(subject, sought, '/words')).toMatch(
    /^(?:label::text|iif\(.*, label\)) like \S+ escape/,
  );
});
