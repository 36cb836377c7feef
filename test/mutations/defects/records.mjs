/** Reads and writes that show or change what they must not. See defects.mjs. */
export const defects = [
  {
    name: 'lookups: a search by a unique column believes the metadata',
    file: 'libs/core/src/records/record.reader.ts',
    find: 'if (length > 1) return undefined;',
    replace: '',
    tests: ['contract/simple-search'],
  },
  {
    name: 'cursors: the place of a value in an order is taken for the value',
    file: 'libs/core/src/sql/keyset.ts',
    find: 'if (customOrder !== undefined && customOrder.length > 0) return undefined;',
    replace: 'if (customOrder === undefined && path.text === "") return undefined;',
    tests: ['contract/metadata.obeyed'],
  },
  {
    name: 'input: a complaint keeps validators from asking for stored records',
    file: 'libs/core/src/kinds/write/input.judge.ts',
    find: 'return input.complaints.size > 0 && !hearsCustom && !this.#rules.asks(input);',
    replace: 'return input.complaints.size > 0 && !hearsCustom;',
    tests: ['contract/input.unique', 'contract/messages'],
  },
  {
    name: 'input: a complaint keeps the custom rules from being asked',
    file: 'libs/core/src/kinds/write/input.judge.ts',
    find: 'const hearsCustom = this.#custom !== undefined && input.typesPassed;',
    replace: 'const hearsCustom = this.#custom !== undefined && !input.typesPassed;',
    tests: ['contract/validation-callable'],
  },
  {
    name: 'deep pages: the keys of a page lose every condition',
    file: 'libs/core/src/sql/select.statement.ts',
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
    file: 'libs/core/src/sql/select.statement.ts',
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
    file: 'libs/core/src/sql/select.statement.ts',
    find: '(this.shape.narrowed ?? []).entries()',
    replace: '(this.shape.sorts !== undefined ? [] : this.shape.narrowed ?? []).entries()',
    tests: ['contract/pagination.deep'],
  },
  {
    name: 'a default filter is dropped where an authorization narrows',
    file: 'libs/core/src/visibility/visible.records.ts',
    find: 'both(await this.#visibleOf(meta), filters.get(meta))',
    replace: 'await this.#visibleOf(meta)',
    tests: ['contract/authorization.filters'],
  },
  {
    name: 'a page within its statement is named as a table may be',
    file: 'libs/core/src/sql/select.statement.ts',
    find: `const pageName = '*page'`,
    replace: `const pageName = 'page'`,
    tests: ['contract/table-names'],
  },
  {
    name: 'what was written is named as a table may be',
    file: 'libs/core/src/sql/write.statement.ts',
    find: `const writtenName = '*written'`,
    replace: `const writtenName = 'written'`,
    tests: ['contract/table-names'],
  },
  {
    name: 'one plan serves a tenant’s list whatever its order is',
    file: 'libs/core/src/model/index.order.ts',
    find: 'names[first.size] === next.name &&',
    replace: 'next.name.length > 0 &&',
    tests: ['contract/statements.kept'],
  },
  {
    name: 'an index of some records serves a list of others',
    file: 'libs/core/src/model/index.order.ts',
    find: 'value === null && without.has(name)',
    replace: 'value === null || without.has(name)',
    tests: ['contract/statements.kept'],
  },
  {
    name: 'a statement that the database refuses takes the transaction of the request along',
    file: 'libs/core/src/database/own.em.ts',
    find: 'if (whole === undefined || this.isLone) return send();',
    replace: 'if (whole === undefined || this.isLone || database.isPostgres) return send();',
    tests: ['contract/row-level-security'],
  },
  {
    name: 'an estimate tells of the whole table under row level security',
    file: 'libs/core/src/visibility/session.ts',
    find: 'return this.hasPolicies || this.narrows(meta);',
    replace: 'return this.narrows(meta);',
    tests: ['contract/row-level-security'],
  },
  {
    name: 'like is asked of an enum type as if it were text',
    file: 'libs/core/src/sql/comparison.ts',
    find: 'return type.isText ? expression : dialect.asText(expression);',
    replace: 'return expression;',
    tests: ['contract/native-enums'],
  },
  {
    name: 'a CreatedBy column takes nothing but the schema of its values',
    file: 'libs/core/src/model/columns/created-by/created-by.column.ts',
    find: 'return this.with({ ...traitsOf(narrowed), schema',
    replace: 'return this.with({ schema',
    tests: ['contract/columns.own'],
  },
  {
    name: 'records are counted where the page tells',
    file: 'libs/core/src/sql/select.statement.ts',
    find: 'const isTold = page.after === undefined;',
    replace: 'const isTold = page.after !== undefined;',
    tests: ['contract/count.once'],
  },
  {
    name: `the schema that an entity manager has is no part of a statement's key`,
    file: 'libs/core/src/sql/statement.cache.ts',
    find: 'this.prefix + tables.key',
    replace: 'this.prefix',
    tests: ['contract/mikro-orm.schema'],
  },
  {
    name: 'the schema that an entity manager has is not obeyed',
    file: 'libs/core/src/sql/table.sql.ts',
    find: `if (schema === undefined || schema === '*' || schema === this.chosen) return this;`,
    replace: `if (schema !== '') return this;`,
    tests: ['contract/mikro-orm.schema'],
  },
  {
    name: `a relation's own where is not obeyed`,
    file: 'libs/core/src/sql/table.sql.ts',
    find: 'if (where.length === 0) return undefined;',
    replace: 'if (where.length >= 0) return undefined;',
    tests: ['contract/related.where'],
  },
  {
    name: 'default filters do not hold for a query that a Callable returns',
    file: 'libs/core/src/kinds/record/query.page.ts',
    find: `    await visible.applyFilters();
`,
    replace: '',
    tests: ['contract/callable.returned-query'],
  },
  {
    name: 'a condition of a rule may have no value',
    file: 'libs/core/src/visibility/adjusted.query.ts',
    find: 'if (value === undefined && path.length > 0) return path;',
    replace: 'if (value === undefined) return undefined;',
    tests: ['contract/authorization.claims'],
  },
  {
    name: 'lines of another connection are forwarded',
    file: 'libs/core/src/wire/header.lines.ts',
    find: 'return !ofConnections.has(known) && !named.includes(known);',
    replace: 'return !named.includes(known);',
    tests: ['contract/forwarded'],
  },
  {
    name: 'what Connection names is forwarded',
    file: 'libs/core/src/wire/header.lines.ts',
    find: ' && !named.includes(known);',
    replace: ' && named.length >= 0;',
    tests: ['contract/forwarded'],
  },
  {
    name: 'a place is not given back',
    file: 'libs/core/src/http/admission/admission.ts',
    find: `    exchange.lane.taken -= 1;
`,
    replace: '',
    tests: ['contract/overload', 'contract/receiving'],
  },
  {
    name: 'a subscriber that throws keeps the connection of a rollback',
    file: 'libs/core/src/database/transactions/transaction.events.ts',
    find: `  EventType.beforeTransactionRollback,
`,
    replace: '',
    tests: ['contract/transactions.ends'],
  },
  {
    name: 'claims do not tell senders of one subject apart',
    file: 'libs/core/src/kinds/write/request.sender.ts',
    find: 'return identityText([iss, sub, ...members], nothing);',
    replace: 'return identityText([iss, sub], nothing);',
    tests: ['contract/idempotency.tenants'],
  },
  {
    name: 'an entity manager leads out of its session',
    file: 'libs/core/src/database/em/way.out.ts',
    find: 'const reason = values.some(isWithin) ? undefined : reasonAgainst();',
    replace: 'const reason = values.some(isWithin) ? undefined : undefined;',
    tests: ['contract/row-level-security.ways'],
  },
  {
    name: 'Kysely leads out of a request that was given up',
    file: 'libs/core/src/database/em/kept.in.session.ts',
    find: 'return this.signal === undefined ? kysely : untilAborted(kysely, this.signal);',
    replace: 'return kysely;',
    tests: ['contract/transactions.ends', 'contract/row-level-security.ways', 'contract/connections'],
  },
  {
    name: 'a transaction that ends before it began is a rejection that nobody hears',
    file: 'libs/core/src/database/transactions/request.transaction.ts',
    find: `      this.#ended.catch(failed);
`,
    replace: '',
    tests: ['contract/row-level-security.outage'],
  },
  {
    name: 'a relation to a composite key is left out without a word',
    file: 'libs/core/src/metadata/unserved.relation.ts',
    find: '  if (targetMeta.compositePK && !sharesColumns(property, owning))',
    replace: '  if (targetMeta.compositePK === null)',
    tests: ['contract/parted.start'],
  },
  {
    name: 'any shape of a search is prepared',
    file: 'libs/core/src/sql/statement.cache.ts',
    find: 'const preparedShapes = 50;',
    replace: 'const preparedShapes = 5000;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'a page that is searched counts all records along',
    file: 'libs/core/src/sql/select.shape.ts',
    find: "return preparationOf(shape) === 'kept';",
    replace: "return preparationOf(shape) !== 'kept';",
    tests: ['contract/sql.texts'],
  },
];
