import type { EntityMetadata } from '@mikro-orm/core';

/** The properties a path leads over; a key column of a relation is the relation itself. */
export function propertiesAt(meta: EntityMetadata, path: readonly string[]): readonly string[] | undefined {
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
  const key = relation.targetMeta?.primaryKeys.at(-1) ?? 'id';
  const capital = key.charAt(0).toUpperCase() + key.slice(1);
  return name === `${relation.name}${capital}` || name === `${relation.name}_${key}`;
}
