// An application whose changes are recorded: of parts by writes, of tools by a trigger. Node itself reads this file, as
// library.module.ts.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { ChangeRecord, EndpointsModule, recordChanges, RestfulApi } from '@nest-endpoints/core';
import { Migrator, sqlFromEntities } from '@nest-endpoints/migrations';
import { Module } from '@nestjs/common';

const { DATABASE_URL: clientUrl = '', MIGRATES, SCHEMAS } = process.env;

const properties = { id: p.integer().primary().autoincrement(), name: p.string() };
const Part = defineEntity({ name: 'Part', properties });
const Tool = defineEntity({ name: 'Tool', properties });

recordChanges(Part, { keepFor: 1000 });
recordChanges(Tool, { keepFor: 'forever', capture: 'trigger' });

const columns = ['name'] as const;
const common = { readableColumnNames: ['id', 'name'], writeableColumnNames: columns } as const;
const listed = { searchableColumnNames: columns, sortableColumnNames: columns } as const;

const migrated = {
  provide: 'MIGRATED',
  inject: [MikroORM],
  useFactory: (orm: MikroORM) =>
    MIGRATES === undefined || new Migrator({ cursor: orm, sql: [sqlFromEntities()] }).applyWhenChanged(),
};

class AppModule {}
Module({
  imports: [
    MikroOrmModule.forRoot({ driver: PostgreSqlDriver, clientUrl, entities: [Part, Tool, ChangeRecord] }),
    EndpointsModule.forRoot(SCHEMAS === undefined ? {} : { schemaOf: () => undefined, schemas: [SCHEMAS] }),
    EndpointsModule.forFeature([
      new RestfulApi({
        ...common,
        ...listed,
        defaultSortColumnName: 'name',
        modelClass: Part,
        url: 'parts',
        history: true,
      }),
      new RestfulApi({ ...common, ...listed, defaultSortColumnName: 'name', modelClass: Tool, url: 'tools' }),
    ]),
  ],
  providers: [migrated],
})(AppModule);

export { AppModule };
