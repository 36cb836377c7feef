import type { EntityProperty } from '@mikro-orm/core';
import { storedField } from '../../../metadata/stored.fields.js';
import { mostSets } from '../../../sql/bulk/bulk.insert.js';
import type { StoredColumns } from '../../../sql/bulk/stored.columns.js';
import type { RowValues } from '../filled.values.js';

/** New rows that have values of the same properties. */
interface RowSet {
  readonly properties: readonly EntityProperty[];
  readonly rows: RowValues[];
  /** The places of the rows among all. */
  readonly places: number[];
}

/**
 * Puts new rows together that have values of the same properties. Where the database has nothing to fill in, no value is null,
 * so that most often there is one set. Undefined where there are too many, or the table has no such column.
 */
export function rowSets(all: readonly RowValues[], stored: StoredColumns): readonly RowSet[] | undefined {
  const properties = new Set<EntityProperty>();
  for (const row of all) for (const property of row.keys()) properties.add(property);
  const known = [...properties].map((property) => ({
    property,
    column: stored.byName.get(storedField(property)),
  }));
  if (known.length === 0 || known.some(({ column }) => column === undefined)) return undefined;
  const filled = known.filter(({ column }) => column?.isFilled === true);
  const always = known.flatMap(({ property, column }) => (column?.isFilled === true ? [] : property));
  const sets = new Map<string, RowSet>();
  for (const [place, row] of all.entries()) {
    const said = filled.flatMap(({ property }, index) => (row.has(property) ? index : []));
    const key = said.join(' ');
    const set = sets.get(key) ?? {
      properties: [...always, ...said.flatMap((index) => filled[index]?.property ?? [])],
      rows: [],
      places: [],
    };
    set.rows.push(row);
    set.places.push(place);
    sets.set(key, set);
  }
  if (sets.size > mostSets) return undefined;
  const made = [...sets.values()];
  return made.some((set) => set.properties.length === 0) ? undefined : made;
}
