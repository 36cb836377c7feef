/** Each place where a search could fail for what a client types, leave something behind, or answer in another order. See defects.mjs. */
const comparison = 'libs/core/src/sql/comparison.ts';
const scope = 'libs/core/src/sql/scope.ts';
const fullText = 'libs/core/src/model/columns/searched/full-text.column.ts';
const point = 'libs/core/src/model/columns/searched/point.column.ts';
const vector = 'libs/core/src/model/columns/searched/vector.column.ts';

export const defects = [
  {
    name: 'a run of backslashes is looked at from each of them',
    file: 'libs/core/src/sql/comparison.ts',
    find: "  let backslashes = 0;\n  while (pattern.at(-1 - backslashes) === '\\\\') backslashes += 1;\n",
    replace: '  const backslashes = /\\\\*$/.exec(pattern)?.[0].length ?? 0;\n',
    tests: ['contract/advanced-search.patterns'],
  },
  {
    name: 'searched: a threshold is not sent with the statement',
    file: comparison,
    find: 'for (const setting of search.settings) writer.set(setting);',
    replace: '',
    tests: ['contract/searched.text', 'contract/searched.rules'],
  },
  {
    name: 'searched: settings stay on the connection',
    file: 'libs/core/src/database/transactions/session.text.ts',
    find: '$${2 * index + 2}, true)',
    replace: '$${2 * index + 2}, false)',
    tests: ['contract/searched.rules'],
  },
  {
    name: 'searched: statements with settings stand in no transaction',
    file: 'libs/core/src/database/database.ts',
    find: ' || statement.settings.length > 0;',
    replace: ';',
    tests: ['contract/searched.text'],
  },
  {
    name: 'searched: a query is read as the syntax of tsquery',
    file: fullText,
    find: '`websearch_to_tsquery(${language}, ${text})`',
    replace: '`to_tsquery(${language}, ${text})`',
    tests: ['contract/searched.text'],
  },
  {
    name: 'searched: a cursor of one rank is good for another',
    file: 'libs/core/src/query/keyset.paging.ts',
    find: '(value === undefined ? [] : [JSON.stringify(value)])',
    replace: '[]',
    tests: ['contract/searched.text'],
  },
  {
    name: 'searched: a distance is made of the column as it is stored',
    file: scope,
    find: 'if (path.ranked !== undefined)',
    replace: 'if (path.text === undefined)',
    tests: ['contract/searched.near'],
  },
  {
    name: 'searched: filters thin the page of an index',
    file: vector,
    find: "settings: [['hnsw.iterative_scan', 'strict_order']],",
    replace: 'settings: [],',
    tests: ['contract/searched.near'],
  },
  {
    name: 'searched: a vector of another length reaches the database',
    file: vector,
    find: 'value.length !== dimensions',
    replace: 'value.length === -1',
    tests: ['contract/searched.near'],
  },
  {
    name: 'searched: what the database lacks is told by requests',
    file: 'libs/core/src/records/search.needs.ts',
    find: "if (answers[index] !== 'true') throw",
    replace: "if (answers[index] === 'no') throw",
    tests: ['contract/searched.start-up'],
  },
  {
    name: 'searched: a cursor of SQLite is text without a type',
    file: 'libs/core/src/sql/dialects/sqlite.rules.ts',
    find: '  fromCursor: fromCursorOfSqlite,\n',
    replace: '',
    tests: ['contract/keyset.order', 'contract/sqlite'],
  },
  {
    name: 'searched: a cursor of SQLite has null for what has no end',
    file: 'libs/core/src/sql/dialects/sqlite.rules.ts',
    find: 'iif(abs(${expression}) < 9e999, ${expression}, cast(${expression} as text))',
    replace: '${expression}',
    tests: ['contract/sqlite'],
  },
  {
    name: 'searched: a page may end with the record that it began behind',
    file: 'libs/core/src/records/page.reader.ts',
    find: 'if (after !== undefined) expectProgress(from, last);',
    replace: '',
    tests: ['contract/sqlite'],
  },
  {
    name: 'searched: a database that does not look into JSON is asked to',
    file: 'libs/core/src/metadata/suggested.column.ts',
    find: "facts.databaseType === 'jsonb' && platform instanceof BasePostgreSqlPlatform",
    replace: "facts.databaseType === 'jsonb'",
    tests: ['contract/sqlite'],
  },
  {
    name: 'searched: a text with more words than a tsvector holds breaks every search',
    file: fullText,
    find: 'const searchedCharacters = 100_000;',
    replace: 'const searchedCharacters = 1_000_000;',
    tests: ['contract/searched.text'],
  },
  {
    name: 'searched: columns that are searched together do not share the room of a tsvector',
    file: fullText,
    find: 'Math.floor(searchedCharacters / namesOf(of).length)',
    replace: 'Math.floor(searchedCharacters / Math.min(namesOf(of).length, 1))',
    tests: ['contract/searched.rules'],
  },
  {
    name: 'searched: an index over whole texts is taken for one that is used',
    file: fullText,
    find: ', `, ${charactersOf(options)})`]',
    replace: ']',
    tests: ['contract/searched.rules'],
  },
  {
    name: 'searched: an index over places out of bounds is taken for one that is used',
    file: point,
    find: "['using gist', 'case', mark]",
    replace: "['using gist', mark]",
    tests: ['contract/searched.rules'],
  },
  {
    name: 'searched: a place out of bounds breaks every search for places',
    file: point,
    find: 'return placeOf(north, east, point(north, east));',
    replace: 'return point(north, east);',
    tests: ['contract/searched.places'],
  },
  {
    name: 'searched: a radius that the database does not know reaches it',
    file: point,
    find: 'const nearest = 0.001;',
    replace: 'const nearest = Number.MIN_VALUE;',
    tests: ['contract/searched.places'],
  },
];
