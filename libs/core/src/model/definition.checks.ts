import {
  boolean,
  check,
  either,
  filledText,
  instanceOf,
  listOf,
  mapOf,
  name,
  names,
  objectWith,
  oneOfTexts,
  wholeNumber,
} from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import type { ColumnDefinition } from './column.definition.js';
import { ColumnType } from './column.type.js';

/** A validator, whichever copy of the package made it: a rule says itself what it needs. */
const validator = check('a validator, e.g. new MaximumLength(9)', isValidator);

/** The checks of what `defineColumns`, `@Column` and `columnOverrides` say of a column. */
const definitionChecks = {
  type: instanceOf('an instance of a column type', ColumnType, 'e.g. new StringColumn()'),
  validators: listOf('validators', validator),
  readableParentColumnNames: names,
  limit: wholeNumber(0),
  sortColumnName: name,
  sortDirection: oneOfTexts('ASC', 'DESC'),
  message: filledText,
  sensitive: boolean,
  deprecated: either('true, false, or a text that is not empty', boolean, filledText),
} as const satisfies ChecksOf<ColumnDefinition>;

export const definitionCheck = objectWith(definitionChecks);

/** The check of `columnOverrides`. */
export const columnOverrides = mapOf('an object with definitions by the names of columns', definitionCheck);

function isValidator(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { needs } = value as { readonly needs?: unknown };
  return ['emptiness', 'value', 'sibling', 'records'].some((one) => one === needs);
}
