/** Each place where a record could be written that has left a rule about other tables meanwhile. See defects.mjs. */
const write = 'libs/core/src/sql/write.statement.ts';
const statements = 'libs/core/src/records/writes/statement.writes.ts';

export const defects = [
  ...[
    ['what is written is the record that a sub-select has seen', write, 'glue, { isLocked: true }', 'glue'],
    [
      'a held parent is the one that a sub-select has seen',
      write,
      "' and ', { isLocked: isHeld }",
      "' and '",
    ],
    [
      'the parents of many are those that a sub-select has seen',
      'libs/core/src/sql/bulk/bulk.draft.ts',
      "' and ', { isLocked: isHeld }",
      "' and '",
    ],
    [
      'records of an Import are those that a sub-select has seen',
      'libs/core/src/sql/bulk/bulk.upsert.ts',
      'this.#writeMeets(scope, true)',
      'this.#writeMeets(scope, false)',
    ],
    [
      'many records are those that a sub-select has seen',
      'libs/core/src/sql/bulk/locked.records.ts',
      'this.demand(`bool_and(${this.add(isAsSeen)}) is not false`);',
      'this.add(isAsSeen);',
    ],
  ].map(([said, file, find, replace]) => ({
    name: `scopes: nobody asks whether ${said}`,
    file,
    find,
    replace,
    tests: ['contract/authorization.moved.concurrency'],
  })),
  ...[
    ['changes nothing', 'parents.length > 0 || !this.#parts.isSure(restrictions)', 'parents.length > 0'],
    [
      'deletes nothing',
      ' || !this.#parts.isSure(restrictions)) return undefined;\n    throw',
      ') return undefined;\n    throw',
    ],
    [
      'marks nothing',
      'expected === undefined && this.#parts.isSure(restrictions);',
      'expected === undefined;',
    ],
  ].map(([said, find, replace]) => ({
    name: `scopes: a statement that ${said} is sure under a rule about other tables`,
    file: statements,
    find,
    replace,
    tests: ['contract/authorization.moved.concurrency'],
  })),
  {
    name: 'scopes: an Upsert that writes nothing is sure under a rule about other tables',
    file: 'libs/core/src/records/writes/upsert/statement.upsert.ts',
    find: '    if (!parts.isSure(restrictions)) return undefined;\n',
    replace: '',
    tests: ['contract/authorization.moved.concurrency'],
  },
];
