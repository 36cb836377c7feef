import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';

/** The part of entity metadata that tells of keys. */
type Keyed = Pick<EntityMetadata, 'getPrimaryProps' | 'className'>;

/**
 * The property by which clients know a record: its key. Of a key of several columns it is the last one, those before it say in
 * which part of the table a record is.
 */
export function keyPropertyOf(meta: Keyed): EntityProperty {
  const key = meta.getPrimaryProps().at(-1);
  if (key === undefined) throw new TypeError(`${meta.className} has no primary key`);
  return key;
}

/** The properties of a key before {@link keyPropertyOf}: none where the key is one column. */
export function partingPropertiesOf(meta: Pick<Keyed, 'getPrimaryProps'>): readonly EntityProperty[] {
  return meta.getPrimaryProps().slice(0, -1);
}

/** The value of {@link keyPropertyOf} in a key as MikroORM has it: a list where it is several columns. */
export function lastOfKey(key: unknown): unknown {
  return Array.isArray(key) ? (key as readonly unknown[]).at(-1) : key;
}
