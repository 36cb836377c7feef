import type { MikroORM } from '@mikro-orm/core';
import type { MikroOrmModuleSyncOptions } from '@mikro-orm/nestjs';

/** A database that this process may use: how to connect, and what to give back after the last connection. */
export interface OpenDatabase {
  readonly options: Pick<
    MikroOrmModuleSyncOptions,
    'driver' | 'driverOptions' | 'dbName' | 'clientUrl' | 'ensureDatabase' | 'replicas'
  >;
  /** To the server itself, for migrations, where the rest goes through a pooler. */
  readonly direct?: Pick<MikroORM, 'em' | 'close'>;
  release(): void;
}
