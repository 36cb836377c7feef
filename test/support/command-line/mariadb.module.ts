// An application with migrations of MariaDB. Node itself reads this file, as library.module.ts.
import { MariaDbDriver } from '@mikro-orm/mariadb';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule, recommendedMySqlOptions } from '@nest-endpoints/core';
import { Migrations } from '@nest-endpoints/migrations';
import { Module } from '@nestjs/common';

const {
  TEST_MARIADB_SOCKET: socketPath = '',
  DATABASE_URL: dbName = '',
  TARGET = '',
  FILL,
  SCHEMAS,
} = process.env;

const migrations = new Migrations({
  url: 'migrations',
  sql: [TARGET],
  ...(SCHEMAS !== undefined && { schemas: [SCHEMAS] }),
  ...(FILL !== undefined && { fills: { 'b.slug': FILL } }),
});

const recommended = recommendedMySqlOptions();

class AppModule {}
Module({
  imports: [
    MikroOrmModule.forRoot({
      ...recommended,
      driver: MariaDbDriver,
      user: 'root',
      driverOptions: { ...recommended.driverOptions, socketPath },
      dbName,
      entities: [],
      discovery: { warnWhenNoEntities: false },
    }),
    EndpointsModule.forRoot(),
    EndpointsModule.forFeature([migrations]),
  ],
})(AppModule);

export { AppModule };
