import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../../sql/dialect.js';
import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';

/** A change of one record by a flush. */
export interface FlushedChange {
  readonly sort: 'created' | 'updated' | 'deleted';
  /** True if it is written before new records are. */
  readonly isEarly: boolean;
  /** The key of the record so far; undefined for a new one. */
  readonly before: unknown;
  /** The key of the record, once it is written. */
  readonly keyOf: () => unknown;
  /** The part that the record is in; undefined where tables are whole. */
  readonly partOf?: () => unknown;
}

/** The database as the log of flushes asks it. */
export interface LoggingDatabase {
  readonly dialect: Dialect;
  readonly tables: TableSql;
  tablesIn(schema: string | undefined): TableSql;
  run(em: SqlEntityManager, statement: Statement, inputs: StatementInputs): Promise<readonly Row[]>;
}
