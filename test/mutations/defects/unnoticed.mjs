/** What no test noticed until somebody tried. See defects.mjs. */
const core = (path) => `libs/core/src/${path}`;

export const defects = [
  {
    name: 'a shown formula does not change the entity tag',
    file: core('kinds/record/entity.tags.ts'),
    find: 'column.property.formula === undefined && ',
    replace: '',
    tests: ['contract/entity-tags'],
  },
  {
    name: 'soft: a rule that promises its records stands in place of what is live',
    file: core('visibility/visible.records.ts'),
    find: 'ruled.then((one) => both(one, live))',
    replace: 'ruled',
    tests: ['contract/soft.access'],
  },
  {
    name: 'soft: where all records are shown, those that they refer to may be deleted',
    file: core('visibility/live.records.ts'),
    find: 'all: new Restriction({ conditions: [referred] })',
    replace: 'all: new Restriction({ conditions: [] })',
    tests: ['contract/soft.rules'],
  },
  {
    name: 'soft: what was restored while a purge waited for it is purged',
    file: core('records/soft/trash.bin.ts'),
    find: '{ [this.#key]: { $in: keys }, ...this.#deletedBefore(until) }',
    replace: '{ [this.#key]: { $in: keys } }',
    tests: ['contract/soft.around'],
  },
  {
    name: 'soft: an Upsert does not say that its index is about live records',
    file: core('sql/write.statement.ts'),
    find: `      if (ofLive !== undefined) statement.#writer.write(\` where \${statement.#values.name(ofLive)} is null\`);
`,
    replace: '',
    tests: ['contract/soft.postgresql'],
  },
  {
    name: 'sessions do not tell senders apart who have no subject',
    file: core('kinds/write/request.sender.ts'),
    find: 'isScalar(sub) ? passingBesideSubject : passing',
    replace: 'passingBesideSubject',
    tests: ['contract/idempotency.senders'],
  },
  {
    name: 'a record is created by a statement whatever was said against it',
    file: core('records/writes/statement.writes.ts'),
    find: 'input.complaints.size === 0 ? await this.#created',
    replace: 'input.complaints.size >= 0 ? await this.#created',
    tests: ['contract/input.unique'],
  },
  {
    name: 'a record is upserted by a statement whatever was said against it',
    file: core('records/writes/statement.writes.ts'),
    find: 'const isKnown = input.complaints.size === 0;',
    replace: 'const isKnown = input.complaints.size >= 0;',
    tests: ['contract/upsert'],
  },
  {
    name: 'conditions of a rule stand in place of filters',
    file: core('visibility/visible.records.ts'),
    find: 'both(visible, filtered.get(meta))',
    replace: 'visible ?? filtered.get(meta)',
    tests: ['contract/authorization.filters'],
  },
  {
    name: 'allOf within anyOf lets records be seen by each of its rules',
    file: core('access/authorized.records.ts'),
    find: `rule.needed === 'all') return this.#all`,
    replace: `rule.needed !== 'all' && rule.needed !== 'any') return this.#all`,
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'of several anyOf within allOf the first alone holds',
    file: core('sql/restriction.ts'),
    find: 'groups: given.flatMap(({ groups }) => groups),',
    replace: 'groups: given.find(({ groups }) => groups.length > 0)?.groups ?? [],',
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'with limits nobody waits for a gate that promises its verdict',
    file: core('http/pipeline.ts'),
    find: 'await access?.authorize(request);',
    replace: 'void access?.authorize(request);',
    tests: ['contract/limits.refusals'],
  },
  {
    name: 'with limits nobody waits for an authentication that promises an identity',
    file: core('http/pipeline.ts'),
    find: 'else await access.authenticate(request, sender);',
    replace: 'else void access.authenticate(request, sender);',
    tests: ['contract/limits.refusals'],
  },
];
