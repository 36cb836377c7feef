import type { EntityMetadata, EntityName, MikroORM } from '@mikro-orm/core';
import { ConfigurationError } from '@nest-endpoints/core';

/**
 * The name of an entity's table in SQL.
 *
 * @throws ConfigurationError where MikroORM does not know the entity
 */
export function tableOf(orm: MikroORM, entity: EntityName, name: string): string {
  const metadata = orm.getMetadata();
  const meta: EntityMetadata | undefined = metadata.find(entity);
  if (meta === undefined || !metadata.getAll().has(meta.class))
    throw new ConfigurationError(
      'EventsModule',
      'entities',
      `MikroORM does not know ${name}; add it to its entities`,
    );
  const platform = orm.em.getPlatform();
  const schema = meta.schema ?? orm.config.get('schema');
  return [schema, meta.tableName]
    .filter((part) => part !== undefined)
    .map((part) => platform.quoteIdentifier(part))
    .join('.');
}
