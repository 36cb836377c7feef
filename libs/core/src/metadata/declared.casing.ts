import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { Casing } from '../wire/casing.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { definitionsOf } from '../model/column.definition.js';

/** A name that shows a casing, and whose it is. */
interface Shown {
  readonly name: string;
  readonly casing: Casing;
}

/** The casing that a name shows; undefined for one word, and for what is written in no casing at all. */
export function casingOfName(name: string): Casing | undefined {
  const hasLower = /\p{Ll}/u.test(name);
  const hasUpper = /\p{Lu}/u.test(name);
  if (/[^_]_+[^_]/u.test(name)) return hasUpper ? undefined : 'snake_case';
  if (!hasUpper || !hasLower) return undefined;
  return /^_*\p{Lu}/u.test(name) ? 'TitleCase' : 'camelCase';
}

/**
 * The casing that the properties of an entity are named in, and those of all entities that its relations lead to;
 * undefined where every name is one word.
 *
 * @throws ConfigurationError for two properties whose names disagree
 */
export function declaredCasing(owner: string, meta: EntityMetadata): Casing | undefined {
  const reachable = entitiesFrom(meta);
  return agreed(owner, reachable.flatMap(namesOf)) ?? agreed(owner, reachable.flatMap(definedNamesOf));
}

/** The casing of all entities of an application; undefined where they disagree, or show none. */
export function commonCasing(entities: Iterable<EntityMetadata>): Casing | undefined {
  const found = new Set([...entities].flatMap(namesOf).map(({ casing }) => casing));
  return found.size === 1 ? [...found][0] : undefined;
}

function agreed(owner: string, names: readonly Shown[]): Casing | undefined {
  const [first] = names;
  const other = names.find(({ casing }) => casing !== first?.casing);
  if (first === undefined || other === undefined) return first?.casing;
  const problem = `${first.name} is in ${first.casing}, ${other.name} in ${other.casing}`;
  const remedy = 'name properties in one casing, or say with internalCasing which it is';
  throw new ConfigurationError(owner, 'internalCasing', `${problem}; ${remedy}`);
}

function entitiesFrom(start: EntityMetadata): readonly EntityMetadata[] {
  const found = new Set([start]);
  for (const meta of found)
    for (const { targetMeta } of propertiesOf(meta)) if (targetMeta !== undefined) found.add(targetMeta);
  // Relations may lead to metadata of an entity that is not the registered one: one of a name is enough.
  return [...new Map([...found].map((meta) => [meta.className, meta])).values()];
}

function namesOf(meta: EntityMetadata): Shown[] {
  return propertiesOf(meta).flatMap((property) =>
    shownBy(meta.className, property.embedded?.[1] ?? property.name),
  );
}

/** Collects the names in the definition beside an entity. It names key columns, too. */
function definedNamesOf({ class: type, className }: EntityMetadata): Shown[] {
  return [...definitionsOf(type).keys()].flatMap((name) => shownBy(className, name));
}

function shownBy(className: string, name: string): Shown[] {
  const casing = casingOfName(name);
  return casing === undefined ? [] : [{ name: `${className}.${name}`, casing }];
}

/** The properties that somebody named, and that columns or relations are made of. */
function propertiesOf(meta: EntityMetadata): readonly EntityProperty[] {
  return Object.values<EntityProperty>(meta.properties).filter((property) => {
    const { kind, userDefined, persist, formula, embedded, object, name } = property;
    if (userDefined === false || name.endsWith('__inverse')) return false;
    const isHidden = persist === false && formula === undefined && kind === ReferenceKind.SCALAR;
    return !isHidden && !(embedded !== undefined && object === true);
  });
}
