import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';

/**
 * Gives the reason why no client may see a property, in words. Undefined where one may. A property is hidden if it, what
 * is around it or what is in it has `hidden`.
 */
export function hiddenReason(meta: EntityMetadata, property: EntityProperty): string | undefined {
  if (holders(meta, property).some(({ hidden }) => hidden === true)) return 'is hidden in the entity';
  return hidesMember(property) ? 'has a hidden member, which its JSON would show' : undefined;
}

/** The property, the embeddable it is in, and so on. */
function holders(meta: EntityMetadata, property: EntityProperty): readonly EntityProperty[] {
  const all = [property];
  for (let name = property.embedded?.[0]; name !== undefined; name = all.at(-1)?.embedded?.[0]) {
    const holder = Object.values<EntityProperty>(meta.properties).find((one) => one.name === name);
    if (holder === undefined) break;
    all.push(holder);
  }
  return all;
}

/** True if something in an embeddable that is kept as JSON is hidden. */
function hidesMember({ embeddedProps }: EntityProperty): boolean {
  const members = Object.values((embeddedProps as EntityProperty['embeddedProps'] | undefined) ?? {});
  return members.some((member) => member.hidden === true || hidesMember(member));
}
