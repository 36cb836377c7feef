import { ConfigurationError } from '@nest-endpoints/core';
import { EntitiesSql } from './entities.sql.js';
import type { Rename } from './safety/renames.js';

/** What makes up a target schema: SQL text, the path of a file or of a directory of `.sql` files, or entities. */
export type SqlSource = string | EntitiesSql;

/** How schemas are compared and changed. */
export interface MigrationRules {
  /**
   * Whether `apply` may lose data: drop tables, columns and labels, and change values that a new type cannot hold.
   * Default false: such a plan is refused with the list of what would be lost. No request can set it.
   */
  readonly allowDestructive?: boolean;
  /**
   * Tables and columns that have a new name. Without it a rename looks like a drop and an addition, and is refused.
   * What was renamed already is left out, so an entry may stay. Default none.
   */
  readonly renames?: readonly Rename[];
  /**
   * Schemas, and tables as `schema.table`, that are left as they are. MikroORM's own table of migrations always is.
   * Default none.
   */
  readonly unmanaged?: readonly string[];
  /** How long a statement of `apply` waits for a lock, in milliseconds. Default 5,000; then nothing is changed. */
  readonly lockTimeout?: number;
  /** How long `apply` waits for another process that is applying, in milliseconds. Default 60,000. */
  readonly waitTimeout?: number;
}

/** @throws ConfigurationError for values that types refuse, but JavaScript and the environment do not */
export function checkRules(owner: string, rules: MigrationRules): void {
  const refuse = (option: keyof MigrationRules, problem: string): never => {
    throw new ConfigurationError(owner, option, problem);
  };
  for (const option of ['lockTimeout', 'waitTimeout'] as const) {
    const value = rules[option] ?? 1;
    if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1)
      refuse(option, `${value} is no whole number of milliseconds from 1`);
  }
  // Whatever else counts as true in JavaScript was hardly meant to.
  if (typeof (rules.allowDestructive ?? false) !== 'boolean')
    refuse('allowDestructive', 'must be true or false');
  if (!isListOf(rules.unmanaged ?? [], isText))
    refuse('unmanaged', 'must be a list of schemas and schema.table');
  if (!isListOf(rules.renames ?? [], isRename)) refuse('renames', 'must be a list of { table, column, to }');
}

/** @throws ConfigurationError when it is no list of texts and entities */
export function checkSql(owner: string, sql: unknown): void {
  if (isListOf(sql, (entry) => typeof entry === 'string' || entry instanceof EntitiesSql)) return;
  throw new ConfigurationError(owner, 'sql', 'must be a list of SQL texts, paths and sqlFromEntities()');
}

function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isMember);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isRename(value: unknown): boolean {
  const { schema = 'public', table, column = 'any', to } = Object(value) as Partial<Rename>;
  return [schema, table, column, to].every(isText);
}
