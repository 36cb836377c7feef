import { instanceOf } from '../options/checks.js';
import { ColumnType } from './column.type.js';

/** The check of an argument that is a column type, for {@link checkArguments}. */
export const columnTypeCheck = instanceOf(
  'an instance of a column type',
  ColumnType,
  'e.g. new StringColumn()',
);
