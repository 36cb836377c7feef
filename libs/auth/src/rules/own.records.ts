import type { EntityMetadata } from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import { Authorization, ConfigurationError, optionChecks, type AdjustedQuery } from '@nest-endpoints/core';
import { claimOf } from './claims.of.js';
import { judgesAlone } from './judges.alone.js';

type Key = string | number | boolean;

/**
 * Lets everybody see the records that are their own. The column of such a record has the value of a claim, or one of its
 * values where the claim is a list. Without the claim nobody is let in. Related records are hidden in the same way, where
 * their entity has the same column.
 *
 * @example new OwnRecords('owner', 'sub')
 */
export class OwnRecords extends Authorization {
  /**
   * @param column a property of the entity, the key column of a relation, or a path to a column of a parent, e.g.
   * `owner`, `accountId`, `account.owner`
   * @param claim the claim of the identity, e.g. `sub`
   */
  constructor(
    readonly column: string,
    readonly claim: string,
  ) {
    super();
    for (const [option, value] of Object.entries({ column, claim })) {
      const problem = optionChecks.filledText.complaint(value);
      if (problem !== undefined) throw new ConfigurationError('OwnRecords', option, problem);
    }
  }

  /** A filter that is left out would show everything, and one that fails nothing. */
  misfit(entity: EntityMetadata): string | undefined {
    if (propertiesAt(entity, this.column.split('.')) !== undefined) return undefined;
    const names = Object.keys(entity.properties).join(', ');
    return `OwnRecords: ${entity.className} has no column '${this.column}'; its properties: ${names}`;
  }

  /** The claims that this class looks at. A class that extends it and looks at more says so. */
  get identityClaims(): readonly string[] | undefined {
    return judgesAlone(this, OwnRecords.prototype) ? [this.claim] : undefined;
  }

  override gate(identity: unknown): boolean {
    return this.#keys(identity) !== undefined;
  }

  /** @throws TypeError where the entity has no such column: a filter that is left out would show everything */
  override filterModel(query: QueryBuilder<object>, identity: unknown): AdjustedQuery {
    const names = propertiesAt(query.mainAlias.meta, this.column.split('.'));
    if (names === undefined)
      throw new TypeError(`OwnRecords: ${query.mainAlias.meta.className} has no column '${this.column}'`);
    const keys = this.#keys(identity);
    if (keys === undefined) throw new TypeError(`OwnRecords: the identity has no claim '${this.claim}'`);
    const condition: object = { $in: keys };
    return query.andWhere(names.reduceRight((inner, name) => ({ [name]: inner }), condition) as never);
  }

  override concerns(entity: EntityMetadata): boolean {
    return !this.column.includes('.') && propertiesAt(entity, [this.column]) !== undefined;
  }

  #keys(identity: unknown): readonly Key[] | undefined {
    const values: readonly unknown[] = [claimOf(identity, this.claim)].flat();
    return values.length > 0 && values.every(isKey) ? values : undefined;
  }
}

/** The properties a path leads over; a key column of a relation is the relation itself. */
function propertiesAt(meta: EntityMetadata, path: readonly string[]): readonly string[] | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  const property = Object.hasOwn(meta.properties, name)
    ? meta.properties[name as never]
    : meta.relations.find((relation) => isKeyOf(name, relation));
  if (property === undefined) return undefined;
  const { name: found, targetMeta } = property as {
    readonly name: string;
    readonly targetMeta?: EntityMetadata;
  };
  if (rest.length === 0) return [found];
  const below = targetMeta === undefined ? undefined : propertiesAt(targetMeta, rest);
  return below === undefined ? undefined : [found, ...below];
}

/** True if a name is that of the key column: the relation's name and the parent key's, in either casing. */
function isKeyOf(
  name: string,
  relation: { readonly name: string; readonly targetMeta?: EntityMetadata },
): boolean {
  const [key = 'id'] = relation.targetMeta?.primaryKeys ?? [];
  const capital = key.charAt(0).toUpperCase() + key.slice(1);
  return name === `${relation.name}${capital}` || name === `${relation.name}_${key}`;
}

function isKey(value: unknown): value is Key {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
