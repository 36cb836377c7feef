/** Each place where the records of another tenant could be seen, written or told of. See defects.mjs. */
const scope = 'libs/core/src/sql/scope.ts';
const related = 'libs/core/src/sql/related.statement.ts';
const select = 'libs/core/src/sql/select.statement.ts';
const write = 'libs/core/src/sql/write.statement.ts';
const writer = 'libs/core/src/sql/restriction.writer.ts';
const questions = 'libs/core/src/records/record.questions.ts';
const statements = 'libs/core/src/records/writes/statement.writes.ts';
const input = 'libs/core/src/request/input.rules.ts';

export const defects = [
  {
    name: 'scopes: statements are told of no restriction',
    file: scope,
    find: 'return writeRestriction(writer, restriction, place, glue);',
    replace: 'return false;',
    tests: ['contract/authorization.scopes', 'contract/authorization.tenants'],
  },
  {
    name: 'scopes: joined parents are of any tenant',
    file: scope,
    find: `      this.restrict(meta, { alias, isReferred: true }, ' and ');
`,
    replace: '',
    tests: ['contract/authorization.scopes', 'contract/authorization.tenants'],
  },
  {
    name: 'scopes: members of lists, and what searches look for in them, are of any tenant',
    file: 'libs/core/src/sql/related.scope.ts',
    find: `    this.writeLimits(' and ');
`,
    replace: '',
    tests: ['contract/authorization.tenants'],
  },
  {
    name: 'scopes: owners of lists name no tenant',
    file: related,
    find: `    owners.writeLimits(' and ', { isWritten: true });
`,
    replace: '',
    tests: ['contract/authorization.statements'],
  },
  {
    name: 'scopes: the records around grouped keys name no tenant',
    file: select,
    find: `    this.#writer.write(') as grouped where nth = 1)');
    return scope.writeLimits(' and ', { isWritten: true });`,
    replace: `    this.#writer.write(') as grouped where nth = 1)');
    return ' and ';`,
    tests: ['contract/authorization.statements'],
  },
  {
    name: 'scopes: the records around the keys of a deep page name no tenant',
    file: select,
    find: `    this.#writer.write(end);
    return scope.writeLimits(' and ', { isWritten: true });`,
    replace: `    this.#writer.write(end);
    return ' and ';`,
    tests: ['contract/authorization.statements'],
  },
  {
    name: 'scopes: updates and deletes find records of any tenant',
    file: write,
    find: `return scope.writeLimits(glue, { isLocked: true });`,
    replace: `return glue;`,
    tests: [
      'contract/upsert.scopes',
      'contract/authorization.scopes',
      'contract/authorization.tenants.concurrency',
    ],
  },
  {
    name: 'scopes: the parents of a new record are not looked at by its statement',
    file: write,
    find: `      this.#writeParent(parent, index === 0 ? ' where ' : ' and ');`,
    replace: `      this.#writer.write(\`\${index === 0 ? ' where ' : ' and '}\${parent === undefined ? 2 : 1} = 1\`);`,
    tests: ['contract/authorization.tenants.concurrency'],
  },
  {
    name: 'scopes: the new parents of a record are not looked at by its statement',
    file: write,
    find: `      for (const parent of target.parents) statement.#writeParent(parent, ' and ');
`,
    replace: '',
    tests: ['contract/authorization.tenants.concurrency'],
  },
  {
    name: 'scopes: the parents of a written record are of any tenant',
    file: write,
    find: `    scope.writeLimits(' and ', { isLocked: isHeld });
`,
    replace: '',
    tests: ['contract/authorization.tenants.concurrency'],
  },
  {
    name: `scopes: MikroORM's way locks records of any tenant`,
    file: 'libs/core/src/records/writes/record.writer.ts',
    find: 'conditions.length === 0 ? lookedUp : { $and: [lookedUp, ...this.#filter.plain(conditions)] }',
    replace: 'lookedUp',
    tests: ['contract/authorization.scopes'],
  },
  {
    name: 'scopes: a value is taken by whichever tenant has it',
    file: questions,
    find: 'stickyOf(await session.restrictionsOf(new Set([meta])))',
    replace: 'stickyOf(new Map())',
    tests: ['contract/authorization.tenants'],
  },
  {
    name: 'scopes: a parent exists for every tenant',
    file: questions,
    find: 'const restrictions = await session.restrictionsOf(new Set([model.meta]));',
    replace: 'const restrictions = new Map(); await session.restrictionsOf(new Set([model.meta]));',
    tests: ['contract/authorization.scopes'],
  },
  {
    name: 'scopes: parents are not asked for again once they are written',
    file: 'libs/core/src/kinds/write/input.judge.ts',
    find: 'return parent !== undefined && session.narrows(parent.meta);',
    replace: 'return parent !== undefined && session === undefined;',
    tests: ['contract/authorization.tenants.concurrency'],
  },
  {
    name: 'scopes: what a function moves is read back wherever it is',
    file: writer,
    find: 'if (isWritten && condition.isSticky !== true) continue;',
    replace: 'if (isWritten) continue;',
    tests: ['contract/authorization.scopes'],
  },
  {
    name: 'scopes: one of two tenants is no bound for what is written',
    file: writer,
    find: 'if (isWritten && !isBinding(group)) continue;',
    replace: 'if (isWritten) continue;',
    tests: ['contract/authorization.tenants.rules'],
  },
  {
    name: 'scopes: a statement creates outside of the one rule that lets the sender in',
    file: statements,
    find: `    if (limits !== undefined && !isKeptWithin(limits, row, true)) return undefined;
`,
    replace: '',
    tests: ['contract/authorization.tenants.rules'],
  },
  {
    name: 'scopes: a statement moves out of the one rule that lets the sender in',
    file: statements,
    find: `    if (limits !== undefined && !isKeptWithin(limits, row, false)) return undefined;
`,
    replace: '',
    tests: ['contract/authorization.tenants.rules'],
  },
  {
    name: 'scopes: a new record gets no tenant',
    file: 'libs/core/src/request/judged.columns.ts',
    find: 'return [...own, ...set];',
    replace: 'return set;',
    tests: ['contract/authorization.scopes', 'contract/authorization.tenants'],
  },
  {
    name: 'scopes: the tenant that was sent is taken',
    file: input,
    find: `      input.complain(name, notOwnMessage);
      return;`,
    replace: `      this.#take(input, name, column, body.get(name));
      return;`,
    tests: ['contract/authorization.scopes', 'contract/authorization.tenants'],
  },
  {
    name: 'scopes: a tenant of another type than its column reaches the database',
    file: 'libs/core/src/access/scoped.entity.ts',
    find: 'if (value === undefined || value === null || type?.complaint(value) !== undefined) return false;',
    replace: 'if (value === undefined || value === null) return false;',
    tests: ['contract/authorization.tenants'],
  },
  {
    name: 'scopes: what a client cannot send is said to be wrong',
    file: 'libs/core/src/request/input.rules.ts',
    find: 'return own !== undefined && column !== undefined && !input.hasSent(column);',
    replace: 'return false;',
    tests: ['contract/authorization.scopes'],
  },
  {
    name: 'scopes: a partition is asked by nobody',
    file: 'libs/core/src/endpoint/options/settings.ts',
    find: '[partition, parent, ...authorizations]',
    replace: '[parent, ...authorizations]',
    tests: ['contract/authorization.partition'],
  },
  {
    name: 'scopes: a nested resource has the records of all parents',
    file: 'libs/core/src/endpoint/options/settings.ts',
    find: '[partition, parent, ...authorizations]',
    replace: '[partition, ...authorizations]',
    tests: ['contract/nested'],
  },
  {
    name: 'scopes: the parent in a tree has the same parent as its children',
    file: 'libs/core/src/access/parent.rule.ts',
    find: 'isOfSubject: levels.some(',
    replace: 'isOfSubject: !levels.some(',
    tests: ['contract/nested.tree'],
  },
  {
    name: 'scopes: the records of a tree are those of all parents',
    file: 'libs/core/src/sql/restriction.writer.ts',
    find: 'if ((isReferred ? condition.isOfSubject : condition.isOfReferred) === true) continue;',
    replace: 'if (condition.isOfSubject === true) continue;',
    tests: ['contract/nested.tree'],
  },
  {
    name: 'scopes: nobody looks at the parents of a path',
    file: 'libs/core/src/nest/features/handler.stages.ts',
    find: 'parents?.around(handler) ?? handler',
    replace: 'handler',
    tests: ['contract/nested'],
  },
  {
    name: 'scopes: a misspelt column shares everything',
    file: 'libs/core/src/access/every.model.ts',
    find: 'if (!all.some((one) => rule.concerns(one)))',
    replace: 'if (all.length === 0)',
    tests: ['contract/start-up.tenants'],
  },
  {
    name: `scopes: MikroORM's filters do not hold beside a tenant`,
    file: 'libs/core/src/visibility/visible.records.ts',
    find: 'both(visible, filtered.get(meta))',
    replace: 'visible',
    tests: ['contract/authorization.partition'],
  },
  {
    name: 'scoped: a query forgets its scope where it is asked for more',
    file: 'libs/core/src/visibility/scoped.query.ts',
    find: '{ $and: [scope, own] }',
    replace: 'own',
    tests: ['contract/authorization.scoped'],
  },
  {
    name: 'scoped: a copy of a query is of everybody',
    file: 'libs/core/src/visibility/scoped.query.ts',
    find: 'return kept(clone(...args), Utils.copy(scope), isReset ? {} : Utils.copy(own));',
    replace: 'return clone(...args);',
    tests: ['contract/authorization.scoped'],
  },
  {
    name: 'scoped: a rule that says nothing of an entity shows all of it',
    file: 'libs/core/src/access/authorized.records.ts',
    find: 'const isUnsaid = !isOwn(meta, own) && !says(rule);',
    replace: 'const isUnsaid = !isOwn(meta, own) && !says(rule) && all.length === 0;',
    tests: ['contract/authorization.scoped'],
  },
  {
    name: 'scoped: records are given before anybody is known',
    file: 'libs/core/src/endpoint/request/endpoint.request.ts',
    find: 'if (this.#sender.isKnown) return this.session.scoped(entity);',
    replace: 'if (this.method !== "") return this.session.scoped(entity);',
    tests: ['contract/authorization.scoped'],
  },
  {
    name: 'scoped: the keys that a rule finds are left out',
    file: 'libs/core/src/database/restriction.filter.ts',
    find: 'if (keys !== undefined)',
    replace: 'if (keys !== undefined && conditions.length > 0)',
    tests: ['contract/authorization.scoped'],
  },
  {
    name: 'a claim with more digits than the column is rounded to another tenant',
    file: 'libs/core/src/access/scoped.entity.ts',
    find: 'return spelling === undefined || hasRoom(spelling, value);',
    replace: 'return spelling === undefined || value !== undefined;',
    tests: ['contract/authorization.tenants.spelling'],
  },
];
