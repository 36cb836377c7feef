/** How records are written, and what keeps them from being written twice. See defects.mjs. */
export const defects = [
  {
    name: 'who changed a record is a change by itself',
    file: 'libs/core/src/records/writes/following.columns.ts',
    find: 'new Map([...values].filter(([column]) => !isFollowing(column)))',
    replace: 'values',
    tests: ['contract/columns.updated-by'],
  },
  {
    name: 'an Update never says who changed the record',
    file: 'libs/core/src/request/input.rules.ts',
    find: '.filter((one) => !partial || isSetAgain(one))',
    replace: '.filter(() => !partial)',
    tests: ['contract/columns.updated-by'],
  },
  {
    name: 'a key counts for the text of a path, not for its values',
    file: 'libs/core/src/kinds/write/canonical.path.ts',
    find: 'if (this.columns.size === 0) return path;',
    replace: 'if (this.columns.size >= 0) return path;',
    tests: ['contract/nested.idempotency'],
  },
];
