/** What rules compare and whom they ask: letters, gates, locks, and rows between the two sides of a relation. See defects.mjs. */
const writer = 'libs/core/src/sql/restriction.writer.ts';

export const defects = [
  {
    name: 'scopes: rows between two sides are of any tenant',
    file: 'libs/core/src/sql/related.scope.ts',
    find: 'if (between !== undefined && this.#pivot !== undefined)',
    replace: 'if (between !== undefined && this.#pivot === null)',
    tests: ['contract/authorization.links'],
  },
  {
    name: 'scopes: lists are written past rows that others have',
    file: 'libs/core/src/kinds/write/hidden.lists.ts',
    find: 'if (reason === undefined) continue;',
    replace: 'if (reason !== null) continue;',
    tests: ['contract/authorization.links'],
  },
  {
    name: 'a claim is compared in the letters of the token',
    file: 'libs/core/src/access/scoped.entity.ts',
    find: 'return stored instanceof Date ? value : stored;',
    replace: 'return value;',
    tests: ['contract/authorization.tenants.spelling'],
  },
  {
    name: 'scopes: citext takes another tenant for one',
    file: 'libs/core/src/sql/dialects/exact.text.ts',
    find: 'if (looseType.test(type)) return ofPostgreSql;',
    replace: 'if (looseType.test(type)) return undefined;',
    tests: ['contract/authorization.tenants.letters'],
  },
  {
    name: 'scopes: a collation of PostgreSQL takes another tenant for one',
    file: 'libs/core/src/sql/dialects/exact.text.ts',
    find: 'return filled.test(type) ? filledOfPostgreSql : ofPostgreSql;',
    replace: 'return undefined;',
    tests: ['contract/authorization.tenants.letters'],
  },
  {
    name: 'scopes: a collation of SQLite takes another tenant for one',
    file: 'libs/core/src/sql/dialects/exact.text.ts',
    find: '? undefined : ofSqlite;',
    replace: '? undefined : undefined;',
    tests: ['contract/authorization.tenants.letters'],
  },
  {
    name: 'scopes: what is locked is compared as the collation has it',
    file: 'libs/core/src/database/restriction.filter.ts',
    find: '[compared, this.#exact(condition, condition.exact)]',
    replace: '[compared]',
    tests: ['contract/authorization.tenants.letters'],
  },
  {
    name: 'scopes: statements compare as the collation has it',
    file: writer,
    find: `    if (exact !== undefined)
      writer.write(\` and \${exact.field(field)} = \${exact.value(writer.parameter(slot))}\`);
`,
    replace: '',
    tests: ['contract/authorization.tenants.letters'],
  },
  {
    name: 'scopes: columns of letters that no endpoint shows are compared with nothing',
    file: 'libs/core/src/database/compared.column.ts',
    find: 'type.unusableBecause !== undefined && holdsLetters(own)',
    replace: 'type.unusableBecause === "" && holdsLetters(own)',
    tests: ['contract/authorization.tenants.letters'],
  },
  {
    name: 'scopes: a rule that only shows brings any value to the database',
    file: 'libs/core/src/access/scoped.entity.ts',
    find: 'if (!this.isSticky) return [value].flat().every((one) => type === undefined || isComparable(type, one));',
    replace: 'if (!this.isSticky) return true;',
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'scopes: a public docs page wants a tenant',
    file: 'libs/core/src/nest/features/leaf.settings.ts',
    find: 'isAboutRecords !== true',
    replace: 'isAboutRecords !== undefined',
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'a record that is looked for by its key has no distance',
    file: 'libs/core/src/records/record.reader.ts',
    find: 'if (sorts.some(({ value }) => value !== undefined)) return false;',
    replace: 'if (sorts.length > 9) return false;',
    tests: ['contract/searched.near'],
  },
  {
    name: 'allOf asks gates behind one that says no',
    file: 'libs/core/src/access/combined.authorization.ts',
    find: 'for (const rule of this.rules) if (!(await allows(rule, authorizationData, request))) return false;',
    replace:
      'if ((await this.allowing(authorizationData, request)).length < this.rules.length) return false;',
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'who may not change a record waits for who does',
    file: 'libs/core/src/kinds/record/record.locator.ts',
    find: 'if (isNarrowed) await this.#refuseHidden(request, conditions);',
    replace: 'if (restriction?.isPlain === false) await this.#refuseHidden(request, conditions);',
    tests: ['contract/where.concurrency'],
  },
  {
    name: 'who may not change many records waits for who does',
    file: 'libs/core/src/kinds/bulk/bulk.locator.ts',
    find: '(isNarrowed ? await this.#seenOf(request, sought, limit) : undefined)',
    replace: '(restriction?.isPlain === false ? await this.#seenOf(request, sought, limit) : undefined)',
    tests: ['contract/where.concurrency'],
  },
];
