import { expect } from '@jest/globals';
import { ChangeRecord, eraseChanges, pruneChanges, readChanges } from '@nest-endpoints/core';
import { postgresqlOnly, service } from '../support/contract.js';
import { City, Country, create, patch, toldBy, town, untilRead } from './changes.town.js';

const { contract } = service(town({ entities: [City, Country, ChangeRecord] }), postgresqlOnly);

contract('What is erased of the log has names and no values, and what is too old goes', async (subject) => {
  const { em } = subject;
  const id = await create(subject, { name: 'Lyon', population: 5 });
  await patch(subject, id, { name: 'Nice' });
  await eraseChanges(em(), City, id);
  const told = await toldBy(subject);
  expect(told).toMatchObject([
    { operation: 'created', before: null, after: null },
    { operation: 'updated', before: null, after: null },
  ]);
  expect(told[1]?.withheld).toEqual(['name', 'updated', 'version']);
  expect(await pruneChanges(em())).toBe(0);
  await em()
    .getConnection()
    .execute(`update change_record set at = at - interval '91 days' where operation = 'created'`);
  await untilRead(subject, 2);
  expect(await pruneChanges(em())).toBe(1);
  expect(await toldBy(subject)).toHaveLength(1);
});

contract('A change that readers have not come to is kept, whatever time it has', async (subject) => {
  const { em } = subject;
  const id = await create(subject, { name: 'Lyon' });
  await patch(subject, id, { name: 'Nice' });
  // Whose transaction began later may be told of with an earlier time.
  await em()
    .getConnection()
    .execute(
      `update change_record set at = at - case operation when 'created' then interval '91 days' else interval '92 days' end`,
    );
  const [first, second] = await readChanges(em());
  if (first === undefined || second === undefined) throw new Error('there are not two changes');
  expect(await pruneChanges(em(), first)).toBe(1);
  expect(await toldBy(subject)).toMatchObject([{ operation: 'updated' }]);
  expect(await pruneChanges(em(), second)).toBe(1);
});
