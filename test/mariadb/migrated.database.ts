import { MikroORM } from '@mikro-orm/core';
import { Migrator, type MigratorOptions } from '@nest-endpoints/migrations';
import { connectionOf } from '../support/catalogue.js';
import { freshDatabase } from '../support/database.js';

/** A database of MariaDB to migrate. */
export interface MigratedMariaDb {
  readonly orm: MikroORM;
  to(sql: MigratorOptions['sql'] | string, options?: Partial<MigratorOptions>): Migrator;
  /** Runs any number of statements past the migrator. */
  run(sql: string): Promise<void>;
  rows(query: string): Promise<Record<string, unknown>[]>;
  /** What the server writes of all tables, views, triggers and routines. */
  written(): Promise<readonly string[]>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

export const migratedMariaDb = async (): Promise<MigratedMariaDb> => {
  const database = await freshDatabase('mariadb');
  const orm = await MikroORM.init({
    ...database.options,
    driverOptions: { ...Object(database.options.driverOptions), multipleStatements: true },
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  const connection = connectionOf(orm);
  const rows = async (query: string): Promise<Record<string, unknown>[]> => connection.execute(query);
  const run = async (sql: string): Promise<void> => {
    await connection.executeDump(sql);
  };
  const empty = async (): Promise<void> => {
    const found = await rows(
      `select concat('drop ', if(table_type = 'VIEW', 'view', 'table'), ' \`', replace(table_name, '\`', '\`\`'), '\`') as statement
       from information_schema.tables where table_schema = database()
       union all select concat('drop ', routine_type, ' ', routine_name) from information_schema.routines where routine_schema = database()`,
    );
    const parts = found.map(({ statement }) => String(statement));
    await run(['set foreign_key_checks = 0', ...parts, 'set foreign_key_checks = 1'].join('; '));
  };
  const written = async (): Promise<readonly string[]> => {
    const tables = await rows(
      `select table_name as name from information_schema.tables where table_schema = database() and table_name <> 'nest_endpoints_applied' order by 1`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const [row] = await rows(`show create table \`${String(name).replaceAll('`', '``')}\``);
      texts.push(String(row?.['Create Table'] ?? row?.['Create View']).replace(/ AUTO_INCREMENT=\d+/, ''));
    }
    const bodies = await rows(
      `select concat(routine_name, routine_type, ifnull(dtd_identifier, ''), routine_definition) as text from information_schema.routines where routine_schema = database()
       union all select concat(trigger_name, event_object_table, action_timing, event_manipulation, action_statement) from information_schema.triggers where trigger_schema = database() order by 1`,
    );
    return [...texts, ...bodies.map(({ text }) => String(text))];
  };
  return {
    orm,
    to: (sql, options = {}) =>
      new Migrator({ cursor: orm, sql: typeof sql === 'string' ? [sql] : sql, ...options }),
    run,
    rows,
    written,
    empty,
    close: async () => {
      await orm.close();
      await database.drop();
    },
  };
};
