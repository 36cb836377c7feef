import { EntitySchema, MetadataStorage, type EntityName } from '@mikro-orm/core';

interface DeclaredMetadata {
  readonly extends?: EntityName | undefined;
  readonly properties?: Readonly<Record<string, { readonly primary?: boolean } | undefined>>;
  readonly primaryKeys?: readonly string[];
}

/**
 * Gives the name of an entity's key as it was declared, before MikroORM has discovered the metadata: paths must be known
 * when a module is defined. Of a key of several properties it is the last one. Undefined when the declaration does not say.
 */
export function primaryKeyNameOf(entity: EntityName): string | undefined {
  const declared = declaredMetadata(entity);
  const name = Object.entries(declared?.properties ?? {}).findLast(
    ([, property]) => property?.primary === true,
  )?.[0];
  if (name !== undefined || declared?.extends === undefined) return name ?? declared?.primaryKeys?.at(-1);
  return primaryKeyNameOf(declared.extends);
}

function declaredMetadata(entity: EntityName): DeclaredMetadata | undefined {
  if (EntitySchema.is(entity)) return entity.meta as DeclaredMetadata;
  const schema = EntitySchema.REGISTRY.get(entity as never);
  if (schema !== undefined) return schema.meta as DeclaredMetadata;
  for (let owner: unknown = entity; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    const declared = Reflect.get(owner, MetadataStorage.META_SYMBOL) as DeclaredMetadata | undefined;
    if (declared?.properties !== undefined) return declared;
  }
  return undefined;
}
