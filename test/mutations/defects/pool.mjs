/** Statements that are sent to PostgreSQL in a wrong way, or under a wrong name. See defects.mjs. */
export const defects = [
  {
    name: 'a connection that is broken is given to who comes next',
    file: 'libs/core/src/database/lease/leased.connections.ts',
    find: '      lease.endBroken();\n',
    replace: '',
    tests: ['contract/connections.broken', 'contract/connections.hanging'],
  },
  {
    name: 'a transaction on a connection that hangs is asked to end',
    file: 'libs/core/src/database/lease/leased.connections.ts',
    find: '    await refuseBroken(lease);\n    await rollback(innerOf(lease));',
    replace: '    await rollback(innerOf(lease));',
    tests: ['contract/connections.hanging'],
  },
  {
    name: 'a pool that gives Kysely no connection is waited for twice',
    file: 'libs/core/src/database/lease/leased.connections.ts',
    find: 'clients.lent(() => acquire(options)).catch(refuse)',
    replace: 'clients.lent(() => acquire(options))',
    tests: ['contract/connections.broken'],
  },
  {
    name: 'a query of Kysely that nobody gave a signal goes on when its request has ended',
    file: 'libs/core/src/database/em/given.up.plugin.ts',
    find: '    signals.set(queryId, this.signal);\n',
    replace: '',
    tests: ['contract/cancels.overtaken'],
  },
  {
    name: 'a stream goes on when its request has ended',
    file: 'libs/core/src/database/lease/lease.ts',
    find: 'this.#endsWith(ownSignal ?? signalOfQuery(queryId))',
    replace: 'this.#endsWith(undefined)',
    tests: ['contract/cancels.overtaken'],
  },
  {
    name: 'a server is asked once to stop a statement that may be on its way still',
    file: 'libs/core/src/database/stop.requests.ts',
    find: '      await this.#answeredWithin(pause);',
    replace: '      break;',
    tests: ['contract/cancels.overtaken'],
  },
  {
    name: 'a statement that Kysely sends for an endpoint knows nothing of the end of its request',
    file: 'libs/core/src/database/kysely.sender.ts',
    find: '    const options = { signal, inflightQueryAbortStrategy: this.strategy };',
    replace: '    const options = { inflightQueryAbortStrategy: this.strategy };',
    tests: ['contract/cancels.overtaken'],
  },
  {
    name: 'the end of a statement that nobody waits for is written on the console',
    file: 'libs/core/src/database/lease/lease.ts',
    find: '      if (options?.signal?.aborted === true) return { rows: [] };\n',
    replace: '',
    tests: ['contract/cancels.overtaken'],
  },
  {
    name: 'a connection stays with a request that was cancelled while it waited',
    file: 'libs/core/src/database/pool/lone.statement.ts',
    find: `      late?.end();
      letGo(release);
      reject(cancellation.reason);`,
    replace: `      late?.end();
      reject(cancellation.reason);`,
    tests: ['contract/connections.waited-for'],
  },
  {
    name: 'a connection stays where all that it was for were given up',
    file: 'libs/core/src/database/pool/gathered.reads.ts',
    find: `        late?.end();
        letGo(release);`,
    replace: '        late?.end();',
    tests: ['contract/connections.waited-for'],
  },
  {
    name: 'who does not want a connection hands it on within the one before',
    file: 'libs/core/src/database/pool/lone.statement.ts',
    find: `  queueMicrotask(() => {
    release();
  });`,
    replace: '  release();',
    tests: ['contract/connections.crowd'],
  },
  {
    name: 'a connection is asked for with each statement, whoever waits for those that were',
    file: 'libs/core/src/database/pool/gathered.reads.ts',
    find: 'const spare = limit === undefined ? this.#spare.shift() : undefined;',
    replace: 'const spare = undefined as Asking | undefined;',
    tests: ['contract/connections.crowd'],
  },
  {
    name: 'reads that are sent together have the session of the first',
    file: 'libs/core/src/database/pool/text.query.ts',
    find: 'settings.length > 0 && !isSame(settings, this.parts[position - 1]?.settings)',
    replace: 'settings.length > 0 && position === 0',
    tests: ['contract/gathered.sessions'],
  },
  {
    name: 'sessions of one message are known by their names',
    file: 'libs/core/src/database/pool/text.query.ts',
    find: '=> others[index]?.[0] === name && others[index][1] === value',
    replace: '=> others[index]?.[0] === name && value !== undefined',
    tests: ['contract/gathered.sessions'],
  },
  {
    name: 'reads share a message whatever their sessions set',
    file: 'libs/core/src/database/pool/gathered.reads.ts',
    find: 'settings.every(([name], index) => other.settings[index]?.[0] === name)',
    replace: 'settings.every(([name]) => name !== undefined)',
    tests: ['contract/gathered.sessions'],
  },
  {
    name: 'what is asked behind a read that fails gets its error',
    file: 'libs/core/src/database/pool/read.batch.ts',
    find: 'if (!isNext || this.#isLate',
    replace: 'if (this.#isLate',
    tests: ['contract/gathered.reads'],
  },
  {
    name: 'reads wait for a lock that others of their batch wait for',
    file: 'libs/core/src/database/pool/read.batch.ts',
    find: 'setTimeout(this.#look, noticedWait)',
    replace: 'setTimeout(this.#look, 10 * noticedWait)',
    tests: ['contract/gathered.reads'],
  },
  {
    name: 'a connection to a replica stays with a read that was given up',
    file: 'libs/core/src/database/pool/lone.statement.ts',
    find: `      late?.end();
      letGo(release);
      return;`,
    replace: `      late?.end();
      return;`,
    tests: ['contract/replicas.lost'],
  },
  {
    name: 'any number of statements is prepared',
    file: 'libs/core/src/database/pool/prepared.names.ts',
    find: 'const keptNames = 1000;',
    replace: 'const keptNames = 100_000;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'few statements are prepared',
    file: 'libs/core/src/database/pool/prepared.names.ts',
    find: 'const keptNames = 1000;',
    replace: 'const keptNames = 100;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'a search keeps a plan that knows no values',
    file: 'libs/core/src/database/pool/prepared.names.ts',
    find: 'const plansWithValues = 5;',
    replace: 'const plansWithValues = 6;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'a connection keeps any number of searches',
    file: 'libs/core/src/database/pool/prepared.names.ts',
    find: 'const renewedNames = 50;',
    replace: 'const renewedNames = 5000;',
    tests: ['contract/statements.prepared'],
  },
  {
    name: 'settings are prepared under one name, however many they are',
    file: 'libs/core/src/database/pool/text.query.ts',
    find: '`es${length}`',
    replace: "'es'",
    tests: ['contract/gathered.sessions', 'contract/row-level-security'],
  },
  {
    name: 'a session whose settings a pooler has forgotten is refused',
    file: 'libs/core/src/database/transactions/session.settings.ts',
    find: ' || isLostName(error)',
    replace: '',
    tests: ['contract/gathered.sessions', 'contract/row-level-security'],
  },
];
