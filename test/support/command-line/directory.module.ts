// An application whose database is a directory. Node itself reads this file, see library.module.ts.
import { defineEntity, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { Create, EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';

const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), text: p.string().length(200) },
});

const notes = new Create({
  url: 'notes',
  modelClass: Note,
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['text'],
});

class AppModule {}
Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: PgliteDriver,
      dbName: process.env['DATA_DIR'] ?? '',
      entities: [Note],
    }),
    EndpointsModule.forRoot(),
    EndpointsModule.forFeature([notes]),
  ],
})(AppModule);

export { AppModule };
