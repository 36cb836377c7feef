/** Each place where a request for many records could write more than it may, or half of it. See defects.mjs. */
const locator = 'libs/core/src/kinds/bulk/bulk.locator.ts';
const questions = 'libs/core/src/records/gathered.questions.ts';
const targets = 'libs/core/src/kinds/bulk/bulk.targets.ts';
const subjects = 'libs/core/src/records/writes/bulk/bulk.subjects.ts';
const precondition = 'libs/core/src/kinds/write/write.precondition.ts';

export const defects = [
  {
    name: 'bulk: a record of others makes two keys of a request one that differ in letter case alone',
    file: 'libs/core/src/records/writes/bulk/bulk.unit.upsert.ts',
    find: '.areTaken(session, keys)).includes(true)',
    replace: '.areTaken(session, keys)).includes(null)',
    tests: ['contract/batch.upserts'],
  },
  {
    name: 'bulk: a key is taken by one that differs in letter case alone',
    file: 'libs/core/src/records/writes/upsert/conflict.index.ts',
    find: '(isOdd && (await this.isTaken(session, one)))',
    replace: '[...there].some((text) => text.toLowerCase() === asked[index]?.toLowerCase())',
    tests: ['contract/batch.upserts'],
  },
  {
    name: 'bulk: records that the endpoint is not for are written',
    file: locator,
    find: 'if (!isNarrowed && conditions.length === 0) return records;',
    replace: 'return records;',
    tests: ['contract/where.concurrency'],
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
    file: subjects,
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
  {
    name: 'a CreateMany changes a record that is hidden',
    file: 'libs/core/src/sql/bulk/bulk.upsert.ts',
    find: 'this.#writeMeets(scope, true);',
    replace: '',
    tests: ['contract/create-many.conflicts'],
  },
  {
    name: 'a CreateMany keeps what it could not write as a whole',
    file: 'libs/core/src/sql/bulk/bulk.upsert.ts',
    find: '1 / case when ${isWhole}',
    replace: '1 / case when (${isWhole} or true)',
    tests: ['contract/create-many.conflicts'],
  },
  {
    name: 'a CreateMany that changes records needs the rights of a Create alone',
    file: 'libs/core/src/kinds/restful-api.ts',
    find: "operation === 'createMany' && isUpserting(options) ? 'upsert' : operationOf(operation)",
    replace: 'operationOf(operation)',
    tests: ['contract/upsert.access'],
  },
  {
    name: 'a CreateMany changes what it is to leave',
    file: 'libs/core/src/records/writes/bulk/bulk.unit.upsert.ts',
    find: 'return subject === undefined || !this.upsert.leaves;',
    replace: 'return true;',
    tests: ['contract/create-many.conflicts'],
  },
  {
    name: 'a CreateMany takes the same key twice',
    file: 'libs/core/src/kinds/bulk/bulk.conflict.ts',
    find: 'if (earlier === undefined) places.set(text, place);',
    replace: 'if (places.size >= 0) places.set(text, place);',
    tests: ['contract/create-many.conflicts'],
  },
  {
    name: 'a write of many takes two keys for two records that a collation takes for one',
    file: 'libs/core/src/records/writes/bulk/bulk.subjects.ts',
    find: '    refuseTwice(targets, records);\n',
    replace: '',
    tests: ['contract/bulk.collation'],
  },
  {
    name: 'bulk: a write is kept whose answer is too long to be made',
    file: 'libs/core/src/records/writes/bulk/answered.bulk.writes.ts',
    find: 'const isUndone = count <= this.sure ||',
    replace: 'const isUndone = count > 0 ||',
    tests: ['contract/answers.length'],
  },
  {
    name: 'bulk: values of the user in an answer may be longer together than a text can be',
    file: 'libs/core/src/wire/json.text.ts',
    find: 'length += sayable(() => lengthOf(item));',
    replace: 'length = sayable(() => lengthOf(item));',
    tests: ['contract/answers.length'],
  },
  {
    name: 'bulk: a transaction around a write ends without that of row level security, which began within',
    file: 'libs/core/src/database/transactions/units.of.work.ts',
    find: '      await own.enter();\n      own.isGiven = wasGiven;\n',
    replace: '',
    tests: ['contract/answers.length.policies'],
  },
  {
    name: 'bulk: JSON is taken for as long as it was sent',
    file: 'libs/core/src/records/writes/bulk/answered.bulk.writes.ts',
    find: 'return digits * longestSent;',
    replace: 'return longestSent;',
    tests: ['contract/answers.length.policies'],
  },
  {
    name: 'bulk: a thousand records are asked for by one deep condition',
    file: 'libs/core/src/records/writes/record.writer.ts',
    find: 'const mostAlternatives = 500;',
    replace: 'const mostAlternatives = 50_000;',
    tests: ['contract/create-many.conflicts'],
  },
  {
    name: 'records of several columns are looked for by the product of their values',
    file: 'libs/core/src/query/value.tuples.ts',
    find: "{ word: 'all', members: equal",
    replace: "{ word: 'any', members: equal",
    tests: ['contract/create-many.upserts'],
  },
];
