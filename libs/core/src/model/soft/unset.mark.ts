import type { EntityMetadata } from '@mikro-orm/core';

/** A unique index of an entity, as metadata has it. */
export type Unique = EntityMetadata['uniques'][number];

/** The key under which a unique index keeps what its entity asked for. */
const asked = Symbol('as its entity asked for it');

/** The key by which a generated property tells that it is 1 in the rows where another one is null. */
const unset = Symbol('is 1 where another property is null');

/** Gives the index of all rows that does the same for a database; it keeps what the entity asked for. */
export function uniqueOfAll(unique: Unique, properties: readonly string[]): Unique {
  const replaced: Unique = { ...unique, properties: [...properties] };
  delete replaced.where;
  return Object.assign(replaced, { [asked]: unique });
}

/** Says of a generated property that it is 1 in the rows where another one is null. */
export function markUnset(property: object): void {
  Object.assign(property, { [unset]: true });
}

/** True for a generated property of {@link markUnset}: a part of unique indexes, and nothing that a record has. */
export function isUnsetMark(property: object): boolean {
  return Object.hasOwn(property, unset);
}

/** The unique indexes that an entity asked for, whatever stands for them in the database. */
export function uniquesOf({ uniques }: EntityMetadata): readonly Unique[] {
  return uniques.map((unique) =>
    Object.hasOwn(unique, asked) ? { ...unique, ...(Reflect.get(unique, asked) as Partial<Unique>) } : unique,
  );
}
