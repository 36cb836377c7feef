import type { Column } from '../model/column.js';
import type { ColumnPath } from '../model/model.js';
import type { Criterion } from './query.plan.js';

/** The values of columns that a record has together. */
export type ValueTuple = ReadonlyMap<Column, unknown>;

/** The most of them that one statement asks for: each is a term of its text. */
const mostTuples = 512;

/**
 * The pieces in which records are asked for by several columns. Each has a power of two of them, the last one maybe more than
 * once, so that there are few statements, whatever their number.
 */
export function* tuplePieces<T extends ValueTuple>(all: readonly T[]): Generator<readonly T[]> {
  const isOne = all[0]?.size === 1;
  if (isOne) yield all;
  for (let start = isOne ? all.length : 0; start < all.length; start += mostTuples) {
    const piece = all.slice(start, start + mostTuples);
    const last = piece.at(-1);
    while (last !== undefined && !Number.isInteger(Math.log2(piece.length))) piece.push(last);
    yield piece;
  }
}

/**
 * The criterion of records that have one of several tuples of values. Lists of the values, one for each column, would be met by
 * their product.
 */
export function amongTuples(tuples: readonly ValueTuple[]): Criterion {
  const [only, ...others] = tuples[0]?.keys() ?? [];
  if (only !== undefined && others.length === 0)
    return { path: pathOf(only), comparison: 'in', value: tuples.map((tuple) => tuple.get(only)) };
  const members = tuples.map((tuple): Criterion => {
    const equal = [...tuple].map(([column, value]): Criterion => {
      return { path: pathOf(column), comparison: '=', value };
    });
    return { word: 'all', members: equal, relations: [] };
  });
  return { word: 'any', members, relations: [] };
}

function pathOf(column: Column): ColumnPath {
  return { text: column.name, relations: [], column };
}
