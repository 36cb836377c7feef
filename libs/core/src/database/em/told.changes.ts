import type { MikroORM, Platform } from '@mikro-orm/core';

/** A function that gives the properties of an entity which differ from what was stored. */
type Comparator = (last: object, current: object, ...options: unknown[]) => Record<string, unknown>;

/**
 * Makes MikroORM see that a value which JavaScript cannot tell has not changed: NaN is never equal to itself, and neither is the `Date`
 * of `infinity`. By itself MikroORM writes these with every change of their record, which PostgreSQL refuses of such a `Date`. A foreign key
 * that is an instant is a text where it was read, and a `Date` in the entity: by itself MikroORM writes it with every flush.
 */
export function leaveUntold(orm: MikroORM): void {
  const comparator = orm.em.getComparator();
  const platform = orm.em.getPlatform();
  const compared = new WeakMap<Comparator, Comparator>();
  const original = comparator.getEntityComparator.bind(comparator) as (name: never) => Comparator;
  const replaced = (name: never): Comparator => {
    const compare = original(name);
    const known = compared.get(compare);
    if (known !== undefined) return known;
    const made: Comparator = (last, ...rest) => toldOnly(last, compare(last, ...rest), platform);
    compared.set(compare, made);
    return made;
  };
  comparator.getEntityComparator = replaced as never;
}

function toldOnly(
  last: object,
  differences: Record<string, unknown>,
  platform: Platform,
): Record<string, unknown> {
  for (const [name, value] of Object.entries(differences)) {
    const before: unknown = Reflect.get(last, name);
    if (isUntold(value, before) || isInstantOf(value, before, platform))
      Reflect.deleteProperty(differences, name);
  }
  return differences;
}

/** True for NaN that was NaN, as number or text, and for a `Date` of no time that stands for what the database had. */
function isUntold(value: unknown, last: unknown): boolean {
  if (Object.is(value, last)) return true;
  if (!(value instanceof Date) || !Number.isNaN(value.getTime())) return false;
  return last !== null && last !== undefined && Number.isNaN(new Date(last as string | number).getTime());
}

/** True for the `Date` of a text as the driver gives it. */
function isInstantOf(value: unknown, text: unknown, platform: Platform): boolean {
  if (!(value instanceof Date) || typeof text !== 'string') return false;
  return new Date(platform.parseDate(text)).getTime() === value.getTime();
}
