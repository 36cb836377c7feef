import type { EntityMetadata, EntityProperty, Platform } from '@mikro-orm/core';
import { markUnset, uniqueOfAll, type Unique } from '../../model/soft/unset.mark.js';
import { isMariaDb } from '../../sql/dialects/mysql.family.js';

/** A condition on a field in SQL: that it is null. */
const isNull = /^\s*[`"]?(\w+)[`"]?\s+is\s+null\s*$/i;

/**
 * Makes unique indexes of the rows in which a property is null, as `{ deletedAt: null }` asks for, of whole columns: MariaDB has
 * no indexes of some rows. A generated column is 1 in these rows and null in all others, and a unique index lets any number of nulls be.
 */
export function indexLive(meta: EntityMetadata, platform: Platform): void {
  if (!isMariaDb(platform)) return;
  meta.uniques = meta.uniques.map((unique) => {
    const property = nullProperty(meta, platform, unique.where);
    if (property === undefined) return unique;
    return uniqueOfAll(unique, [...[unique.properties ?? []].flat().map(String), unsetMark(meta, property)]);
  });
}

/** The property that a condition wants to be null; undefined for any other condition. */
function nullProperty(
  { properties }: EntityMetadata,
  platform: Platform,
  where: Unique['where'],
): EntityProperty | undefined {
  const all = Object.values<EntityProperty>(properties);
  if (typeof where === 'string') {
    const field = isNull.exec(where)?.[1];
    const naming = platform.getNamingStrategy();
    // Fields have no names yet, but for those that entities give them.
    return all.find(({ name, ...rest }) => {
      const given: unknown = Reflect.get(rest, 'fieldName');
      const known = typeof given === 'string' ? given : new naming().propertyToColumnName(name);
      return field !== undefined && field === known;
    });
  }
  const entries = Object.entries((where ?? {}) as Readonly<Record<string, unknown>>);
  const [[name, value] = []] = entries;
  return entries.length === 1 && value === null ? all.find((one) => one.name === name) : undefined;
}

/** The name of the generated property, which all unique indexes of one condition have in common. */
function unsetMark(meta: EntityMetadata, { name: of }: EntityProperty): string {
  const name = `${of}Unset`;
  if (Object.hasOwn(meta.properties, name)) return name;
  const generated = (columns: Readonly<Record<string, string>>): string =>
    `(if(${columns[of]} is null, 1, null)) virtual`;
  const property = { name, kind: 'scalar', type: 'tinyint', columnTypes: ['tinyint'] };
  const hidden = { hidden: true, lazy: true, generated };
  meta.addProperty({ ...property, ...hidden } as unknown as EntityProperty);
  markUnset((meta.properties as Record<string, EntityProperty>)[name] ?? {});
  return name;
}
