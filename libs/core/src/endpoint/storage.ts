import type { MikroORM } from '@mikro-orm/core';
import type { NativePool } from '../database/pool/native.pool.js';
import { ModelRegistry } from '../metadata/model.registry.js';
import { Database } from '../database/database.js';
import type { RootOptions } from './options/settings.js';
import { EndpointContext } from './endpoint.context.js';
import { Replicas } from '../replicas/replicas.js';

/** A database and the models made from its entities. */
export interface Storage {
  readonly database: Database;
  readonly models: ModelRegistry;
  /** Undefined where MikroORM is configured with none. */
  readonly replicas: Replicas | undefined;
}

/** The pool for statements that go past MikroORM; undefined where none does. */
export function poolFor(
  database: Database,
  { statements, gatherReads }: RootOptions,
): NativePool | undefined {
  return database.pool(statements, gatherReads);
}

/** Kept per MikroORM instance, so that every endpoint of an application shares its models. */
const storages = new WeakMap<MikroORM, Storage>();

export function storageOf(orm: MikroORM): Storage {
  const known = storages.get(orm);
  if (known !== undefined) return known;
  const isOn = (): boolean => EndpointContext.current !== undefined;
  const database = new Database(orm, { isOn, session: (of) => EndpointContext.sessionOn(of) });
  const storage: Storage = {
    database,
    replicas: Replicas.of(orm, database.isPostgres, {
      isOn,
      reads: () => EndpointContext.sessionOn(database)?.reads,
    }),
    models: new ModelRegistry(orm.getMetadata(), orm.em.getPlatform()),
  };
  storages.set(orm, storage);
  return storage;
}
