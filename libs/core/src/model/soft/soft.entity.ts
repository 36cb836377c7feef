import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { softOptionsOf, type SoftDeleteOptions } from './soft.delete.js';

/** An entity whose records are deleted by a mark. */
export interface SoftEntity {
  readonly options: SoftDeleteOptions;
  /** The property that says when a record was deleted: null in live ones. */
  readonly property: EntityProperty;
  /** The property that says who deleted it. */
  readonly by: EntityProperty | undefined;
  /** True if a value of a deleted record may be another one's, too. */
  readonly isUniqueAmongLive: boolean;
}

/** The reason why no client writes what tells of deleted records. */
export const ofMarks = 'Delete and Restore write it';

const known = new WeakMap<EntityMetadata, SoftEntity>();

/**
 * The mark that {@link softDelete} says of an entity; undefined where its records are deleted for good.
 * @throws ConfigurationError for properties that cannot hold it
 */
export function softEntityOf(meta: EntityMetadata): SoftEntity | undefined {
  const found = known.get(meta);
  if (found !== undefined) return found;
  const options = softOptionsOf(meta.class);
  if (options === undefined) return undefined;
  const soft = made(meta, options);
  known.set(meta, soft);
  return soft;
}

/** The property that is null in live records, where unique indexes may be of those alone. */
export function liveMarkOf(meta: EntityMetadata): EntityProperty | undefined {
  const soft = softEntityOf(meta);
  return soft?.isUniqueAmongLive === true ? soft.property : undefined;
}

/** True if a condition of an index says that it is one of live records alone. */
export function isOfLive(meta: EntityMetadata, where: unknown): boolean {
  const soft = softEntityOf(meta);
  if (soft?.isUniqueAmongLive !== true) return false;
  const { name, fieldNames } = soft.property;
  if (typeof where === 'string') return bare(where) === `${fieldNames[0] ?? name} is null`;
  if (typeof where !== 'object' || where === null || Object.keys(where).join() !== name) return false;
  return Reflect.get(where, name) === null;
}

/** A condition as text, without what its author may write in several ways. */
function bare(condition: string): string {
  return condition
    .replaceAll(/[()"`[\]]/g, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

function made(meta: EntityMetadata, options: SoftDeleteOptions): SoftEntity {
  const { columnName, byColumnName, uniqueAmong = 'live' } = options;
  const property = propertyOf(meta, columnName, 'columnName');
  const isInstant = property.runtimeType === 'Date' && property.columnTypes[0] !== 'date';
  if (!isInstant || property.kind !== ReferenceKind.SCALAR || property.nullable !== true)
    refuse(meta, 'columnName', `'${columnName}' is no date with a time that may be null`);
  if (property.version === true || property.onCreate !== undefined || property.onUpdate !== undefined)
    refuse(meta, 'columnName', `MikroORM sets '${columnName}' itself`);
  const by = byColumnName === undefined ? undefined : propertyOf(meta, byColumnName, 'byColumnName');
  if (by !== undefined && (by.nullable !== true || by === property))
    refuse(meta, 'byColumnName', `'${by.name}' is no column of its own that may be null`);
  return { options, property, by, isUniqueAmongLive: uniqueAmong === 'live' };
}

function propertyOf(meta: EntityMetadata, name: string, option: string): EntityProperty {
  const properties: Readonly<Record<string, EntityProperty>> = meta.properties;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined || property.persist === false || property.fieldNames.length !== 1)
    return refuse(meta, option, `'${name}' is no column of ${meta.className}`);
  return property;
}

function refuse({ className }: EntityMetadata, option: string, problem: string): never {
  throw new ConfigurationError(`softDelete(${className})`, option, problem);
}
