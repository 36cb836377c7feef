import type { EntityManager } from '@mikro-orm/core';
import { changeTriggersSql } from '@nest-endpoints/core';
import { MigrationFailure } from './migration.failure.js';

/** An entry of `sql` that is not text: the tables of MikroORM's entities. */
export class EntitiesSql {
  /** The statements that make the tables, indexes and constraints of all entities, and the triggers that record changes. */
  async textOf(em: EntityManager | undefined): Promise<string> {
    if (em === undefined)
      throw new MigrationFailure(
        'sqlFromEntities() needs a cursor that is MikroORM or an entity manager of it',
      );
    const generator = em.getPlatform().getSchemaGenerator(em.getDriver(), em);
    const tables = (await generator.getCreateSchemaSQL({ wrap: false })).trim();
    return `${tables}\n${changeTriggersSql(em)}`.trim();
  }
}

/** An entry of `sql` that is not text: the triggers that record changes. */
class ChangeTriggersSql extends EntitiesSql {
  override textOf(em: EntityManager | undefined): Promise<string> {
    if (em === undefined)
      throw new MigrationFailure(
        'sqlFromChangeTriggers() needs a cursor that is MikroORM or an entity manager of it',
      );
    return Promise.resolve(changeTriggersSql(em));
  }
}

/**
 * Makes an entry of `sql` that stands for the triggers of entities whose changes a trigger records, beside tables that are
 * written in SQL. `sqlFromEntities()` has them already.
 *
 * @example
 * new Migrations({ url: 'migrations', sql: ['database', sqlFromChangeTriggers()] })
 */
export function sqlFromChangeTriggers(): EntitiesSql {
  return new ChangeTriggersSql();
}

/**
 * Makes an entry of `sql` that stands for the tables of the application's entities, as the source of the schema. Files
 * beside it add what entities cannot say: views, functions, triggers, policies.
 *
 * @example
 * new Migrations({ url: 'migrations', sql: [sqlFromEntities(), 'database/views.sql'] })
 */
export function sqlFromEntities(): EntitiesSql {
  return new EntitiesSql();
}
