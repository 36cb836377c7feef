import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { citusUrl } from './citus.js';
import type { DatabaseName } from './database.js';

const parts = 3;

/** A statement that makes a table, as MikroORM writes it. */
const madeTable = /^create table "(\w+)" \((.*)\);$/s;

/**
 * Makes the tables of entities, those with a column in parts by the hash of it, each on a shard of its own where the database is a
 * cluster of Citus. SQLite has no parts.
 */
export const partedBy =
  (column: string) =>
  async (orm: MikroORM, database: DatabaseName): Promise<void> => {
    if (database === 'sqlite') return orm.schema.create();
    const driver = orm.driver as AbstractSqlDriver;
    const sql = await orm.schema.getCreateSchemaSQL({ wrap: false });
    for (const statement of sql.split(/(?<=;)\n+/)) {
      const [, table, columns = ''] = madeTable.exec(statement.trim()) ?? [];
      const by = columns.includes(`"${column}"`) ? column : undefined;
      for (const one of table === undefined ? [statement] : madeIn(table, columns, by))
        if (one.trim() !== '') await driver.execute(one);
    }
  };

/** @param by the column of the parts; undefined for a table that every part refers to */
const madeIn = (table: string, columns: string, by: string | undefined): readonly string[] => {
  const made = `create table "${table}" (${columns})`;
  if (citusUrl !== undefined) {
    const placed = by === undefined ? 'create_reference_table' : 'create_distributed_table';
    return [made, `select ${placed}('"${table}"'${by === undefined ? '' : `, '${by}'`})`];
  }
  if (by === undefined) return [made];
  const all = Array.from(
    { length: parts },
    (_, part) =>
      `create table "${table}_${part}" partition of "${table}" for values with (modulus ${parts}, remainder ${part})`,
  );
  return [`${made} partition by hash ("${by}")`, ...all];
};
