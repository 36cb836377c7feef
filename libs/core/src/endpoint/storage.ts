import type { MikroORM } from '@mikro-orm/core';
import { ModelRegistry } from '../model/model.registry.js';
import { Database } from '../records/database.js';
import type { NativePool } from '../records/pool/native.pool.js';
import { EndpointContext } from './endpoint.context.js';
import type { RootOptions } from './settings.js';

/** A database and the models made from its entities. */
export interface Storage {
  readonly database: Database;
  readonly models: ModelRegistry;
}

/** The pool for statements that go past MikroORM; undefined where none does. */
export function poolFor(
  database: Database,
  { statements, rowLevelSecurity }: RootOptions,
): NativePool | undefined {
  return rowLevelSecurity === undefined ? database.pool(statements) : undefined;
}

/** Kept per MikroORM instance, so that every endpoint of an application shares its models. */
const storages = new WeakMap<MikroORM, Storage>();

export function storageOf(orm: MikroORM): Storage {
  const known = storages.get(orm);
  if (known !== undefined) return known;
  const storage = {
    database: new Database(orm, {
      isOn: () => EndpointContext.current !== undefined,
      session: (database) => EndpointContext.sessionOn(database),
    }),
    models: new ModelRegistry(orm.getMetadata(), orm.em.getPlatform()),
  };
  storages.set(orm, storage);
  return storage;
}
