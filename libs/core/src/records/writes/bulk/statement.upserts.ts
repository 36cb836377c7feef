import type { EntityProperty } from '@mikro-orm/core';
import { liveMarkOf } from '../../../model/soft/soft.entity.js';
import { storedField } from '../../../metadata/stored.fields.js';
import type { Column } from '../../../model/column.js';
import { mostSets } from '../../../sql/bulk/bulk.insert.js';
import { BulkUpsert, type UpsertedRows } from '../../../sql/bulk/bulk.upsert.js';
import type { StoredColumns } from '../../../sql/bulk/stored.columns.js';
import { conditionWords } from '../../../sql/condition.writer.js';
import type { Row } from '../../../sql/row.layout.js';
import type { Session } from '../../../visibility/session.js';
import { shaped } from '../../page.reader.js';
import type { ConflictUse } from '../../record.store.js';
import type { RowValues } from '../filled.values.js';
import { FollowingColumns } from '../following.columns.js';
import { wordsOf } from '../statement.parts.js';
import type { WriteInput } from '../writes.js';
import type { BulkStatementParts } from './bulk.statement.parts.js';
import type { PlacedInput, WrittenCounts } from './bulk.writes.js';

/** Records that were written, in the order of their inputs. */
interface UpsertedRecords {
  readonly rows: readonly Row[];
  readonly counts: WrittenCounts;
}

/** Rows of the same columns. */
interface RowSet extends UpsertedRows {
  readonly rows: RowValues[];
  /** The places of the rows among all. */
  readonly places: number[];
}

/** Creates or changes many records by one statement. */
export class StatementUpserts {
  readonly #following: FollowingColumns;
  readonly #conflict: readonly EntityProperty[];

  constructor(
    private readonly parts: BulkStatementParts,
    private readonly conflict: ConflictUse,
  ) {
    this.#following = new FollowingColumns(parts.use.columns);
    this.#conflict = conflict.paths.map(({ column }) => column.property);
  }

  /** Undefined where only the unit of work can tell, and nothing was written. */
  async upsert(
    session: Session,
    inputs: readonly PlacedInput<WriteInput>[],
  ): Promise<UpsertedRecords | undefined> {
    const { parts } = this;
    const { database, filled, use } = parts;
    const { conditions: asked } = use;
    const restrictions = await parts.restrictions(session);
    const mark = restrictions && (await this.conflict.index.markOf(session));
    // What nobody returns of a record as it was the log is not told.
    if (parts.recorded !== undefined && mark !== 'old') return undefined;
    const { tables } = session;
    const stored = parts.stored(tables);
    const along = this.#along(inputs);
    if (restrictions === undefined || mark === undefined || stored === undefined || along === undefined)
      return undefined;
    const sets = this.#sets(inputs, stored);
    const all = sets?.flatMap(({ rows }) => rows) ?? [];
    if (sets === undefined || !parts.keeps(restrictions, all, true)) return undefined;
    if (!parts.keeps(restrictions, changesOf(sets), false)) return undefined;
    const parents = parts.hiddenParents(restrictions, ({ property }) =>
      sets.some(({ properties }) => properties.includes(property)),
    );
    const conditions = shaped(database.dialect, asked);
    const shape = ['upsert', mark, ...wordsOf(parents), ...conditionWords(conditions)];
    for (const { name } of along.keys()) shape.push(`along ${name}`);
    for (const { properties, changed } of sets)
      shape.push('set', ...properties.map(({ name }) => name), 'changed', ...changed.map(({ name }) => name));
    const { dialect } = database;
    const statement = parts.statement(tables, shape, restrictions, () => {
      const conflict = this.#conflict;
      const ofLive = liveMarkOf(parts.model.meta);
      const values = { sets, conflict, ofLive, along: [...along.keys()], counted: filled.counted, mark };
      return BulkUpsert.of(dialect, tables, parts.target(restrictions, parents), stored, values, conditions);
    });
    const values = asked.map(({ value }) => value);
    const rows = sets.map((set) => set.rows);
    const written = await parts.sent(session, statement, { rows, row: along, values, restrictions });
    if (written?.length !== inputs.length) return undefined;
    return this.#placed(written, sets);
  }

  /** The values that change with a record; undefined where they are not the same for all, or not known. */
  #along(inputs: readonly PlacedInput<WriteInput>[]): RowValues | undefined {
    const { parts } = this;
    // What follows a change is judged without one, too.
    if (this.#following.areAsked || !parts.changesAlike) return undefined;
    const given = inputs.map(({ input }) => this.#following.among(this.conflict.changes(input.values)));
    const [first = new Map()] = given;
    const isSame = given.every(
      (values) =>
        values.size === first.size && [...values].every(([column, value]) => first.get(column) === value),
    );
    const row = parts.row(first);
    return isSame && parts.filled.update(row) ? row : undefined;
  }

  /** Rows that say the same columns, together; undefined where there are too many sorts, or the table has no such column. */
  #sets(inputs: readonly PlacedInput<WriteInput>[], stored: StoredColumns): readonly RowSet[] | undefined {
    const { parts } = this;
    const sets = new Map<string, RowSet>();
    for (const [place, { input }] of inputs.entries()) {
      const row = parts.row(input.values);
      if (!parts.filled.create(row)) return undefined;
      const changed = [...this.#following.without(this.conflict.changes(input.values)).keys()];
      const key = JSON.stringify([namesOf([...row.keys()]), namesOf(changed)]);
      const set = sets.get(key) ?? { properties: [...row.keys()], changed, rows: [], places: [] };
      set.rows.push(row);
      set.places.push(place);
      sets.set(key, set);
    }
    const made = [...sets.values()];
    const isKnown = made.every(({ properties }) =>
      properties.every((property) => stored.byName.has(storedField(property))),
    );
    return isKnown && made.length <= mostSets ? made : undefined;
  }

  /** The rows come one set after the other, numbered within theirs. */
  #placed(written: readonly Row[], sets: readonly RowSet[]): UpsertedRecords {
    const { columns } = this.parts.use.reading.layout;
    const rows: Row[] = [];
    let created = 0;
    let updated = 0;
    for (const [index, place] of sets.flatMap(({ places }) => places).entries()) {
      const row = written[index] ?? [];
      // Null of one that was not written.
      const isNew = row[columns.length];
      if (isNew === true || isNew === 't') created += 1;
      else if (isNew !== null) updated += 1;
      rows[place] = row;
    }
    return { rows, counts: { created, updated } };
  }
}

/** The values of the rows that a record gets which is there already. */
function changesOf(sets: readonly RowSet[]): readonly RowValues[] {
  return sets.flatMap(({ rows, changed }) =>
    rows.map((row) => new Map(changed.map(({ property }: Column) => [property, row.get(property)]))),
  );
}

function namesOf(all: readonly { readonly name: string }[]): readonly string[] {
  return all.map(({ name }) => name).toSorted();
}
