// The PostgreSQL of a run with the records that every application serves.
import pg from 'pg';
import { addDeletable, tidy } from './changing.records.mjs';
import { postgresCpu } from './postgres.cpu.mjs';
import { startPostgres } from './postgres.mjs';
import { tables } from './tables.mjs';
import { dropTenants, tenantTables } from './tenant.tables.mjs';

/**
 * Starts it and fills it.
 * @returns `url` leads there, `cpu` answers its microseconds of CPU so far, where they can be seen
 */
export async function openPostgres({ records, hasTenants }) {
  const postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  let hasRole = false;
  const close = async () => {
    if (hasRole) for (const statement of dropTenants) await client.query(statement);
    await client.end();
    await postgres.stop();
  };
  try {
    await client.connect();
    for (const statement of tables(records)) await client.query(statement);
    if (hasTenants) for (const statement of tenantTables(records)) await client.query(statement);
    hasRole = hasTenants;
    return {
      url: postgres.url,
      cpu: await postgresCpu(client),
      addDeletable: (range) => addDeletable(client, range),
      tidy: (table, all) => tidy(client, table, all),
      version: async () => (await client.query('show server_version')).rows[0].server_version,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
