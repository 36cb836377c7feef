/** What a migration may do. See defects.mjs. */
export const defects = [
  {
    name: 'tables are not locked before their values are looked at',
    file: 'libs/migrations/src/safety/changed.values.ts',
    find: 'await session.query(`lock table ${table} in access exclusive mode`)',
    replace: 'await Promise.resolve(table)',
    tests: ['contract/migrations.processes'],
  },
  {
    name: 'invalid indexes after apply are not told of',
    file: 'libs/migrations/src/commands/applied.change.ts',
    find: 'from pg_index where not indisvalid',
    replace: 'from pg_index where false',
    tests: ['contract/migrations.safety'],
  },
  {
    name: 'target SQL may take not null away',
    file: 'libs/migrations/src/gate/allowed.table.changes.ts',
    find: `  AT_SetNotNull: true,
`,
    replace: `  AT_SetNotNull: true,
  AT_DropNotNull: true,
`,
    tests: ['contract/migrations.gate'],
  },
  {
    name: 'materialized views may stand in reserved schemas',
    file: 'libs/migrations/src/gate/reserved.schemas.ts',
    find: 'typevar, into?.rel]',
    replace: 'typevar]',
    tests: ['contract/migrations.gate'],
  },
  {
    name: 'the SQL of modules is in another order',
    file: 'libs/migrations/src/module.migrations.ts',
    find: 'return included.flatMap(',
    replace: 'return included.toReversed().flatMap(',
    tests: ['contract/migrations.order'],
  },
  {
    name: 'cursor does not go before cursorDependencyName',
    file: 'libs/migrations/src/migrations.ts',
    find: 'if (cursor === undefined && token !== undefined) {',
    replace: 'if (token !== undefined) {',
    tests: ['contract/migrations.order'],
  },
];
