import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { AbstractSqlPlatform, type QueryBuilder } from '@mikro-orm/sql';
import { plainProperty } from './plain.filter.js';

/** A column in its entity's own table, and the relations that lead to the entity. */
interface PlainEnd {
  readonly relations: readonly string[];
  readonly meta: EntityMetadata;
  readonly propertyName: string;
}

/** The column at the end of a path; undefined where that is no plain one. */
export function plainEnd(
  meta: EntityMetadata,
  [name = '', ...rest]: readonly string[],
  relations: readonly string[] = [],
): PlainEnd | undefined {
  const properties: Readonly<Record<string, EntityProperty>> = meta.properties;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const [next = ''] = rest;
  if (property === undefined) return undefined;
  if (rest.length === 0)
    return plainProperty(meta, name) === undefined ? undefined : { relations, meta, propertyName: name };
  // A member of an embeddable is a column of its owner.
  const member = property.kind === ReferenceKind.EMBEDDED ? property.embeddedProps[next]?.name : undefined;
  if (member !== undefined) return plainEnd(meta, [member, ...rest.slice(1)], relations);
  return property.targetMeta && plainEnd(property.targetMeta, rest, [...relations, name]);
}

/** The platform that a query is for, which no method of it tells. */
export function platformOf(query: QueryBuilder<object>): AbstractSqlPlatform {
  const platform: unknown = Reflect.get(query, 'platform');
  if (platform instanceof AbstractSqlPlatform) return platform;
  throw new TypeError('The query of a rule is none of MikroORM, which knows its database');
}
