/** Each place where numbers about groups could tell of records that a request may not see. See defects.mjs. */
const reader = 'libs/core/src/records/groups/group.reader.ts';
const statement = 'libs/core/src/sql/groups/group.statement.ts';

export const defects = [
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
