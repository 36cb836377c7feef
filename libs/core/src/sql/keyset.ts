import type { ColumnPath, Model } from '../model/model.js';
import type { Direction, ReadPath, Sort } from '../query/query.plan.js';
import { isReadAsText } from '../model/column.js';
import type { Dialect } from './dialect.js';

/** A sort key of a list, the id last. */
export interface SortKey {
  readonly path: ColumnPath;
  readonly direction: Direction;
  readonly isNullable: boolean;
}

/** A test on one key: with the cursor's value of that key, or with null. */
interface KeyTest {
  readonly key: number;
  readonly test: '=' | '<' | '>' | 'is null' | 'is not null';
}

/** All tests must hold. Segments are disjoint, and the records of one come before those of the next. */
export type Segment = readonly KeyTest[];

/** The sorts with the id as the last tie-breaker, ascending. What stands behind the id would break no tie. */
export function sortKeys({ idPath }: Model, sorts: readonly Sort[]): SortKey[] {
  const keys = sorts.map(({ path, direction }) => ({ path, direction, isNullable: isNullable(path) }));
  const id = sorts.findIndex(
    ({ path }) => path.relations.length === 0 && path.column.property === idPath.column.property,
  );
  if (id !== -1) return keys.slice(0, id + 1);
  return [...keys, { path: idPath, direction: 'asc', isNullable: false }];
}

/** A formula, what a user's own type converts to, and the place in an order may be null whatever is stored. */
function isNullable({ relations, column }: ColumnPath): boolean {
  const isComputed =
    column.property.formula !== undefined ||
    column.property.customOrder !== undefined ||
    column.conversion?.convertToJSValueSQL !== undefined;
  return relations.length > 0 || column.nullable || isComputed;
}

/**
 * Splits what comes behind a record in the order of the keys, where nulls are last ascending and first descending. Each
 * segment holds the first keys and moves on by one of them, so that an index over the keys finds where it starts.
 *
 * @param isNull which of the record's keys are null
 */
export function segmentsBehind(keys: readonly SortKey[], isNull: readonly boolean[]): Segment[] {
  const segments: Segment[] = [];
  for (let moved = keys.length - 1; moved >= 0; moved -= 1) {
    const held = keys
      .slice(0, moved)
      .map((_, key): KeyTest => ({ key, test: isNull[key] === true ? 'is null' : '=' }));
    for (const test of movesOn(keys[moved], isNull[moved] === true))
      segments.push([...held, { key: moved, test }]);
  }
  return segments;
}

function movesOn(key: SortKey | undefined, isNull: boolean): KeyTest['test'][] {
  if (key === undefined) return [];
  if (key.direction === 'desc') return isNull ? ['is not null'] : ['<'];
  if (isNull) return [];
  return key.isNullable ? ['>', 'is null'] : ['>'];
}

/** Counts the keys that are the same in all records of a segment: those it holds. The id, the last, is never one of them. */
export function heldKeys(segment: Segment | 'row'): number {
  if (segment === 'row') return 0;
  return segment.filter(({ test }) => test === '=' || test === 'is null').length;
}

/** True if one comparison of rows, `(a, b) > (1, 2)`, says what comes behind a record. */
export function isOneComparison(keys: readonly SortKey[]): boolean {
  return keys.every(({ direction, isNullable }) => direction === 'asc' && !isNullable);
}

/**
 * Gives the place of a key among the columns that are read, where these hold it as a cursor does; undefined where a row
 * brings the key besides.
 */
export function placeOf(
  { path }: SortKey,
  columns: readonly ReadPath[],
  dialect: Dialect,
): number | undefined {
  const { customOrder } = path.column.property;
  if (customOrder !== undefined && customOrder.length > 0) return undefined;
  if (path.column.type.search !== undefined || dialect.fromCursor !== undefined) return undefined;
  const place = columns.findIndex(({ text, asText }) => text === path.text && asText === undefined);
  return place !== -1 && (isReadAsText(path.column) || dialect.readsExactly(path.column)) ? place : undefined;
}

/** A comparison of rows in the words of which every optimizer makes ranges of an index. @param value makes the parameter of a key */
export function rowBehind(keys: readonly string[], value: (key: number) => string, first = 0): string {
  const key = keys[first] ?? '';
  const behind = `${key} > ${value(first)}`;
  if (first === keys.length - 1) return behind;
  return `(${behind} or (${key} = ${value(first)} and ${rowBehind(keys, value, first + 1)}))`;
}

/**
 * Has the records sorted that a search finds: a planner that takes it for less rare than it is reads a whole table in the
 * order of an index, and tries each record.
 */
export function apartFromIndexes(key: string): string {
  return `(select ${key})`;
}
