// LIMIT on MariaDB: what this machine can do with `mysql2`. Node's own server, prepared statements, rows as lists of values, and
// a serializer for this one table.
import mysql from 'mysql2';
import { serveRecords } from './limit.server.mjs';
import { statements } from './mariadb.statements.mjs';

const rowsAsArray = true;

export function start(uri) {
  const pool = mysql.createPool({ uri, connectionLimit: 10, timezone: 'Z', dateStrings: true });
  const rowsOf = ({ sql }, values) =>
    new Promise((resolve, reject) => {
      pool.execute({ sql, rowsAsArray }, values, (error, rows) =>
        error === null ? resolve(rows) : reject(error),
      );
    });
  const prepared = (sql) => ({ sql });
  return serveRecords({
    sql: statements,
    named: (_name, sql) => prepared(sql),
    free: prepared,
    rowsOf,
    /** MariaDB returns nothing of an update: the id is the last value. */
    async updated(statement, values, select) {
      const { affectedRows } = await rowsOf(statement, values);
      return affectedRows === 0 ? [] : rowsOf(select, values.slice(-1));
    },
    behind: (age, id) => [age, age, id],
    isRemoved: async (statement, values) => (await rowsOf(statement, values)).affectedRows > 0,
    codes: { unique: 'ER_DUP_ENTRY', foreign: 'ER_NO_REFERENCED_ROW_2' },
    yes: 1,
  });
}
