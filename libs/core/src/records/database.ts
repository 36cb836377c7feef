import type { EntityManager, MikroORM } from '@mikro-orm/core';
import type { AbstractSqlDriver, SqlEntityManager } from '@mikro-orm/sql';
import { CompiledQuery } from 'kysely';
import { Dialect } from './dialect.js';
import type { Row } from './row.writer.js';
import type { Statement } from './statement.js';
import { TableSql } from './table.sql.js';

/** A request's own entity manager: an empty identity map, and the transaction of the request if there is one. */
export type RequestEntityManager = SqlEntityManager;

/** The SQL database behind a MikroORM instance. */
export class Database {
  readonly dialect: Dialect;
  readonly tables: TableSql;

  constructor(readonly orm: MikroORM) {
    const driver = orm.em.getDriver() as unknown as AbstractSqlDriver;
    this.dialect = new Dialect(driver.getPlatform());
    this.tables = new TableSql(driver, this.dialect, schemaOf(orm));
  }

  fork(): RequestEntityManager {
    return this.orm.em.fork() as EntityManager as RequestEntityManager;
  }

  /** Sends a statement with real parameters, inside the entity manager's transaction when there is one. */
  async run(
    em: RequestEntityManager,
    statement: Statement,
    inputs: readonly unknown[],
  ): Promise<readonly Row[]> {
    const query = CompiledQuery.raw(statement.text, statement.bind(inputs));
    const { rows } = await em.getKysely().executeQuery<Row>(query);
    return rows;
  }
}

/** The schema that tables without one of their own are in, when it is not the database's default. */
function schemaOf(orm: MikroORM): string | undefined {
  const schema = orm.config.get('schema');
  return schema === orm.em.getPlatform().getDefaultSchemaName() ? undefined : schema;
}
