import { ReferenceKind, type EntityMetadata, type EntityProperty, type Platform } from '@mikro-orm/core';
import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import type { Column } from '../../model/column.js';
import type { ColumnDefinition } from '../../model/column.definition.js';
import type { VirtualExpression } from '../../model/columns/searched/search.sql.js';
import { ConfigurationError, oneOf } from '../../wire/configuration.error.js';
import { factsOf } from '../suggested.column.js';
import { storedFields } from '../stored.fields.js';

/** The columns that definitions add to those of an entity's properties. @throws ConfigurationError */
export function virtualColumns(
  meta: EntityMetadata,
  definitions: ReadonlyMap<string, ColumnDefinition>,
  columns: ReadonlyMap<string, Column>,
  platform: Platform,
): Column[] {
  return [...definitions].flatMap(([name, definition]) => {
    const { type } = definition;
    if (type?.virtual === undefined) return [];
    const refuse = refusing(`defineColumns(${meta.className})`, name);
    if (!(platform instanceof BasePostgreSqlPlatform))
      return refuse(`a ${type.name} column needs PostgreSQL or PGlite`);
    if (Object.hasOwn(meta.properties, name) || columns.has(name))
      return refuse(`a ${type.name} column is no property of the entity: choose another name`);
    const further = Object.keys(definition).filter((key) => key !== 'type' && key !== 'message');
    if (further.length > 0) return refuse(`a ${type.name} column takes no ${further.join(', ')}`);
    checkSources(meta, type.virtual, platform, refuse);
    return [virtualColumn(name, type, definition.message)];
  });
}

/** @throws ConfigurationError for an expression over what is no stored column of the entity, or of another type */
function checkSources(
  meta: EntityMetadata,
  virtual: VirtualExpression,
  platform: Platform,
  refuse: (problem: string) => never,
): void {
  const isSource = (property: EntityProperty): boolean => {
    if (property.kind !== ReferenceKind.SCALAR || property.formula !== undefined) return false;
    if (property.persist === false || storedFields(property).length !== 1) return false;
    return virtual.suits(factsOf(property, platform).databaseType);
  };
  const suitable = Object.values<EntityProperty>(meta.properties).filter(isSource);
  const names = suitable.map(({ name }) => name);
  for (const name of virtual.of)
    if (!names.includes(name))
      refuse(`'${name}' is none of the entity's own ${virtual.suitable}; ${oneOf(names)}`);
}

function refusing(owner: string, option: string): (problem: string) => never {
  return (problem) => {
    throw new ConfigurationError(owner, option, problem);
  };
}

function virtualColumn(name: string, type: Column['type'], message: string | undefined): Column {
  return {
    name,
    property: madeUpProperty(name),
    type,
    message,
    deprecated: false,
    validators: [],
    impliedValidators: [],
    nullable: false,
    conversion: undefined,
    hiddenBecause: undefined,
    readOnlyBecause: `a ${type.name} column has no value`,
  };
}

/** Columns have a property. This one is of no entity and has no field, so that nothing is read or written by it. */
function madeUpProperty(name: string): EntityProperty {
  return {
    name,
    kind: ReferenceKind.SCALAR,
    persist: false,
    type: 'unknown',
    runtimeType: 'any',
    columnTypes: [],
    fieldNames: [],
  } as unknown as EntityProperty;
}
