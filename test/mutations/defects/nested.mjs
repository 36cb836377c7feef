/** Each place where a body could write related records that it may not, or half of them. See defects.mjs. */
const locator = 'libs/core/src/kinds/nested/owned.locator.ts';
const rulers = 'libs/core/src/kinds/nested/ruling.endpoints.ts';
const reading = 'libs/core/src/kinds/nested/plan.reading.ts';
const reader = 'libs/core/src/kinds/nested/nested.reader.ts';
const found = 'libs/core/src/kinds/nested/found.targets.ts';
const rules = 'libs/core/src/kinds/nested/related.rules.ts';
const writes = 'libs/core/src/kinds/nested/nested.writes.ts';
const linked = 'libs/core/src/kinds/nested/linked.writes.ts';
const rows = 'libs/core/src/records/writes/links/link.rows.ts';
const levels = 'libs/core/src/kinds/nested/level.writes.ts';

export const defects = [
  {
    name: 'nested: two relations change the same record',
    file: reading,
    find: 'reader.writtenOf(model.meta.root.class)',
    replace: 'reader.writtenOf(draft.relation)',
    tests: ['contract/nested-writes.twice'],
  },
  {
    name: 'nested: the record itself is changed among related ones',
    file: writes,
    find: 'trial.enter(this.level.model.meta, written.id);',
    replace: '',
    tests: ['contract/nested-writes.twice'],
  },
  {
    name: 'nested: a related record may belong to another one',
    file: locator,
    find: 'if (owner === undefined || leaves !== undefined) return true;',
    replace: 'if (owner !== null) return true;',
    tests: ['contract/nested-writes', 'contract/nested-writes.tenants'],
  },
  {
    name: 'nested: records are taken away from a hidden one',
    file: locator,
    find: 'return (record) => hidden.has(String(this.#ownerOf(record)));',
    replace: 'return (record) => hidden.has(typeof record);',
    tests: ['contract/nested-writes.tenants'],
  },
  {
    name: 'nested: gates of related endpoints are not asked',
    file: writes,
    find: 'await reader.authorize();',
    replace: '',
    tests: ['contract/nested-writes.tenants'],
  },
  {
    name: 'nested: related records are seen as the endpoint around them sees',
    file: 'libs/core/src/kinds/nested/nested.trial.ts',
    find: 'if (ruler === undefined) return this.whole;',
    replace: 'if (this.whole !== undefined) return this.whole;',
    tests: ['contract/nested-writes.tenants'],
  },
  {
    name: 'nested: an endpoint with guards gives its rules away',
    file: rulers,
    find: "['guards', 'interceptors'].find(",
    replace: "['interceptors'].find(",
    tests: ['contract/nested-writes.start-up'],
  },
  {
    name: 'nested: an endpoint with another authentication gives its rules away',
    file: rulers,
    find: 'refuse(`${owner} has another authentication; allowed: the same instance, or Public`);',
    replace: 'void owner;',
    tests: ['contract/nested-writes.start-up'],
  },
  {
    name: 'nested: records are written past rules that somebody has for them',
    file: rulers,
    find: 'if (option !== undefined) refuse(',
    replace: 'if (option === name) refuse(',
    tests: ['contract/nested-writes.start-up'],
  },
  {
    name: 'nested: a body writes columns that the endpoint does not',
    file: rules,
    find: 'if (other !== undefined)',
    replace: 'if (other === shape.name)',
    tests: ['contract/nested-writes.start-up'],
  },
  {
    name: 'nested: a record may be named twice',
    file: reading,
    find: 'if (before !== undefined) reader.complain(',
    replace: 'if (before === text) reader.complain(',
    tests: ['contract/nested-writes'],
  },
  {
    name: 'nested: a request may have any number of related records',
    file: reader,
    find: 'else if (this.#records > mostNested)',
    replace: 'else if (this.#records < 0)',
    tests: ['contract/nested-writes.requests'],
  },
  {
    name: 'nested: entries of a bare list may name records of others',
    file: found,
    find: 'if (strange.length > 0 && !isLinking) throw',
    replace: 'if (strange.length < 0) throw',
    tests: ['contract/nested-writes.tenants'],
  },
  {
    name: 'nested: the version does not count related records',
    file: writes,
    find: 'if (record !== undefined) await this.level.owners.touch(trial, [record]);',
    replace: '',
    tests: ['contract/nested-writes'],
  },
  {
    name: 'nested: what related records leave keeps its version',
    file: levels,
    find: 'await level.owners.touch(trial, left);',
    replace: '',
    tests: ['contract/nested-writes'],
  },
  {
    name: 'nested: a record may be linked to another one',
    file: locator,
    find: 'return (record, { owner }) => owner === undefined || linked(',
    replace: 'return (record, { owner }) => owner !== null || linked(',
    tests: ['contract/nested-writes.links'],
  },
  {
    name: 'nested: a link is added twice',
    file: linked,
    find: "link === undefined || (sort === 'link' && isThere(link)) ? []",
    replace: 'link === undefined ? []',
    tests: ['contract/nested-writes.links'],
  },
  {
    name: 'nested: what is not linked is unlinked',
    file: linked,
    find: "link === undefined || (target.sort === 'unlink' && !isThere(link)),",
    replace: 'link === undefined,',
    tests: ['contract/nested-writes.links'],
  },
  {
    name: 'nested: steps of a request lock their records one after the other',
    file: linked,
    find: 'some.length > 0).length < 2) return;',
    replace: 'some.length > 0).length < 9) return;',
    tests: ['contract/nested-writes.concurrency'],
  },
  {
    name: 'nested: a record is changed at several places of a request',
    file: reading,
    find: 'const written = isWritten ? reader.writtenOf(model.meta.root.class) : keyed;',
    replace: 'const written = isWritten ? draft.named : keyed;',
    tests: ['contract/nested-writes.links'],
  },
  {
    name: 'nested: a bare list changes records where bodies may not',
    file: reading,
    find: "if (draft.relation.shape.operations.has('update'))",
    replace: "if (!draft.relation.shape.operations.has('keep'))",
    tests: ['contract/nested-writes.records'],
  },
  {
    name: 'nested: a link leaves values of its row without',
    file: rows,
    find: 'one.onCreate !== undefined && one.version !== true',
    replace: 'one.onCreate === null && one.version !== true',
    tests: ['contract/nested-writes.start-up'],
  },
  {
    name: 'nested: a version that counts lists alone is not logged',
    file: 'libs/core/src/records/writes/record.staging.ts',
    find: "await this.database.recorded(em, meta, 'updated', keys, write, Object.values(part)[0]);",
    replace: "await this.database.recorded(em, meta, 'updated', keys.slice(keys.length), write);",
    tests: ['contract/nested-writes.links', 'contract/nested-writes.records'],
  },
  {
    name: 'a key does not know the rules of related records',
    file: 'libs/core/src/kinds/write/idempotency.ts',
    find: 'isAlone ? model : undefined',
    replace: 'isAlone ? undefined : model',
    tests: ['contract/nested-writes.senders'],
  },
  {
    name: 'documents know no rules of deeper related records',
    file: 'libs/core/src/kinds/nested/related.records.ts',
    find: 'return isRuled || Object.values(this.#known.within).some(({ refusals }) => refusals.length > 0);',
    replace: 'return isRuled;',
    tests: ['contract/nested-writes.senders'],
  },
  {
    name: 'documents know no rules of related records',
    file: 'libs/core/src/kinds/nested/related.records.ts',
    find: 'return authorizations.length > 0;',
    replace: 'return authorizations.length < 0;',
    tests: ['contract/nested-writes.senders'],
  },
  {
    name: 'documents leave out what the start has not come to yet',
    file: 'libs/core/src/kinds/nested/related.records.ts',
    find: 'return this.#linked ?? this.link();',
    replace:
      "if (this.#linked === undefined) throw new TypeError('asked for too early');\n    return this.#linked;",
    tests: ['contract/mcp.order'],
  },
  {
    name: 'a list that replaces others does not ask who may delete',
    file: 'libs/core/src/kinds/nested/plan.reading.ts',
    find: 'replaces ? removalRules(relation) : undefined',
    replace: 'undefined',
    tests: ['contract/nested-writes.gates'],
  },
  {
    name: 'the end of a single related record does not ask who may delete',
    file: 'libs/core/src/kinds/nested/plan.reading.ts',
    find: 'deletes.length > 0 ? rules.delete : undefined',
    replace: 'deletes.some(({ value }) => value !== undefined) ? rules.delete : undefined',
    tests: ['contract/nested-writes.gates'],
  },
  {
    name: 'a link in a list does not ask who may change',
    file: 'libs/core/src/kinds/nested/plan.reading.ts',
    find: ' || shape.links !== undefined);',
    replace: ');',
    tests: ['contract/nested-writes.gates'],
  },
  {
    name: 'an Upsert gives a record two versions whose related ones change too',
    file: 'libs/core/src/records/writes/upsert/unit.upsert.ts',
    find: '    related?.watch(request, record);\n',
    replace: '',
    tests: ['contract/nested-writes'],
  },
  {
    name: 'a record is given to two related records, of which the last one keeps it',
    file: 'libs/core/src/kinds/nested/plan.reading.ts',
    find: 'links === undefined && key !== undefined ? reader.writtenOf(key.property) : draft.named',
    replace: 'links === undefined || key !== undefined ? draft.named : draft.named',
    tests: ['contract/nested-writes.twice'],
  },
];
