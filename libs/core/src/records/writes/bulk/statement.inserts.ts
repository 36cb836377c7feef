import { BulkInsert } from '../../../sql/bulk/bulk.insert.js';
import type { Row } from '../../../sql/row.layout.js';
import { wordsOf } from '../statement.parts.js';
import type { Session } from '../../../visibility/session.js';
import type { WriteInput } from '../writes.js';
import type { BulkStatementParts } from './bulk.statement.parts.js';
import type { PlacedInput } from './bulk.writes.js';
import { rowSets } from './new.rows.js';

/** Makes many records by one statement. */
export class StatementInserts {
  constructor(private readonly parts: BulkStatementParts) {}

  /** The records in the order of the inputs; undefined where only the unit of work can tell, and nothing was written. */
  async create(
    session: Session,
    inputs: readonly PlacedInput<WriteInput>[],
  ): Promise<readonly Row[] | undefined> {
    const { parts } = this;
    const { database, filled } = parts;
    const restrictions = await parts.restrictions(session);
    const { tables } = session;
    const stored = parts.stored(tables);
    if (restrictions === undefined || stored === undefined) return undefined;
    const all = inputs.map(({ input }) => parts.row(input.values));
    if (!all.every((row) => filled.create(row)) || !parts.keeps(restrictions, all, true)) return undefined;
    const sets = rowSets(all, stored);
    if (sets === undefined) return undefined;
    const parents = parts.hiddenParents(restrictions, ({ property }) =>
      sets.some(({ properties }) => properties.includes(property)),
    );
    const shape = ['insert', ...wordsOf(parents)];
    for (const { properties } of sets) shape.push('set', ...properties.map(({ name }) => name));
    const { dialect } = database;
    const statement = parts.statement(tables, shape, restrictions, () => {
      const names = sets.map(({ properties }) => properties);
      return BulkInsert.of(dialect, tables, parts.target(restrictions, parents), stored, names);
    });
    const rows = await parts.sent(session, statement, { rows: sets.map((set) => set.rows), restrictions });
    if (rows?.length !== inputs.length) return undefined;
    const [only] = sets;
    return sets.length === 1 && only !== undefined ? rows : placed(rows, sets);
  }
}

/** Rows that come one set after the other, in the places of their inputs. */
function placed(
  rows: readonly Row[],
  sets: readonly { readonly places: readonly number[] }[],
): readonly Row[] {
  const all: Row[] = [];
  for (const [index, place] of sets.flatMap(({ places }) => places).entries()) all[place] = rows[index] ?? [];
  return all;
}
