import type { ColumnType } from '../column.type.js';
import type { Validator } from '../validator.js';

/** A column type with rules of its own, which values must meet wherever they are written. */
export interface RuledType {
  readonly validators: readonly Validator[];
}

/** The rules of a column type; most have none. */
export function rulesOfType(type: ColumnType): readonly Validator[] {
  return isRuled(type) ? type.validators : [];
}

function isRuled(type: ColumnType): type is ColumnType & RuledType {
  return 'validators' in type;
}
