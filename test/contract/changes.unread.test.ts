import { expect } from '@jest/globals';
import { ChangeRecord, pruneChanges, readChanges } from '@nest-endpoints/core';
import { once, service } from '../support/contract.js';
import { City, Country, create, town, untilRead } from './changes.town.js';

// PGlite has one session: nothing is read there while a transaction is open.
const { contract } = service(town({ entities: [City, Country, ChangeRecord] }), once);

contract('A change that nobody can read yet is kept, whatever time it has', async (subject) => {
  const { em } = subject;
  // Changes are read when no transaction is open any more that began before them.
  const open = em().fork();
  await open.begin();
  await open.getConnection().execute('select pg_current_xact_id()', [], 'run', open.getTransactionContext());
  await create(subject, { name: 'Lyon' });
  await em().getConnection().execute(`update change_record set at = at - interval '91 days'`);
  expect(await readChanges(em())).toEqual([]);
  expect(await pruneChanges(em())).toBe(0);
  await open.commit();
  await untilRead(subject, 1);
  expect(await pruneChanges(em())).toBe(1);
});
