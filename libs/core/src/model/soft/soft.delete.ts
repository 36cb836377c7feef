import type { EntityName } from '@mikro-orm/core';
import { boolean, filledText, isRecord, mapOf, name, oneOfTexts, wholeNumber } from '../../options/checks.js';
import { checkOptions } from '../../options/checked.options.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { ChecksOf } from '../../options/option.check.js';
import { classOf } from '../column.definition.js';

/** The lot of records that refer to one that is deleted. */
export type ChildrenRule = 'refuse' | 'cascade' | 'keep';

/** Parameters of {@link softDelete}. */
export interface SoftDeleteOptions<Name extends string = string> {
  /** The property that says when a record was deleted: a date with a time, null in live records. No client writes it. */
  readonly columnName: Name;
  /** The property that says who deleted it. Default none. */
  readonly byColumnName?: Name;
  /** The claim of whoever deletes it that {@link byColumnName} gets. Default `sub`. */
  readonly byClaim?: string;
  /**
   * The lot of the records of to-many relations, by their names: `refuse` keeps a record that has live ones, `cascade` deletes
   * them along, `keep` leaves them. Default `refuse` where the foreign key restricts, and `cascade` where it cascades and
   * they can be deleted so, too.
   */
  readonly children?: Readonly<Partial<Record<Name, ChildrenRule>>>;
  /** True if a Restore brings back what was deleted along. Default true. */
  readonly restoreChildren?: boolean;
  /** The records among which values are unique: `live` ones need a unique index of those alone. Default `live`. */
  readonly uniqueAmong?: 'live' | 'all';
  /** The time after which a deleted record is purged, in milliseconds. Default never. */
  readonly purgeAfter?: number;
}

const checks = {
  columnName: name,
  byColumnName: name,
  byClaim: filledText,
  children: mapOf(
    "an object of 'refuse', 'cascade' or 'keep' by to-many properties",
    oneOfTexts('refuse', 'cascade', 'keep'),
  ),
  restoreChildren: boolean,
  uniqueAmong: oneOfTexts('live', 'all'),
  purgeAfter: wholeNumber(1, undefined, 'milliseconds'),
} as const satisfies ChecksOf<SoftDeleteOptions>;

/** Keyed by entity class. */
const definitions = new Map<object, SoftDeleteOptions>();

/**
 * Says once, beside the entity, that its records are deleted by a mark: they stay, and can be restored.
 *
 * @example
 * softDelete(City, { columnName: 'deletedAt', children: { trips: 'refuse', notes: 'cascade' } });
 * @throws ConfigurationError for options that are not allowed
 */
export function softDelete<E>(
  entity: EntityName<E>,
  options: SoftDeleteOptions<Extract<keyof E, string>>,
): void {
  const owner = `softDelete(${nameOf(entity)})`;
  checkOptions(owner, options, { checks });
  if (!isRecord(options) || (options.columnName as unknown) === undefined)
    throw new ConfigurationError(owner, 'columnName', 'is required');
  definitions.set(classOf(entity as EntityName), options);
}

/** The options of an entity class, or of the nearest class that it extends; undefined where its records are deleted for good. */
export function softOptionsOf(entity: object): SoftDeleteOptions | undefined {
  if (definitions.size === 0) return undefined;
  for (let owner: unknown = entity; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    const known = definitions.get(owner);
    if (known !== undefined) return known;
  }
  return undefined;
}

function nameOf(entity: unknown): string {
  return (classOf(entity as EntityName) as { readonly name?: string }).name ?? '';
}
