import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';

/** The values of a row by property, as MikroORM's driver is given them. */
export type Values = Readonly<Record<string, unknown>>;

/** The values of a row as they are bound; undefined where MikroORM alone knows how to write one of them. */
export function givenIn(
  meta: EntityMetadata,
  data: Values,
): ReadonlyMap<EntityProperty, unknown> | undefined {
  const properties: Readonly<Record<string, EntityProperty>> = meta.properties;
  const given = new Map<EntityProperty, unknown>();
  for (const [name, value] of Object.entries(data)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || !isWritable(property) || !isPlainValue(property, value)) return undefined;
    given.set(property, value);
  }
  return given;
}

/** The conditions by which a flush finds its row: its key, and its version. Undefined for any others. */
export function askedIn(
  { meta, key }: { readonly meta: EntityMetadata; readonly key: EntityProperty },
  where: unknown,
): ReadonlyMap<EntityProperty, unknown> | undefined {
  if (typeof where !== 'object' || where === null || !Object.hasOwn(where, key.name)) return undefined;
  const entries = Object.entries(where) as readonly (readonly [string, unknown])[];
  const asked = givenIn(meta, Object.fromEntries(entries.map(([name, value]) => [name, onlyOf(value)])));
  return asked !== undefined && [...asked.values()].every((value) => value !== null) ? asked : undefined;
}

/** The value of `{ $in: [value] }`; others as they are. */
function onlyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$in')) return value;
  const list: unknown = Reflect.get(value, '$in');
  return Array.isArray(list) && list.length === 1 ? (list[0] as unknown) : value;
}

/** True if a property is one column, whose value goes there as it is. */
function isWritable(property: EntityProperty): boolean {
  const { kind, fieldNames, customType, persist, formula, polymorphic } = property;
  const isOne =
    kind === ReferenceKind.SCALAR || kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;
  if (!isOne || fieldNames.length !== 1 || persist === false || formula !== undefined) return false;
  if (polymorphic !== undefined) return false;
  return customType === undefined || !('convertToDatabaseValueSQL' in customType);
}

/**
 * True if the database takes a value for the same, be it a parameter or written into the statement. A literal has a type of
 * its own, which may be cast to that of the column.
 */
function isPlainValue({ columnTypes }: EntityProperty, value: unknown): boolean {
  const [type = ''] = columnTypes;
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'bigint':
      return true;
    case 'number':
      return Number.isSafeInteger(value) || /^(?:double|real|float|numeric|decimal)/.test(type);
    case 'object':
      return value === null || (value instanceof Date && /^(?:timestamp|date)/.test(type));
    default:
      return false;
  }
}
