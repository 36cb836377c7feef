import type { ChangeLog } from '../../database/changes/change.log.js';
import type { Database } from '../../database/database.js';
import { databaseReason, type DatabaseReason } from '../../database/errors/database.error.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { Condition } from '../../query/query.plan.js';
import type { Restrictions } from '../../sql/restriction.js';
import { isBoundAsItIs } from '../../sql/comparison.js';
import type { RecordedTarget } from '../../sql/changes/change.log.sql.js';
import { originSettings } from '../../sql/changes/change.origin.js';
import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';
import type { WrittenParent } from '../../sql/written/written.record.js';
import type { Session } from '../../visibility/session.js';
import type { ColumnValues, WriteUse } from '../record.store.js';
import type { RowValues } from './filled.values.js';
import { guardedBy, WriteWay } from './write.way.js';
import type { ExpectedVersions } from './writes.js';

const nothing: readonly [] = [];

/** The parts that writes by a statement share, of one record or of many. */
export class StatementParts {
  readonly way: WriteWay;
  /** The log that statements have to tell of changes; undefined where they are not recorded, or a trigger does it. */
  readonly recorded: RecordedTarget | undefined;
  /** The columns whose values are bound as they are. */
  readonly #asTheyAre: ReadonlySet<Column>;
  /** Adds who writes to the inputs of a statement; undefined where nobody records it. */
  readonly #told: ((inputs: StatementInputs) => StatementInputs) | undefined;

  constructor(
    readonly database: Database,
    readonly model: Model,
    readonly use: WriteUse,
  ) {
    const { columns, lookup, selection } = use;
    this.way = new WriteWay(database, model, selection, guardedBy(model, columns, lookup?.column));
    this.#asTheyAre = new Set(columns.filter(isBoundAsItIs));
    const { changes } = database;
    this.recorded = changes?.toldOf(model.meta);
    this.#told = changes && toldTo(changes, model);
  }

  /** True if a change must lock its record to tell the log how it was: no `returning` of the database has it. */
  isLocked(tables: TableSql): boolean {
    return this.recorded !== undefined && this.way.columnsIn(tables)?.returnsOld !== true;
  }

  /**
   * The records that the request may see of those a write is about; undefined where it must go through MikroORM.
   * @param entities of the write. Default those that every one of the endpoint is about
   */
  restrictions(
    session: Session,
    entities = this.way.entities,
  ): Restrictions | undefined | Promise<Restrictions | undefined> {
    const { listeners } = this.use;
    const isHeard = listeners.events?.canBeHeard !== false && listeners.isHeard;
    const isOpen = !isHeard && this.way.isOpen(session);
    if (isOpen === false) return undefined;
    if (isOpen === true) return session.restrictionsOf(entities, true);
    return isOpen.then((opens) => (opens ? session.restrictionsOf(entities) : undefined));
  }

  /** The parents of a row that may be hidden from the request: the statement itself must see them. */
  parents(restrictions: Restrictions, row: RowValues): readonly WrittenParent[] {
    if (restrictions.size === 0) return nothing;
    return this.way.parents.filter(({ property, parent }) => {
      const key = row.get(property);
      return key !== undefined && key !== null && restrictions.has(parent.meta);
    });
  }

  /** False if a record that a statement has left alone may only be in a newer version than sub-selects see. */
  isSure(restrictions: Restrictions): boolean {
    if (this.database.dialect.rowVersion === undefined) return true;
    return restrictions.get(this.model.meta)?.hasKeys !== true;
  }

  /** Undefined when the database refuses the values. */
  sent(session: Session, statement: Statement, inputs: StatementInputs): Promise<readonly Row[] | undefined> {
    const told = this.#told === undefined ? inputs : this.#told(inputs);
    return session.write(statement, told).catch((error: unknown) => {
      if (!isAboutValues(databaseReason(error))) throw error;
      return undefined;
    });
  }

  row(values: ColumnValues): RowValues {
    const { dialect } = this.database;
    const row: RowValues = new Map();
    for (const [column, value] of values) {
      const { property, type } = column;
      // Numbers and texts are bound as they are, everywhere.
      const isPlain = typeof value === 'number' || typeof value === 'string';
      const isAsItIs = value === null || (isPlain && this.#asTheyAre.has(column));
      // As it is kept: a value that the database rounds would be another than the stored one each time.
      row.set(property, isAsItIs ? value : dialect.bind(type.toDatabase(type.toKept(value))));
    }
    return row;
  }
}

/** The log's own way to hear who writes: by the values of the statement, or by settings that its trigger reads. */
function toldTo(
  changes: ChangeLog,
  { meta }: Model,
): ((inputs: StatementInputs) => StatementInputs) | undefined {
  if (changes.isTriggered(meta)) return (inputs) => ({ ...inputs, settings: originSettings(changes.origin) });
  return changes.of(meta) && ((inputs) => ({ ...inputs, origin: changes.origin }));
}

/** True if a record can be in one of the versions. */
export function isPossible(expected: ExpectedVersions | undefined): boolean {
  return expected === undefined || expected.condition !== undefined;
}

/** The unit of work finds out what is wrong with them. */
function isAboutValues(reason: DatabaseReason | undefined): boolean {
  return reason !== undefined && reason !== 'unavailable' && reason !== 'transient';
}

/** The words by which statements are told apart that have other conditions. */
export function wordsOfConditions(conditions: readonly Condition[]): string[] {
  return ['where', ...conditions.map(({ path, comparison }) => `${path.text} ${comparison}`)];
}

/** The words by which statements are told apart that look at other parents. */
export function wordsOf(parents: readonly WrittenParent[]): string[] {
  return parents.map(({ property }) => `within ${property.name}`);
}
