import { once, service } from '../support/contract.js';
import { expectOwnRelated, landKeys, lands } from './related.lands.js';

// PGlite knows no collation of ICU.
const { contract } = service(lands, once);

contract('Related records are those of their owner however they spell its key', async (subject) => {
  const connection = subject.em().getConnection();
  const collation = "(provider = icu, locale = 'und-u-ks-level2', deterministic = false)";
  await connection.execute(`create collation if not exists ci ${collation}`);
  for (const [table, column] of Object.entries(landKeys))
    await connection.execute(`alter table ${table} alter column ${column} type varchar(10) collate ci`);
  await expectOwnRelated(subject);
});
