import { isLeftToUnits } from '../../../database/errors/left.to.units.js';
import type { Database } from '../../../database/database.js';
import type { Model } from '../../../model/model.js';
import type { StoredColumns } from '../../../sql/bulk/stored.columns.js';
import type { Restrictions } from '../../../sql/restriction.js';
import type { Row } from '../../../sql/row.layout.js';
import { StatementCache } from '../../../sql/statement.cache.js';
import type { TableSql } from '../../../sql/table.sql.js';
import type { Statement, StatementInputs } from '../../../sql/statement.js';
import type { WrittenParent, WrittenRecord } from '../../../sql/written/written.record.js';
import type { Session } from '../../../visibility/session.js';
import type { WriteUse } from '../../record.store.js';
import { FilledValues } from '../filled.values.js';
import { isKeptWithin } from '../kept.within.js';
import type { RowValues } from '../filled.values.js';
import { StatementParts } from '../statement.parts.js';

/** The parts that statements for many records share. */
export class BulkStatementParts extends StatementParts {
  readonly filled: FilledValues;
  readonly #kept: StatementCache;
  #statements: StatementCache;
  #writtenFor: StoredColumns | undefined;

  constructor(database: Database, model: Model, use: WriteUse) {
    super(database, model, use);
    this.filled = new FilledValues(model.meta, database.dialect);
    this.#kept = use.statements ?? new StatementCache();
    this.#statements = this.#kept.part('bulk');
  }

  /** The columns of the table, for statements that are written from now on. */
  stored(tables: TableSql): StoredColumns | undefined {
    const columns = this.way.columnsIn(tables);
    // Texts are kept for a table as it is.
    if (columns !== this.#writtenFor) this.#statements = this.#kept.part(`bulk ${columns?.text ?? ''}`);
    this.#writtenFor = columns;
    return columns;
  }

  /** The subject of a statement. */
  target(restrictions: Restrictions, parents: readonly WrittenParent[]): WrittenRecord {
    const { model, recorded } = this;
    return { model, columns: this.use.reading.layout.columns, restrictions, parents, recorded };
  }

  /** The parents of which the request may not see all, and that the written rows may refer to. */
  hiddenParents(
    restrictions: Restrictions,
    has: (parent: WrittenParent) => boolean,
  ): readonly WrittenParent[] {
    return this.way.parents.filter((one) => restrictions.has(one.parent.meta) && has(one));
  }

  /** True if the rows certainly are what written records must be. */
  keeps(restrictions: Restrictions, rows: readonly RowValues[], isNew: boolean): boolean {
    const restriction = restrictions.get(this.model.meta);
    return restriction === undefined || rows.every((row) => isKeptWithin(restriction, row, isNew));
  }

  /** True if what changes with a record is the same for all of them: the time. */
  get changesAlike(): boolean {
    return this.filled.updated.every(({ runtimeType }) => runtimeType === 'Date');
  }

  statement(
    tables: TableSql,
    shape: readonly string[],
    restrictions: Restrictions,
    write: () => Statement,
  ): Statement {
    return this.#statements.get(tables, shape, restrictions, [], write);
  }

  override async sent(
    session: Session,
    statement: Statement,
    inputs: StatementInputs,
  ): Promise<readonly Row[] | undefined> {
    try {
      return await super.sent(session, statement, inputs);
    } catch (error) {
      if (!isLeftToUnits(error)) throw error;
      return undefined;
    }
  }
}
