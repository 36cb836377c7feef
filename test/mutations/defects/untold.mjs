/** Values that a database holds and a type has no word for, and values that have not changed. See defects.mjs. */
const beyond = ['contract/columns.beyond'];
const columns = 'libs/core/src/model/columns';

export const defects = [
  {
    name: 'a day of the year 10000 is answered without its last digits',
    file: `${columns}/date.column.ts`,
    find: 'const instant = instantOf(value);',
    replace: 'const instant = instantOf(String(value).slice(0, 10) + " 00:00:00");',
    tests: beyond,
  },
  {
    name: 'an infinite time is answered as its text',
    file: `${columns}/datetime.column.ts`,
    find: "if (instant === undefined) return 'null';",
    replace: 'if (instant === undefined) return JSON.stringify(String(value));',
    tests: beyond,
  },
  {
    name: 'a decimal that is no number is answered as its text',
    file: `${columns}/decimal.column.ts`,
    find: "return text === undefined ? 'null' :",
    replace: 'return text === undefined ? JSON.stringify(String(value)) :',
    tests: beyond,
  },
  {
    name: 'an array of several dimensions is answered as one of its items',
    file: `${columns}/list.column.ts`,
    find: "item === null || Array.isArray(item) ? 'null'",
    replace: "item === null ? 'null'",
    tests: beyond,
  },
  {
    name: 'the Date of an infinite time is bound with other changes of its record',
    file: 'libs/core/src/database/em/told.changes.ts',
    find: 'return last !== null && last !== undefined && Number.isNaN(new Date(last as string | number).getTime());',
    replace: 'return false;',
    tests: beyond,
  },
  {
    name: 'NaN is a change of NaN',
    file: 'libs/core/src/database/em/told.changes.ts',
    find: 'if (Object.is(value, last)) return true;',
    replace: '',
    tests: beyond,
  },
  {
    name: 'days that are told of no timestamp have a month',
    file: 'libs/core/src/sql/groups/group.calculation.ts',
    find: "`case when ${time.value} >= '0001-01-01' and ${time.value} < '10000-01-01' then ${toldSpan(time, bucket)} end`",
    replace: 'toldSpan(time, bucket)',
    tests: beyond,
  },
  {
    name: 'decimals of many digits are compared as numbers of 15',
    file: 'libs/core/src/database/em/exact.decimals.ts',
    find: 'customType.compareValues = (one, other) => textOf(one) === textOf(other);',
    replace: 'customType.compareValues = (one, other) => Number(textOf(one)) === Number(textOf(other));',
    tests: ['contract/update.stored'],
  },
  {
    name: 'a number of single precision is a change of itself',
    file: 'libs/core/src/records/writes/written.alike.ts',
    find: 'if (isInstant || isNumber) return',
    replace: 'if (isInstant) return',
    tests: ['contract/update.same'],
  },
  {
    name: 'JSON in the order of the database is a change',
    file: 'libs/core/src/records/writes/written.alike.ts',
    find: "if (dialect.hasCatalogue && comparedAs(property)[0] === 'jsonb')",
    replace: 'if (false)',
    tests: ['contract/update.same'],
  },
  {
    name: 'an instant is rounded by the database, which may be to the next second',
    file: `${columns}/datetime.column.ts`,
    find: 'return secondDigits < 3 ? this.with({ step: 10 ** (3 - secondDigits) }) : this;',
    replace: 'return this;',
    tests: ['contract/update.same'],
  },
  {
    name: 'MariaDB: a decimal that is rounded is another one each time',
    file: 'libs/core/src/records/writes/statement.parts.ts',
    find: 'type.toKept(value)',
    replace: 'value',
    tests: ['contract/update.same'],
    database: 'mariadb',
  },
  {
    name: 'MariaDB: decimals without digits have all of them',
    file: 'libs/core/src/metadata/declared.type.ts',
    find: "[/^(?:numeric|decimal)\\b(?! ?\\()/, '(10,0)'],",
    replace: '',
    tests: ['contract/update.same'],
    database: 'mariadb',
  },
];
