/** Each place where numbers about groups could tell of records that a request may not see. See defects.mjs. */
const reader = 'libs/core/src/records/groups/group.reader.ts';
const statement = 'libs/core/src/sql/groups/group.statement.ts';

export const defects = [
  {
    name: 'groups: what answers cannot tell is in several groups',
    file: 'libs/core/src/sql/groups/group.calculation.ts',
    find: 'return calculationsOf(writer.dialect)?.told?.(value, path.column) ?? value;',
    replace: 'return value;',
    tests: ['contract/columns.beyond'],
  },
  {
    name: 'groups: the least of any type is asked for',
    file: 'libs/core/src/sql/groups/group.calculation.ts',
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
    find: "isOneMoment === true ? beginning.setIsolationLevel('repeatable read') : beginning",
    replace: 'beginning',
    tests: ['contract/facets'],
  },
];
