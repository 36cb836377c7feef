import type { EntityManager } from '@mikro-orm/core';
import { MigrationFailure } from './migration.failure.js';

/** An entry of `sql` that is not text: the tables of MikroORM's entities. */
export class EntitiesSql {
  /** The statements that make the tables, indexes and constraints of all entities. */
  async textOf(em: EntityManager | undefined): Promise<string> {
    if (em === undefined)
      throw new MigrationFailure(
        'sqlFromEntities() needs a cursor that is MikroORM or an entity manager of it',
      );
    const generator = em.getPlatform().getSchemaGenerator?.(em.getDriver(), em);
    const create: unknown =
      generator === undefined ? undefined : Reflect.get(generator, 'getCreateSchemaSQL');
    if (typeof create !== 'function')
      throw new MigrationFailure('sqlFromEntities() needs a driver that speaks SQL');
    return (await (create.call(generator, { wrap: false }) as Promise<string>)).trim();
  }
}

/**
 * An entry of `sql` that stands for the tables of the application's entities, so that they can be the source of the
 * schema; files beside it add what entities cannot say: views, functions, triggers, policies.
 *
 * @example
 * new Migrations({ url: 'migrations', sql: [sqlFromEntities(), 'database/views.sql'] })
 */
export function sqlFromEntities(): EntitiesSql {
  return new EntitiesSql();
}
