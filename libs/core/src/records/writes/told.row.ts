import type { Database } from '../../database/database.js';
import type { KyselyTransaction } from '../../database/kysely.types.js';
import type { Lease } from '../../database/lease/lease.js';
import type { AnsweredColumns } from '../../database/lease/written.row.js';
import { leaseIn } from '../../database/lease/transaction.lease.js';
import type { Model } from '../../model/model.js';
import type { ReadPath, Selection } from '../../query/query.plan.js';
import { Scope } from '../../sql/scope.js';
import type { Restriction } from '../../sql/restriction.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import { StatementWriter } from '../../sql/statement.js';
import type { Session } from '../../visibility/session.js';
import { isKeptWithin } from './kept.within.js';
import type { RowTelling } from './row.telling.js';
import { WriteWay } from './write.way.js';

const nothing: readonly [] = [];

/** Has the row that a flush writes told along with it, so that nobody reads it back. Made once for a selection. */
export class ToldRow implements RowTelling {
  readonly #way: WriteWay;
  readonly #columns: AnsweredColumns;

  private constructor(database: Database, model: Model, selection: Selection, columns: readonly ReadPath[]) {
    this.#way = new WriteWay(database, model, selection, { unique: nothing, belongsTo: nothing });
    const writer = new StatementWriter(database.dialect);
    const scope = new Scope({ writer, tables: database.tables, restrictions: new Map() }, model);
    const list = columns.map((path, index) => `${scope.output(path)} as c${index}`);
    this.#columns = { meta: model.meta, alias: scope.alias, list: list.join(', ') };
  }

  /** Undefined where more than the row itself is answered. */
  static of(
    database: Database,
    model: Model,
    selection: Selection,
    { columns, lists }: RowLayout,
  ): ToldRow | undefined {
    if (!database.isPostgres || columns.length === 0 || lists.length > 0) return undefined;
    const isOwn = columns.every(
      ({ relations, column, ranked }) =>
        relations.length === 0 &&
        ranked === undefined &&
        column.conversion === undefined &&
        column.property.formula === undefined,
    );
    return isOwn ? new ToldRow(database, model, selection, columns) : undefined;
  }

  isFinal(session: Session): boolean | Promise<boolean> {
    return this.#way.hasPlainTable(session);
  }

  expect(session: Session): void {
    const lease = leaseOf(session);
    if (lease !== undefined) lease.answering = this.#columns;
  }

  /**
   * The row of a record as it was written last; undefined where it must be read.
   *
   * @param restriction of what written records must meet
   */
  row(session: Session, id: unknown, restriction: Restriction | undefined): Row | undefined {
    const lease = leaseOf(session);
    const written = lease?.written;
    if (lease !== undefined) lease.answering = undefined;
    if (written?.columns !== this.#columns || String(written.key) !== String(id)) return undefined;
    const isKept =
      restriction === undefined || isKeptWithin(restriction, new Map(written.given), written.isNew);
    return isKept ? written.row : undefined;
  }
}

/** The connection of the open transaction, where statements go past Kysely on it. */
function leaseOf(session: Session): Lease | undefined {
  if (!session.isInTransaction) return undefined;
  return leaseIn(session.em.getTransactionContext<KyselyTransaction>())?.lease;
}
