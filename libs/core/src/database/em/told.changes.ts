import type { MikroORM } from '@mikro-orm/core';

/** A function that gives the properties of an entity which differ from what was stored. */
type Comparator = (last: object, current: object, ...options: unknown[]) => Record<string, unknown>;

/**
 * Makes MikroORM see that a value which JavaScript cannot tell has not changed: NaN is never equal to itself, and neither is the `Date`
 * of `infinity`. By itself MikroORM writes these with every change of their record, which PostgreSQL refuses of such a `Date`.
 */
export function leaveUntold(orm: MikroORM): void {
  const comparator = orm.em.getComparator();
  const compared = new WeakMap<Comparator, Comparator>();
  const original = comparator.getEntityComparator.bind(comparator) as (name: never) => Comparator;
  const replaced = (name: never): Comparator => {
    const compare = original(name);
    const known = compared.get(compare);
    if (known !== undefined) return known;
    const made: Comparator = (last, ...rest) => toldOnly(last, compare(last, ...rest));
    compared.set(compare, made);
    return made;
  };
  comparator.getEntityComparator = replaced as never;
}

function toldOnly(last: object, differences: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(differences))
    if (isUntold(value, Reflect.get(last, name))) Reflect.deleteProperty(differences, name);
  return differences;
}

/** True for NaN that was NaN, as number or text, and for a `Date` of no time that stands for what the database had. */
function isUntold(value: unknown, last: unknown): boolean {
  if (Object.is(value, last)) return true;
  if (!(value instanceof Date) || !Number.isNaN(value.getTime())) return false;
  return last !== null && last !== undefined && Number.isNaN(new Date(last as string | number).getTime());
}
