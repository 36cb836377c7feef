// An application whose start makes its tables and a record. Node itself reads this file, as library.module.ts.
import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Callable, EndpointsModule } from '@nest-endpoints/core';
import { Migrations, Migrator } from '@nest-endpoints/migrations';
import { Module } from '@nestjs/common';

const { DATABASE_URL: clientUrl = '', TARGET = '', URL_OF_TABLES: url = 'tables' } = process.env;

const migrated = {
  provide: 'MIGRATED',
  inject: [MikroORM],
  useFactory: (orm: MikroORM) =>
    new Migrator({ cursor: orm, sql: [TARGET], unmanaged: ['t_1', 't_2'] }).applyWhenChanged(async () => {
      await orm.em.getConnection().execute('insert into start default values');
    }),
};

const tables = new Callable({
  url,
  toCall: ({ em }) =>
    em.execute(`select tablename as name from pg_tables where schemaname = 'public' order by 1`),
});

const migrations = new Migrations({ url: 'migrations', sql: [TARGET], schemas: ['t_*'] });

class AppModule {}
Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl,
      entities: [],
      discovery: { warnWhenNoEntities: false },
    }),
    EndpointsModule.forRoot(),
    EndpointsModule.forFeature([tables, migrations]),
  ],
  providers: [migrated],
})(AppModule);

export { AppModule };
