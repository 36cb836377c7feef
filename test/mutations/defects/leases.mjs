/** Transactions whose statements go past Kysely: what a write in a unit of work answers with. */
export const defects = [
  {
    name: 'questions that are asked at once within a transaction wait in the connection, which `pg` refuses in its next version',
    file: 'libs/core/src/database/lease/lease.ts',
    find: 'const before = native.client.readyForQuery ? undefined : this.#underWay;',
    replace: 'const before = native.client.readyForQuery ? this.#underWay : undefined;',
    tests: ['contract/many-to-many-ids'],
  },
  {
    name: 'a statement waits behind another for a connection that has just failed, as the next `pg` refuses',
    file: 'libs/core/src/database/lease/lease.ts',
    find: '      if (!isReady) await begun;\n',
    replace: '',
    tests: ['contract/create-many.conflicts'],
  },
  {
    name: 'a row is answered as it was written, whatever was asked since',
    file: 'libs/core/src/database/lease/lease.ts',
    find: `    this.written = undefined;
    this.#asked.begin();
    const stopsAsking = this.#endsWith(
`,
    replace: `    this.#asked.begin();
    const stopsAsking = this.#endsWith(
`,
    tests: ['contract/life-cycle.statements'],
  },
  {
    name: 'a row is answered that is of another record',
    file: 'libs/core/src/records/writes/told.row.ts',
    find: ' || String(written.key) !== String(id)) return undefined;',
    replace: ') return undefined;',
    tests: ['contract/life-cycle.statements'],
  },
  {
    name: 'a row is answered that a trigger has changed since',
    file: 'libs/core/src/records/writes/unit.writes.ts',
    find: 'const isTold = told !== undefined && (await told.isFinal(session));',
    replace: 'const isTold = told !== undefined;',
    tests: ['contract/life-cycle.statements'],
  },
];
