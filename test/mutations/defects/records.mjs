/** Reads and writes that show or change what they must not. See defects.mjs. */
export const defects = [
  {
    name: 'deep pages: the keys of a page lose every condition',
    file: 'libs/core/src/records/sql/select.statement.ts',
    find: `    inner.writeJoins();
    this.#writeWhere(inner);
    this.#writer.write(\` order by \${this.#order(inner)}\`);
`,
    replace: `    inner.writeJoins();
    this.#writer.write(\` order by \${this.#order(inner)}\`);
`,
    tests: ['contract/pagination.deep'],
  },
  {
    name: 'deep pages: the keys of a page lose filters and authorization',
    file: 'libs/core/src/records/sql/select.statement.ts',
    find: `    this.#writeWhere(inner);
    this.#writer.write(\` order by \${this.#order(inner)}\`);
`,
    replace: `    const bare = inner.writeLimits; inner.writeLimits = (glue) => glue;
    this.#writeWhere(inner); inner.writeLimits = bare;
    this.#writer.write(\` order by \${this.#order(inner)}\`);
`,
    tests: ['contract/pagination.deep'],
  },
  {
    name: 'lists: sub-selects of where are left out',
    file: 'libs/core/src/records/sql/select.statement.ts',
    find: '(this.shape.narrowed ?? []).entries()',
    replace: '(this.shape.sorts !== undefined ? [] : this.shape.narrowed ?? []).entries()',
    tests: ['contract/pagination.deep'],
  },
  {
    name: 'a default filter is dropped where an authorization narrows',
    file: 'libs/core/src/records/visible.records.ts',
    find: 'inAll(filter === undefined ? visible : [filter, ...visible])',
    replace: 'inAll(visible)',
    tests: ['contract/authorization.filters'],
  },
  {
    name: 'a page within its statement is named as a table may be',
    file: 'libs/core/src/records/sql/select.statement.ts',
    find: `const pageName = '*page'`,
    replace: `const pageName = 'page'`,
    tests: ['contract/table-names'],
  },
  {
    name: 'what was written is named as a table may be',
    file: 'libs/core/src/records/direct/write.statement.ts',
    find: `const writtenName = '*written'`,
    replace: `const writtenName = 'written'`,
    tests: ['contract/table-names'],
  },
  {
    name: 'a connection stays with a request that was cancelled while it waited',
    file: 'libs/core/src/records/pool/client.query.ts',
    find: `        late?.end();
        release();
        reject(cancellation.reason);`,
    replace: `        late?.end();
        reject(cancellation.reason);`,
    tests: ['contract/connections.waited-for'],
  },
  {
    name: 'a connection to a replica stays with a read that was given up',
    file: 'libs/core/src/records/pool/client.query.ts',
    find: `      if (late?.isOver === true) {
        release();`,
    replace: '      if (late?.isOver === true) {',
    tests: ['contract/replicas.lost'],
  },
  {
    name: 'an estimate tells of the whole table under row level security',
    file: 'libs/core/src/records/session.ts',
    find: 'return this.#own.viewer.sessionContext !== undefined || this.narrows(meta) || this.#own.hasSessionContext;',
    replace: 'return this.narrows(meta);',
    tests: ['contract/row-level-security'],
  },
  {
    name: 'any number of statements is prepared',
    file: 'libs/core/src/records/pool/native.pool.ts',
    find: 'const keptNames = 1000;',
    replace: 'const keptNames = 100_000;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'no statement is prepared',
    file: 'libs/core/src/records/pool/native.pool.ts',
    find: 'const keptNames = 1000;',
    replace: 'const keptNames = 0;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'like is asked of an enum type as if it were text',
    file: 'libs/core/src/records/sql/comparison.ts',
    find: 'column.type instanceof SelectColumn ? dialect.asText(expression) : expression',
    replace: 'expression',
    tests: ['contract/native-enums'],
  },
  {
    name: 'records are counted where the page tells',
    file: 'libs/core/src/records/sql/select.statement.ts',
    find: 'const isTold = page.after === undefined;',
    replace: 'const isTold = page.after !== undefined;',
    tests: ['contract/count.once'],
  },
];
