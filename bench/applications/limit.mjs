// LIMIT: what this machine can do. Node's own server, pg, prepared statements, rows as the text that PostgreSQL sends,
// and a serializer for this one table.
import pg from 'pg';
import { serveRecords } from './limit.server.mjs';
import { statementsOf } from './statements.mjs';

const asText = { getTypeParser: () => (text) => text };

/** Statements that are sent often, by name, which PostgreSQL plans once. */
const named = (name, text) => ({ name, text, rowMode: 'array', types: asText });

/** A free search is planned for its values: a plan that fits all of them is slower than the planning. */
const free = (text) => ({ text, rowMode: 'array', types: asText });

/** @param by the texts of its statements, and what tells the tenant of a header if there are tenants */
export function serve(connectionString, by) {
  const connections = new pg.Pool({ connectionString, max: 10 });
  const query = connections.query.bind(connections);
  const rowsOf = async ({ name, text, rowMode, types }, values) => {
    const { rows } = await query({ name, text, rowMode, types, values });
    return rows;
  };
  return serveRecords({
    named,
    free,
    rowsOf,
    updated: rowsOf,
    behind: (age, id) => [age, id],
    isRemoved: async (statement, values) => (await query({ ...statement, values })).rowCount > 0,
    codes: { unique: '23505', foreign: '23503' },
    yes: 't',
    ...by,
  });
}

export const start = (connectionString) => serve(connectionString, { sql: statementsOf() });
