import { fillPeople } from './tables.mjs';
import { ofOthers, ownValues, tenantUsers } from './tenant.tables.mjs';

/** Far from the ids that PostgreSQL gives to what is created. */
const firstDeletable = 1_000_000_000;

/** Records to be deleted by a measurement; answers the range of their ids. */
export async function addDeletable(client, { table, records, count }) {
  await client.query(`delete from ${table} where id >= ${firstDeletable} and id < ${ofOthers.first}`);
  const further = table === tenantUsers ? ownValues : {};
  await client.query(fillPeople(table, { from: firstDeletable, count, all: records, further }));
  return { first: firstDeletable, last: firstDeletable + count - 1 };
}

/** Brings the table back to what it was, and rids it of what updates left. */
export async function tidy(client, table, records) {
  await client.query(`delete from ${table} where id > ${records} and id < ${ofOthers.first}`);
  await client.query(`vacuum analyze ${table}`);
}
