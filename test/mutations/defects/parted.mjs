/** Tables in parts by the tenant, our own ones included. See defects.mjs. */
const changes = ['contract/parted.changes'];
const kept = ['contract/parted.idempotency', 'contract/parted.kept-parts'];
const distributed = ['contract/distributed'];
const migrations = ['contract/migrations.distributed'];

export const defects = [
  {
    name: 'parted: answers that are kept are found in any part',
    file: 'libs/core/src/records/idempotency/kept.statements.ts',
    find: "part.map((name) => `${name} = ${next()} and `).join('')",
    replace: "part.map(() => `${next()}::text is not null and `).join('')",
    tests: ['contract/parted.statements'],
  },
  {
    name: 'parted: the sweep of kept answers waits for rows that others hold',
    file: 'libs/core/src/records/idempotency/kept.statements.ts',
    find: "const locked = dialect.skipsLocked ? ' for update skip locked' : '';",
    replace: "const locked = '';",
    tests: kept,
  },
  {
    name: 'parted: a table of kept answers from before is taken as it is',
    file: 'libs/core/src/records/distributed/parted.tables.ts',
    find: 'if (row === undefined || row[0] === storedField(part)) return;',
    replace: 'if (row !== null) return;',
    tests: kept,
  },
  {
    name: 'parted: answers about records in parts are kept in a whole table',
    file: 'libs/core/src/kinds/write/kept.part.ts',
    find: 'if (parted === undefined) return undefined;',
    replace: 'if (parted !== null) return undefined;',
    tests: kept,
  },
  {
    name: 'parted: the placeholder of a distributed plan is told as an estimate',
    file: 'libs/core/src/records/distributed/planned.rows.ts',
    find: "return plan?.['Custom Plan Provider'] === undefined ? plan?.['Plan Rows'] : shardedRows(plan);",
    replace: "return plan?.['Plan Rows'] ?? (plan === undefined ? undefined : shardedRows(plan));",
    tests: ['contract/count.planned'],
  },
  {
    name: 'parted: nobody is told that a write waits for a lock without end',
    file: 'libs/core/src/records/distributed/lock.advice.ts',
    find: 'if (!isCitus && !isParted) return [];',
    replace: 'if (!isCitus || isParted) return [];',
    tests: distributed,
  },
  {
    name: 'parted: a limit that workers do not hear of is taken for one',
    file: 'libs/core/src/records/distributed/lock.advice.ts',
    find: 'if (!isCitus || !ofConnection.has(source)) return [];',
    replace: 'if (source !== null) return [];',
    tests: distributed,
  },
  {
    name: 'parted: statements name no part',
    file: 'libs/core/src/sql/scope.ts',
    find: 'return writeRestriction(writer, restriction, place, glue);',
    replace: 'return false;',
    tests: ['contract/parted.property'],
  },
  {
    name: 'parted: workers of Citus hear of no variable of row level security',
    file: 'libs/core/src/endpoint/row.level.security.ts',
    find: 'return (await this.#distributed.isCitus()) ? spreadSession(session) : session;',
    replace: 'return session;',
    tests: distributed,
  },
  {
    name: 'parted: the value of a variable ends the statement that sets it',
    file: 'libs/core/src/database/transactions/spread.session.ts',
    find: `.replaceAll("'", "''")`,
    replace: '',
    tests: distributed,
  },
  {
    name: 'parted: a lone statement on Citus has a session that workers do not hear of',
    file: 'libs/core/src/database/own.em.ts',
    find: 'if (isSpread(sessionContext)) return false;',
    replace: '',
    tests: distributed,
  },
  {
    name: 'parted: foreign keys come before the tables that they lead to are distributed',
    file: 'libs/migrations/src/distribution/distributed.tables.ts',
    find: 'return [...steps.filter((step) => !keys.includes(step)), ...placing, ...keys];',
    replace: 'return [...steps, ...placing];',
    tests: migrations,
  },
  {
    name: 'parted: a table with rows is distributed while writes wait',
    file: 'libs/migrations/src/distribution/distributed.tables.ts',
    find: "if (rows?.['has_rows'] !== true) return undefined;",
    replace: 'if (rows !== null) return undefined;',
    tests: migrations,
  },
  {
    name: 'parted: a target may run a select that distributes, and more',
    file: 'libs/migrations/src/distribution/distribution.ts',
    find: 'if (!isAlone || Object.keys(more).length > 0 || others.length > 0) return undefined;',
    replace: 'if (!isAlone) return undefined;',
    tests: migrations,
  },
  {
    name: 'parted: a flush takes a record of another part for the one that it changes',
    file: 'libs/core/src/database/changes/flushed.log.ts',
    find: "joined: (tables) => ` and ${tables.field('e', part)} = ${own}`,",
    replace: "joined: () => '',",
    tests: changes,
  },
  {
    name: 'parted: a history tells of records of other parts',
    file: 'libs/core/src/records/changes/record.history.ts',
    find: "const ofRecord = [...placed, isOf].join(' and ');",
    replace: "const ofRecord = [...placed.map((one) => `(${one} or true)`), isOf].join(' and ');",
    tests: changes,
  },
  {
    name: 'parted: the changes of a record are emptied in every part',
    file: 'libs/core/src/records/changes/kept.changes.ts',
    find: "where ${part === undefined ? '' : `${part} = ? and `}${field('model')} = ?",
    replace: "where ${part === undefined ? '' : `(${part} = ? or true) and `}${field('model')} = ?",
    tests: changes,
  },
];
