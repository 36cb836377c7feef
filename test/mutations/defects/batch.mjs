/** Batches: what is a part of a transaction, and kept or undone with it. */
export const defects = [
  {
    name: 'an operation of a batch opens a session of its own',
    file: 'libs/core/src/nest/features/session.opening.ts',
    find: 'joinedSession(request.given)?.part(viewerOf(request)) ?? open(request)',
    replace: 'open(request)',
    tests: ['contract/batch'],
  },
  {
    name: 'an operation has another session of row level security than its batch',
    file: 'libs/core/src/visibility/session.ts',
    find: '!isDeepStrictEqual(viewer.sessionContext, sessionContext)',
    replace: 'false',
    tests: ['contract/batch.rules'],
  },
  {
    name: 'an operation sees with the rules of the batch',
    file: 'libs/core/src/visibility/session.ts',
    find: 'return new Session(this.#own.database, this.pool, viewer, undefined, this.outer ?? this);',
    replace:
      'return new Session(this.#own.database, this.pool, this.#own.viewer, undefined, this.outer ?? this);',
    tests: ['contract/batch.rules'],
  },
  {
    name: 'a part writes after the transaction of its batch is undone',
    file: 'libs/core/src/database/transactions/units.of.work.ts',
    find: 'if (undone !== undefined) throw undone.error;',
    replace: '',
    tests: ['contract/batch'],
  },
  {
    name: 'what parts leave for after the commit runs before it',
    file: 'libs/core/src/database/transactions/units.of.work.ts',
    find: 'for (const work of left) this.outer.afterCommit(work);',
    replace: 'await inOrder(left);',
    tests: ['contract/batch'],
  },
  {
    name: 'a part takes a place among the requests in flight',
    file: 'libs/core/src/http/admission/admission.ts',
    find: 'endpoint?.isImmediate === true || exchange.part !== undefined) return true;',
    replace: 'endpoint?.isImmediate === true) return true;',
    tests: ['contract/batch.requests'],
  },
  {
    name: 'an endpoint that is kept out takes part in a batch',
    file: 'libs/core/src/nest/features/feature.compiler.ts',
    find: 'endpoint.isBatchable && settings.inBatches && !models.isBacked',
    replace: 'endpoint.isBatchable && !models.isBacked',
    tests: ['contract/batch'],
  },
  {
    name: 'a batch reaches endpoints outside of its group',
    file: 'libs/core/src/http/dispatch/operation.dispatch.ts',
    find: 'groups.every((group, index) => endpoint.leaf.groups[index] === group)',
    replace: 'groups.length >= 0',
    tests: ['contract/batch'],
  },
  {
    name: 'a value of an answer is not percent-encoded in a path',
    file: 'libs/core/src/kinds/batch/earlier.answers.ts',
    find: 'return encodeURIComponent(String(value));',
    replace: 'return String(value);',
    tests: ['contract/batch'],
  },
  {
    name: 'a transaction in which a statement failed seems to be kept',
    file: 'libs/core/src/database/lease/leased.connections.ts',
    find: 'if (lease instanceof Lease && lease.failure !== undefined)',
    replace: 'if (lease instanceof Lease && lease.failure === lease)',
    tests: ['contract/batch.transaction'],
  },
];
