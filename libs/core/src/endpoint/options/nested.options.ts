import {
  boolean,
  filledText,
  listOf,
  mapOf,
  names,
  objectWith,
  oneOfTexts,
  wholeNumber,
} from '../../options/checks.js';
import type { ChecksOf, OptionCheck } from '../../options/option.check.js';

const operations = ['create', 'update', 'delete', 'link', 'unlink'] as const;

/** The things that a body may do with related records. */
export type NestedOperation = (typeof operations)[number];

/** A relation whose records are written within the body of a record. */
export interface WriteableRelation {
  /**
   * The path of the endpoints by whose rules the related records are written, as in `stops` of `new RestfulApi({ url: 'stops', … })`:
   * its Create, Update and Delete give validators, filters, access and functions around a write. Looked for beside the endpoint
   * first, then further out. Needed where anything narrows these records, or has rules for their writes. Default none.
   */
  readonly through?: string;
  /** The columns of the related records that a client may set. Default: those of `through`, but for the key to this record. */
  readonly writeableColumnNames?: readonly string[];
  /** The operations that bodies may have. Default: `create` and `update`, and of lists `delete`. */
  readonly operations?: readonly NestedOperation[];
  /** The most related records of one record, from 1 to 1,000. Default 100. */
  readonly maximum?: number;
  /** True to read a bare list as all related records that there are to be: others are deleted. Default false. */
  readonly replace?: boolean;
  /** The relations of the related records that are written within them. Default none. */
  readonly writeableRelations?: WriteableRelations;
}

/** Relations by their names. */
export type WriteableRelations = Readonly<Record<string, WriteableRelation>>;

/** Parameters of kinds whose bodies may have related records. */
export interface NestedOptions {
  /** The relations whose records are written within the body, by their names. Default none. */
  readonly writeableRelations?: WriteableRelations;
  /** The most levels of related records, from 1 to 3. Default 2. */
  readonly maximumDepth?: number;
}

/** The check of one relation, which may have others. */
const relation: OptionCheck = {
  allowed: 'an object with through, writeableColumnNames, operations, maximum, replace, writeableRelations',
  complaint: (value) => relationOptions.complaint(value),
};

const relations = mapOf(
  'an object with relations by their names, e.g. { stops: { through: "stops" } }',
  relation,
);

const relationOptions = objectWith({
  through: filledText,
  writeableColumnNames: names,
  operations: listOf('operations', oneOfTexts(...operations), 1),
  maximum: wholeNumber(1, 1000),
  replace: boolean,
  writeableRelations: relations,
} satisfies ChecksOf<WriteableRelation>);

/** The checks of what bodies may have of related records. */
export const nestedChecks = {
  writeableRelations: relations,
  maximumDepth: wholeNumber(1, 3),
} as const satisfies ChecksOf<NestedOptions>;
