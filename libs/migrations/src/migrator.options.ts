import { types } from 'node:util';
import { optionChecks as checks, type ChecksOf } from '@nest-endpoints/core';
import { isSchemaPattern } from '@nest-endpoints/core/internal';
import { EntitiesSql } from './entities.sql.js';
import type { Fills } from './safety/fills.js';
import type { Rename } from './safety/renames.js';

/** A part of a target schema: SQL text, the path of a file or of a directory of `.sql` files, or entities. */
export type SqlSource = string | EntitiesSql;

/** The rules by which schemas are compared and changed. */
export interface MigrationRules {
  /**
   * True to let `apply` lose data: drop tables, columns and labels, and change values that a new type cannot hold.
   * Default false: such a plan is refused with the list of what would be lost. No request can set it.
   */
  readonly allowDestructive?: boolean;
  /**
   * Tables and columns that have a new name. Without it a rename looks like a drop and an addition, and is refused.
   * What was renamed already is left out, so an entry may stay. Default none.
   */
  readonly renames?: readonly Rename[];
  /**
   * The values of rows that are there when a column becomes required: an SQL expression over the row for each column, by
   * `table.column` or `schema.table.column`, with the names of the target. What has its values is left out, so an entry may
   * stay. No request can set it. Default none: such a change of a table with rows is refused.
   *
   * @example
   * { 'course.slug': "lower(replace(title, ' ', '-'))", 'animal.clinic_id': '(select min(id) from clinic)' }
   */
  readonly fills?: Fills;
  /**
   * Schemas, and tables as `schema.table`, that are left as they are. MikroORM's own table of migrations always is.
   * Default none.
   */
  readonly unmanaged?: readonly string[];
  /**
   * The schemas of tenants, which have the same target each: names, and names with `*` for any characters. Without being asked
   * for they are left as they are. Default none.
   *
   * @example ['t_*']
   */
  readonly schemas?: readonly string[];
  /** The number of schemas of tenants that are changed at the same time. Default 4. */
  readonly schemasAtOnce?: number;
  /** The time that a statement of `apply` waits for a lock, in milliseconds. Default 5,000; then nothing is changed. */
  readonly lockTimeout?: number;
  /** The time that `apply` waits for another process that is applying, in milliseconds. Default 60,000. */
  readonly waitTimeout?: number;
}

const time = checks.wholeNumber(1, 2 ** 31 - 1, 'milliseconds');

const rename = checks.objectWith(
  {
    schema: checks.filledText,
    table: checks.filledText,
    column: checks.filledText,
    to: checks.filledText,
  } satisfies ChecksOf<Rename>,
  ['table', 'to'],
);

const expressions = checks.mapOf('an object of SQL expressions by table.column', checks.filledText);

function nameComplaint(names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !/^[^.]+(\.[^.]+){1,2}$/.test(name));
  return wrong === undefined
    ? undefined
    : `'${wrong}' is not allowed; allowed: table.column, schema.table.column`;
}

/** The checks of how schemas are compared and changed. */
export const ruleChecks = {
  allowDestructive: checks.boolean,
  renames: checks.listOf('{ table, column, to }', rename),
  fills: {
    allowed: expressions.allowed,
    complaint: (value) => expressions.complaint(value) ?? nameComplaint(Object.keys(Object(value) as object)),
  },
  unmanaged: checks.listOf('schemas and schema.table', checks.filledText),
  schemas: checks.listOf(
    'names of schemas',
    checks.check('small letters, digits, _ and * for any of them', isSchemaPattern),
    1,
  ),
  schemasAtOnce: checks.wholeNumber(1, 100),
  lockTimeout: time,
  waitTimeout: time,
} as const satisfies ChecksOf<MigrationRules>;

/** The check of a target schema. */
export const sqlCheck = checks.listOf(
  'SQL texts, paths and sqlFromEntities()',
  checks.check(
    'a text, or sqlFromEntities()',
    (entry) => typeof entry === 'string' || entry instanceof EntitiesSql,
  ),
);

/** The check of what leads to the database. */
export const cursorCheck = checks.check(
  'MikroORM, an entity manager or a connection of it',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !types.isPromise(value),
);
