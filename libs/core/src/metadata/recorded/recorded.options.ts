import type { EntityName } from '@mikro-orm/core';
import { classOf } from '../../model/entity.check.js';
import type { ColumnNameOf } from '../../model/column.name.js';
import { checkOptions } from '../../options/checked.options.js';
import { boolean, either, names, oneOfTexts, wholeNumber } from '../../options/checks.js';
import type { ChecksOf } from '../../options/option.check.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** The options of {@link recordChanges}. */
export interface RecordedOptions<Name extends string = string> {
  /** The time that changes are kept, in milliseconds from 1,000, or `forever`. There is no default on purpose. */
  readonly keepFor: number | 'forever';
  /** The properties whose changes are recorded. Default `all`. */
  readonly columns?: 'all' | readonly Name[];
  /** False to record the names of changed properties alone. Then there is neither History nor `timeTravel`. Default true. */
  readonly values?: boolean;
  /**
   * The writer of the log: `writes` are those of endpoints and flushes of MikroORM, `trigger` is a trigger of the database,
   * which records whatever SQL changes, too. The trigger needs PostgreSQL; `changeTriggersSql` and `sqlFromEntities` have it.
   * Default `writes`.
   */
  readonly capture?: 'writes' | 'trigger';
}

/** The options by the classes of entities. */
const recorded = new WeakMap<object, RecordedOptions>();

const checks = {
  keepFor: either(
    "a whole number of milliseconds from 1,000, or 'forever'",
    wholeNumber(1000, undefined, 'milliseconds'),
    oneOfTexts('forever'),
  ),
  columns: either("'all', or a list of names", oneOfTexts('all'), names),
  values: boolean,
  capture: oneOfTexts('writes', 'trigger'),
} as const satisfies ChecksOf<RecordedOptions>;

/**
 * Has every change of an entity's records written into the table of `ChangeRecord`, in the transaction of the change. Called
 * once, beside the entity.
 *
 * @example recordChanges(City, { keepFor: 90 * 24 * 60 * 60 * 1000 });
 * @throws ConfigurationError for options that are not allowed, and for an entity that is recorded already
 */
export function recordChanges<E>(entity: EntityName<E>, options: RecordedOptions<ColumnNameOf<E>>): void {
  const known = classOf(entity as EntityName) as { readonly name: string };
  const owner = `recordChanges(${known.name})`;
  checkOptions(owner, options, { checks });
  if ((options.keepFor as unknown) === undefined)
    throw new ConfigurationError(owner, 'keepFor', "is required; allowed: milliseconds, or 'forever'");
  if (recorded.has(known)) throw new ConfigurationError(owner, 'options', 'are given twice; allowed: once');
  recorded.set(known, options);
}

/** The options of an entity's class, or of the nearest class that it extends; undefined where nobody records it. */
export function recordedAs(
  entity: object,
): { readonly owner: object; readonly options: RecordedOptions } | undefined {
  for (let owner: unknown = entity; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    const options = recorded.get(owner);
    if (options !== undefined) return { owner, options };
  }
  return undefined;
}
