/** More of what no test noticed until somebody tried. See defects.mjs. */
const core = (path) => `libs/core/src/${path}`;

export const defects = [
  {
    name: 'a time before the log begins is answered as if the record had not been',
    file: core('kinds/changes/time.travel.ts'),
    find: `if (earlier.since !== undefined)
      refuseBefore(`,
    replace: `if (earlier.since === -1)
      refuseBefore(`,
    tests: ['contract/changes.shown'],
  },
  {
    name: 'a time is told of that the log keeps no longer',
    file: core('kinds/changes/time.travel.ts'),
    find: `if (this.#keepFor !== 'forever') refuseBefore(name, time, Date.now() - this.#keepFor);`,
    replace: '',
    tests: ['contract/changes.shown'],
  },
  {
    name: 'an erased deletion by a mark hides what the log has from before',
    file: core('records/changes/record.history.ts'),
    find: `\${isMarked ? \` and \${field('before')} is not null\` : ''}`,
    replace: '',
    tests: ['contract/changes.history'],
  },
  {
    name: 'limits count an operation again in each trial of its batch',
    file: core('kinds/batch/batch.ts'),
    find: 'const isRepeated = index < sent.most;',
    replace: 'const isRepeated = false;',
    tests: ['contract/batch.transaction'],
  },
  {
    name: 'parts stay in a transaction that is over',
    file: core('database/own.em.ts'),
    find: 'for (const em of this.#parts.splice(0)) em.resetTransactionContext();',
    replace: 'this.#parts.splice(0);',
    tests: ['contract/batch.transaction'],
  },
  {
    name: 'senders of a second trial are asked for outside of its transaction',
    file: core('visibility/session.ts'),
    find: `      this.#nobody = undefined;
`,
    replace: '',
    tests: ['contract/batch.transaction'],
  },
  {
    name: 'a value that the request brings is the complaint of a client who did not send it',
    file: core('request/input.rules.ts'),
    find: `if (this.#isBrought(input, name))
        throw new NotAuthorized(`,
    replace: `if (this.#isBrought(input, name) && this.columns.length === 0)
        throw new NotAuthorized(`,
    tests: ['contract/authorization.tenants.rules'],
  },
  {
    name: 'parents of many records are not asked for again when these are written',
    file: core('kinds/bulk/bulk.judge.ts'),
    find: `    await this.#ask(request, records, isHidden);
`,
    replace: `    void isHidden;
`,
    tests: ['contract/authorization.tenants.concurrency'],
  },
  {
    name: 'a batch reaches endpoints of another database',
    file: core('http/dispatch/operation.dispatch.ts'),
    find: `      endpoint.database === database &&
`,
    replace: '',
    tests: ['contract/databases'],
  },
  {
    name: 'filters of a request context of MikroORM are not asked',
    file: core('database/filtered.entities.ts'),
    find: 'if (origin !== this.orm.em) return this.#ofAnother(entities, origin);',
    replace: '',
    tests: ['contract/mikro-orm.context'],
  },
  {
    name: 'an operation may have a header twice',
    file: core('kinds/batch/operation.shape.ts'),
    find: `if (headers.has(key)) throw new BadRequest(\`\${place}: '\${name}' is given more than once\`);`,
    replace: '',
    tests: ['contract/batch.idempotency'],
  },
  {
    name: 'a header of an operation may be any text',
    file: core('kinds/batch/operation.shape.ts'),
    find: ' || !headerValue.test(value)',
    replace: '',
    tests: ['contract/batch.idempotency'],
  },
  {
    name: 'the path of an operation may be any text',
    file: core('kinds/batch/operation.shape.ts'),
    find: 'const target = new RegExp(`^${targetPattern}$`);',
    replace: 'const target = /^\\/.*$/;',
    tests: ['contract/batch.idempotency'],
  },
  {
    name: 'a batch that keeps no answers gives its operations its key',
    file: core('kinds/batch/batch.ts'),
    find: 'keepsAnswers && key !== undefined ?',
    replace: 'key !== undefined ?',
    tests: ['contract/batch.idempotency'],
  },
  {
    name: 'an operation keeps an answer of its own under the key of its batch',
    file: core('kinds/write/request.marks.ts'),
    find: `    if (request.isPart) return undefined;
`,
    replace: '',
    tests: ['contract/batch.idempotency'],
  },
  {
    name: 'a write that failed for unknown reasons is not looked for where it may be',
    file: core('endpoint/read.your.writes.ts'),
    find: 'if (!(error instanceof Refusal) || error.statusCode >= 500)',
    replace: 'if (error === undefined)',
    tests: ['contract/replicas.writes'],
  },
  {
    name: 'who is known by a key alone is counted by an address',
    file: core('endpoint/limits/identity.key.ts'),
    find: 'isScalar(keyId) ? JSON.stringify([keyId]) : undefined',
    replace: 'keyId === null ? JSON.stringify([keyId]) : undefined',
    tests: ['contract/limits.refusals'],
  },
  {
    name: 'claims that columns look at do not tell senders apart',
    file: core('kinds/write/request.sender.ts'),
    find: '[...new Set([...claims, ...columns])]',
    replace: '[...new Set(columns.length < 0 ? columns : claims)]',
    tests: ['contract/idempotency.senders'],
  },
  {
    name: 'under a key what was said against the input is thrown when it is written',
    file: core('kinds/write/idempotency.ts'),
    find: `        if (refusal !== undefined) throw refusal;
`,
    replace: '',
    tests: ['contract/idempotency.judged'],
  },
  {
    name: 'of a key that was published in parts tokens are believed',
    file: 'libs/auth/src/keys/public.key.ts',
    find: `['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']`,
    replace: `['d', 'k']`,
    tests: ['contract/jwks.signatures'],
  },
  {
    name: 'a delivery that a shutdown gives up was tried',
    file: 'libs/events/src/webhooks/delivery.pump.ts',
    find: 'if (signal.aborted && !outcome.isDelivered) this',
    replace: 'if (signal.aborted && outcome.isDelivered) this',
    tests: ['contract/events.kept'],
  },
  {
    name: 'a statement of who may change all records serves who comes next',
    file: core('records/writes/statement.writes.ts'),
    find: 'restrictions.size === 0 && following.size',
    replace: 'following.size',
    tests: ['contract/authorization.tenants.turns'],
  },
  {
    name: 'what variables of a guard may hide is estimated',
    file: core('visibility/session.ts'),
    find: 'return this.#own.viewer.sessionContext !== undefined || this.#own.hasSessionContext;',
    replace: 'return this.#own.viewer.sessionContext !== undefined;',
    tests: ['contract/mikro-orm.context'],
  },
  {
    name: 'an Upsert whose parent is none to see is a record that stays as it is',
    file: core('records/writes/upsert/statement.upsert.ts'),
    find: 'parents.length > 0 || parts.following.areAsked || this',
    replace: 'parts.following.areAsked || this',
    tests: ['contract/authorization.tenants.concurrency'],
  },
  {
    name: 'of several rules one says yes by what is almost true',
    file: core('access/combined.authorization.ts'),
    find: 'return answer === true;',
    replace: 'return Boolean(answer);',
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'several rules do not hold without records where one of them is about records',
    file: core('access/combined.authorization.ts'),
    find: 'this.rules.every((rule) => rule.isAboutRecords === true)',
    replace: 'this.rules.some((rule) => rule.isAboutRecords === true)',
    tests: ['contract/authorization.rules'],
  },
  {
    name: 'a body may say any charset',
    file: core('request/json.body.ts'),
    find: 'if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))',
    replace: 'if (charset === null)',
    tests: ['contract/input.content-type'],
  },
  {
    name: 'an encoded body is read as it is',
    file: core('request/json.body.ts'),
    find: `return contentEncoding.toLowerCase() === 'identity'`,
    replace: `return contentEncoding !== ''`,
    tests: ['contract/input.content-type'],
  },
  {
    name: 'other names of the same columns have the same entity tag',
    file: core('kinds/record/entity.tags.ts'),
    find: 'const isWhole = !isGiven && outputMap',
    replace: 'const isWhole = outputMap',
    tests: ['contract/entity-tags'],
  },
  {
    name: 'other names of the columns that a client chose have the same entity tag',
    file: core('kinds/record/entity.tags.ts'),
    find: '!isRenamed && shown.every(isOwn)',
    replace: 'shown.every(isOwn)',
    tests: ['contract/entity-tags'],
  },
  {
    name: 'records are seen that one of a filter and a rule lets a request see',
    file: core('sql/restriction.ts'),
    find: `selects.join(' intersect ')`,
    replace: `selects.join(' union ')`,
    tests: ['contract/authorization.filters'],
  },
  {
    name: 'what a list of a rule says to one request it says to the next',
    file: core('access/scoped.entity.ts'),
    find: `return typeof value === 'number' || typeof value === 'boolean';`,
    replace: 'return true;',
    tests: ['contract/authorization.rules'],
  },
];
