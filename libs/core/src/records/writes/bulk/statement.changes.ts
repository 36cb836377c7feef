import type { EntityProperty } from '@mikro-orm/core';
import { storedField } from '../../../metadata/stored.fields.js';
import type { Column } from '../../../model/column.js';
import { Unique } from '../../../model/validators/unique.validator.js';
import { BulkChange, type BulkValues } from '../../../sql/bulk/bulk.change.js';
import { criteriaValues, inOneOrder, relationUses } from '../../../query/criterion.js';
import type { FoundRecords } from '../../../sql/bulk/locked.records.js';
import type { StoredColumns } from '../../../sql/bulk/stored.columns.js';
import { conditionWords } from '../../../sql/condition.writer.js';
import type { Restrictions } from '../../../sql/restriction.js';
import type { Row } from '../../../sql/row.layout.js';
import type { StatementInputs } from '../../../sql/statement.js';
import type { Session } from '../../../visibility/session.js';
import { entitiesOf, shaped } from '../../page.reader.js';
import type { ColumnValues } from '../../record.store.js';
import type { Mark } from '../../soft/mark.js';
import { FollowingColumns } from '../following.columns.js';
import { isPossible, wordsOf } from '../statement.parts.js';
import type { WriteInput } from '../writes.js';
import type { BulkStatementParts } from './bulk.statement.parts.js';
import type { MetRecords, PlacedChange, PlacedTarget } from './bulk.writes.js';

const nothing: readonly [] = [];

/** The records that a statement is about, and the values by which it finds them. */
interface Found {
  readonly restrictions: Restrictions;
  readonly records: FoundRecords;
  readonly shape: readonly string[];
  readonly inputs: StatementInputs;
}

/** Changes and deletes many records by one statement. Undefined where only the unit of work can tell, and nothing was written. */
export class StatementChanges {
  readonly #following: FollowingColumns;
  readonly #changesAlike: boolean;

  constructor(private readonly parts: BulkStatementParts) {
    this.#following = new FollowingColumns(parts.use.columns);
    this.#changesAlike = parts.changesAlike;
  }

  /** The records in the order of the changes. */
  async update(
    session: Session,
    changes: readonly PlacedChange<WriteInput>[],
  ): Promise<readonly Row[] | undefined> {
    const [first] = changes;
    if (first === undefined) return undefined;
    const { input } = first.change;
    const isOne = changes.length > 1 && changes.every(({ change }) => change.input === input);
    const isSame = isOne && this.#changesAlike;
    const values = isSame ? [input.values] : changes.map(({ change }) => change.input.values);
    const found = await this.#named(session, changes);
    const rows = found && (await this.#updated(session, found, values, isSame));
    return rows?.length === changes.length ? rows : undefined;
  }

  /** The records by their keys; undefined where there are none, too. */
  async updateMet(
    session: Session,
    met: MetRecords,
    values: ColumnValues,
  ): Promise<readonly Row[] | undefined> {
    const found = this.#changesAlike ? await this.#met(session, met) : undefined;
    const rows = found && (await this.#updated(session, found, [values], true));
    return rows?.length === 0 ? undefined : rows;
  }

  /** The records as they were, in the order of the targets. */
  async delete(
    session: Session,
    targets: readonly PlacedTarget[],
    mark?: Mark,
  ): Promise<readonly Row[] | undefined> {
    const found = await this.#named(session, targets);
    const rows = found && (await this.#removed(session, found, mark));
    return rows?.length === targets.length ? rows : undefined;
  }

  /** The records as they were, by their keys; undefined where there are none, too. */
  async deleteMet(session: Session, met: MetRecords, mark?: Mark): Promise<readonly Row[] | undefined> {
    const found = await this.#met(session, met);
    const rows = found && (await this.#removed(session, found, mark));
    return rows?.length === 0 ? undefined : rows;
  }

  /** Records that are named one by one. */
  async #named(session: Session, targets: readonly PlacedTarget[]): Promise<Found | undefined> {
    const { lookup, conditions } = this.parts.use;
    if (lookup === undefined || !targets.every(({ expected }) => isPossible(expected))) return undefined;
    const restrictions = await this.parts.restrictions(session);
    if (restrictions === undefined) return undefined;
    const { dialect } = this.parts.database;
    const { type } = lookup.column;
    const version = targets.find(({ expected }) => expected !== undefined)?.expected?.condition?.path;
    const shapes = shaped(dialect, conditions);
    return {
      restrictions,
      records: { lookup, version: version?.column.property, conditions: shapes },
      shape: ['named', version?.text ?? '', ...conditionWords(shapes)],
      inputs: {
        restrictions,
        values: conditions.map(({ value }) => value),
        keys: targets.map(({ value }) => dialect.bind(type.toDatabase(value))),
        versions: targets.map(({ expected }) => versionsOf(expected?.condition?.value)),
      },
    };
  }

  /** Records that conditions meet. */
  async #met(session: Session, { conditions: asked, maximum }: MetRecords): Promise<Found | undefined> {
    const { database, use, way } = this.parts;
    const conditions = [...inOneOrder(asked), ...use.conditions];
    const restrictions = await this.parts.restrictions(
      session,
      entitiesOf(way.entities, relationUses(conditions)),
    );
    if (restrictions === undefined) return undefined;
    const shapes = shaped(database.dialect, conditions);
    return {
      restrictions,
      records: { lookup: undefined, version: undefined, conditions: shapes },
      shape: ['met', ...conditionWords(shapes)],
      inputs: { restrictions, values: criteriaValues(conditions), limit: maximum },
    };
  }

  async #updated(
    session: Session,
    { restrictions, records, shape, inputs }: Found,
    given: readonly ColumnValues[],
    isSame: boolean,
  ): Promise<readonly Row[] | undefined> {
    const { parts } = this;
    const { dialect } = parts.database;
    const { tables } = session;
    const { filled } = parts;
    const stored = parts.stored(tables);
    const changed = this.#changedBy(given, isSame);
    const rows = given.map((values) => parts.row(values));
    if (stored === undefined || changed === undefined || !rows.every((row) => filled.update(row)))
      return undefined;
    const written = [...changed.changed.map(({ column }) => column.property), ...changed.along];
    if (!knows(stored, [...written, ...usedBy(records)]) || !parts.keeps(restrictions, rows, false))
      return undefined;
    const parents = parts.hiddenParents(restrictions, ({ property }) =>
      changed.changed.some(({ column }) => column.property === property),
    );
    const words = ['update', isSame ? 'same' : 'each', ...shape, ...wordsOf(parents)];
    for (const { column, isPartial } of changed.changed) words.push(`${column.name} ${isPartial}`);
    for (const { name } of changed.along) words.push(`along ${name}`);
    const statement = parts.statement(tables, words, restrictions, () =>
      BulkChange.update(dialect, tables, parts.target(restrictions, parents), stored, records, changed),
    );
    const values = isSame && rows[0] !== undefined ? { row: rows[0] } : { rows: [rows] };
    return parts.sent(session, statement, { ...inputs, ...values });
  }

  /** Records that stay get the mark. */
  async #removed(
    session: Session,
    found: Found,
    mark: Mark | undefined,
  ): Promise<readonly Row[] | undefined> {
    if (mark === undefined) return this.#deleted(session, found);
    return this.#changesAlike ? this.#updated(session, found, [mark.values], true) : undefined;
  }

  async #deleted(
    session: Session,
    { restrictions, records, shape, inputs }: Found,
  ): Promise<readonly Row[] | undefined> {
    const { parts } = this;
    const { dialect } = parts.database;
    const { tables } = session;
    const stored = parts.stored(tables);
    if (stored === undefined || !knows(stored, usedBy(records))) return undefined;
    const statement = parts.statement(tables, ['delete', ...shape], restrictions, () =>
      BulkChange.delete(dialect, tables, parts.target(restrictions, nothing), stored, records),
    );
    return parts.sent(session, statement, inputs);
  }

  /** The columns that the values change; undefined for no change, and where records are not alike in what follows one. */
  #changedBy(given: readonly ColumnValues[], isSame: boolean): BulkValues | undefined {
    const following = this.#following;
    // What follows a change is judged without one, too.
    if (following.areAsked) return undefined;
    const counts = new Map<Column, number>();
    for (const values of given)
      for (const column of values.keys()) counts.set(column, (counts.get(column) ?? 0) + 1);
    const all = [...counts.keys()];
    const alone = new Set(following.among(new Map(all.map((column) => [column, null]))).keys());
    const changed = all
      .filter((column) => !alone.has(column))
      .map((column) => ({ column, isPartial: counts.get(column) !== given.length }));
    const isUneven = [...alone].some((column) => counts.get(column) !== given.length);
    if (changed.length === 0 || isUneven) return undefined;
    // Values may move from one record to another. In which order rows get them no statement promises, and so not whether one is taken.
    const mayMove = changed.some(({ column }) => isUnique(column) && (counts.get(column) ?? 0) > 1);
    if (mayMove && !isSame) return undefined;
    const { updated, counted } = this.parts.filled;
    return { changed, along: [...[...alone].map(({ property }) => property), ...updated], counted, isSame };
  }
}

function isUnique({ validators }: Column): boolean {
  return validators.some((validator) => validator instanceof Unique);
}

/** True if the table has columns of all of these. */
function knows({ byName }: StoredColumns, properties: readonly EntityProperty[]): boolean {
  return properties.every((property) => byName.has(storedField(property)));
}

/** The properties that records are found by. */
function usedBy({ lookup, version }: FoundRecords): readonly EntityProperty[] {
  return [lookup?.column.property, version].filter((one) => one !== undefined);
}

/** The versions of a condition: one, or a list. */
function versionsOf(value: unknown): readonly unknown[] | null {
  if (value === undefined) return null;
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}
