/** Each place where a request for many records could write more than it may, or half of it. See defects.mjs. */
const locator = 'libs/core/src/kinds/bulk/bulk.locator.ts';
const questions = 'libs/core/src/records/gathered.questions.ts';
const targets = 'libs/core/src/kinds/bulk/bulk.targets.ts';
const writes = 'libs/core/src/records/writes/bulk/bulk.unit.writes.ts';
const precondition = 'libs/core/src/kinds/write/write.precondition.ts';

export const defects = [
  {
    name: 'bulk: records that the endpoint is not for are written',
    file: locator,
    find: 'if (this.filter.isOpen && !isNarrowed && conditions.length === 0) return records;',
    replace: 'return records;',
    tests: ['contract/update-many'],
  },
  {
    name: 'bulk: conditions may meet any number of records',
    file: locator,
    find: 'if (found.hasMore) throw',
    replace: 'if (found.keys.length < 0) throw',
    tests: ['contract/update-many'],
  },
  {
    name: 'bulk: a unique value may stand twice in a body',
    file: questions,
    find: 'taken[position] === true || this.#claims.get(text) !== index',
    replace: 'taken[position] === true',
    tests: ['contract/create-many'],
  },
  {
    name: 'bulk: a record may be named twice',
    file: targets,
    find: 'if (before !== undefined) return',
    replace: 'if (before === text) return',
    tests: ['contract/update-many'],
  },
  {
    name: 'bulk: records that are not there are passed over',
    file: writes,
    find: 'if (missing.length > 0)',
    replace: 'if (missing.length < 0)',
    tests: ['contract/update-many', 'contract/delete-many'],
  },
  {
    name: 'bulk: a stale version is written over',
    file: precondition,
    find: 'if (stale !== undefined) throw',
    replace: 'if (stale === null) throw',
    tests: ['contract/update-many'],
  },
];
