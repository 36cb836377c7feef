import { FloatColumn } from '../../model/columns/float.column.js';
import type { ColumnPath } from '../../model/model.js';
import type { SelectedValue } from '../query.plan.js';

/** The name of the distance in the records of a search near to something. */
const distanceName = 'distance';

/** Selects the distance that records are sorted by. */
export function distanceOf(path: ColumnPath): SelectedValue {
  const type = new FloatColumn();
  const column = {
    ...path.column,
    name: distanceName,
    type,
    conversion: undefined,
    nullable: true,
    message: undefined,
  };
  return {
    kind: 'value',
    name: distanceName,
    // No column has such a name.
    path: { text: `*${distanceName}`, relations: path.relations, column, ranked: path },
    toWire: (stored) => type.toWire(stored),
    isOptional: true,
  };
}
