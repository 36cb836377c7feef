/** Each place where numbers about groups could tell of records that a request may not see. See defects.mjs. */
const reader = 'libs/core/src/records/groups/group.reader.ts';
const calculation = 'libs/core/src/sql/groups/group.calculation.ts';
const statement = 'libs/core/src/sql/groups/group.statement.ts';

export const defects = [
  {
    name: 'groups: what answers cannot tell is in several groups',
    file: calculation,
    find: 'return calculationsOf(writer.dialect)?.told(value, path.column) ?? value;',
    replace: 'return value;',
    tests: ['contract/columns.beyond'],
  },
  {
    name: 'groups: the least of any type is asked for',
    file: calculation,
    find: 'hasExtremes(path.column) ? value',
    replace: 'dialect.hasCatalogue ? value',
    tests: ['contract/columns.foreign'],
  },
  {
    name: 'groups: a facet of an address is compared as it is stored',
    file: statement,
    find: "textOf(writer.dialect, grouping.path.column, 'g0')",
    replace: "'g0'",
    tests: ['contract/columns.foreign'],
  },
  {
    name: 'groups: conditions of where and of having have a limit each',
    file: 'libs/core/src/request/groups/aggregate.parameters.ts',
    find: 'const others = leavesOf(conditions);',
    replace: 'const others = leavesOf(conditions.slice(0, 0));',
    tests: ['contract/aggregate.refusals'],
  },
  {
    name: 'groups: having has wildcards without end',
    file: 'libs/core/src/request/groups/aggregate.parameters.ts',
    find: 'if (wildcardsIn(having) > most)',
    replace: 'if (wildcardsIn([]) > most)',
    tests: ['contract/aggregate.refusals'],
  },
  {
    name: 'groups: nothing restricts the records that are grouped',
    file: reader,
    find: 'session.restrictionsOf(entitiesOf(this.#own, uses))',
    replace: 'session.restrictionsOf(new Set())',
    tests: ['contract/authorization.property'],
  },
  {
    name: 'groups: parents that are grouped by are those of anybody',
    file: reader,
    find: 'session.restrictionsOf(entitiesOf(this.#own, uses))',
    replace: 'session.restrictionsOf(this.#own)',
    tests: ['contract/authorization.property'],
  },
  {
    name: 'groups: a condition on a measure lets small groups be seen',
    file: statement,
    find: 'if (minimum > 1)',
    replace: 'if (minimum > 1 && shape.having.length === 0)',
    tests: ['contract/aggregate.pages'],
  },
  {
    name: 'groups: having says of all records whether they are more than so many',
    file: 'libs/core/src/request/groups/aggregate.parameters.ts',
    find: 'if (value.length > 0 && groupings.length === 0)',
    replace: 'if (value.length < 0)',
    tests: ['contract/aggregate.refusals'],
  },
  {
    name: 'groups: facets are read at several moments',
    file: 'libs/core/src/database/transactions/transactions.ts',
    find: "begins.isOneMoment === true ? 'repeatable read' : this.isolation",
    replace: 'this.isolation',
    tests: ['contract/facets'],
  },
  {
    name: 'groups: a span that a time zone moves out of the years 1 to 9999 is a null of its own',
    file: calculation,
    find: '`case when ${isTold(span)} then ${span()} end`',
    replace: 'span()',
    tests: ['contract/aggregate.postgresql'],
  },
  {
    name: 'groups: SQLite has spans of times that answers cannot tell',
    file: calculation,
    find: 'return `case when ${isTold} then ${sqliteSpan(value, isOfDays, bucket)} end`;',
    replace: 'return sqliteSpan(value, isOfDays, bucket);',
    tests: ['contract/aggregate'],
  },
  {
    name: 'groups: SQLite groups by days that are none',
    file: calculation,
    find: "typeof(${value}) <> 'text' or date(${value}) >= '0001-01-01'",
    replace: 'true',
    tests: ['contract/aggregate'],
  },
  {
    name: 'groups: MariaDB groups by days that are none',
    file: calculation,
    find: 'case when to_days(${value}) >= 366 then ${told} end',
    replace: '${told}',
    tests: ['contract/aggregate'],
    database: 'mariadb',
  },
  {
    name: 'groups: a facet is counted without a condition that a request must have',
    file: 'libs/core/src/request/groups/facet.parameters.ts',
    find: 'ignoresOwnTerm && !required.some((one) => one.path.text === path.text);',
    replace: 'ignoresOwnTerm && (required.length >= 0 || path.text === "");',
    tests: ['contract/facets'],
  },
];
