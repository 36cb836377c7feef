/** Each place where a record could be written outside of what binds the sender. See defects.mjs. */
export const defects = [
  {
    name: 'records that nobody reads back may be written outside of what binds the sender',
    file: 'libs/core/src/records/sql.store.ts',
    find: 'if (restriction?.binds !== true || ids.length === 0) return true;',
    replace: 'if (Number(restriction?.conditions.length) >= 0 || ids.length >= 0) return true;',
    tests: ['contract/authorization.written'],
  },
  {
    name: 'nested writes and imports are not asked whether records stay within what binds the sender',
    file: 'libs/core/src/records/writes/bulk/bulk.unit.writes.ts',
    find: `    const keys = await this.#inserted(request, inputs);
    await this.#stayWithin(request, keys);`,
    replace: '    const keys = await this.#inserted(request, inputs);',
    tests: ['contract/authorization.written'],
  },
  {
    name: 'an Import that meets records may write outside of what binds the sender',
    file: 'libs/core/src/records/writes/bulk/bulk.unit.writes.ts',
    find: '    await this.#stayWithin(request, upserted.keys);\n',
    replace: '',
    tests: ['contract/authorization.written'],
  },
  {
    name: 'a function may move what is deleted by a mark',
    file: 'libs/core/src/records/writes/unit.writes.ts',
    find: 'if (mark !== undefined && (await store.areWithin',
    replace: 'if (mark === undefined && (await store.areWithin',
    tests: ['contract/authorization.written'],
  },
  {
    name: 'a function may move what many deletions mark',
    file: 'libs/core/src/records/writes/bulk/bulk.unit.writes.ts',
    find: '        if (mark !== undefined) await this.#stayWithin(request, ids);\n',
    replace: '',
    tests: ['contract/authorization.written'],
  },
  {
    name: 'a claim that was rounded finds the records of its neighbour',
    file: 'libs/auth/src/rules/claims.of.ts',
    find: 'Number.isFinite(claim) && !isRounded(claim)',
    replace: 'Number.isFinite(claim)',
    tests: ['contract/authorization.exact'],
  },
  {
    name: 'an Upsert does not find that a record of another kind has its value',
    file: 'libs/core/src/sql/scope.ts',
    find: 'const isKept = use.isOfTable !== true && this.#writeKinds(',
    replace: 'const isKept = this.#writeKinds(',
    tests: ['contract/upsert.kinds'],
  },
  {
    name: 'a tenant is shown what was known of another',
    file: 'libs/core/src/access/scoped.entity.ts',
    find: 'const known = this.#known.get(value);',
    replace: "const known = this.#known.get(value) ?? this.#known.get('t1');",
    tests: ['contract/authorization.tenants.turns'],
  },
  {
    name: 'a filter that says something else for each request is what it was once',
    file: 'libs/core/src/sql/restriction.ts',
    find: 'if (this.#joined?.[0] === other) return',
    replace: 'if (this.#joined !== undefined) return',
    tests: ['contract/authorization.tenants.turns'],
  },
];
