import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { recommendedOptions } from '@nest-endpoints/core';
import { Migrator, sqlFromEntities } from '@nest-endpoints/migrations';
import { Module, type OnModuleInit } from '@nestjs/common';

const { DATABASE_URL: clientUrl, DATA_DIR: dbName = '.data' } = process.env;

/** The PostgreSQL server that DATABASE_URL names. Without one: PGlite, with its files in a directory. */
const database = clientUrl
  ? MikroOrmModule.forRoot({
      ...recommendedOptions(),
      driver: PostgreSqlDriver,
      clientUrl,
      autoLoadEntities: true,
    })
  : MikroOrmModule.forRoot({ driver: PgliteDriver, dbName, autoLoadEntities: true });

@Module({ imports: [database] })
export class DatabaseModule implements OnModuleInit {
  constructor(private readonly orm: MikroORM) {}

  async onModuleInit(): Promise<void> {
    // MIGRATE=no leaves the tables as they are, so that the plan can be looked at first.
    if (process.env.MIGRATE === 'no') return;
    await new Migrator({ cursor: this.orm, sql: [sqlFromEntities()] }).applyWhenChanged();
  }
}
