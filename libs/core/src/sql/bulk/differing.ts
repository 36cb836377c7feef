import type { Column } from '../../model/column.js';
import { asWritten } from '../dialects/postgresql.rules.js';
import { comparedAs } from '../written/compared.type.js';

/** Writes the test that a stored value is another than a new one. */
export function differing(column: Pick<Column, 'property' | 'type'>, stored: string, value: string): string {
  const { property, type: columnType } = column;
  const width = columnType.equalityWidth;
  if (width > 0) return `${asWritten(stored, width)} is distinct from ${asWritten(value, width)}`;
  const [type, casts] = comparedAs(property);
  const given = type === undefined ? value : `(${value}::${type})`;
  return `${stored}${casts} is distinct from ${given}${casts}`;
}
