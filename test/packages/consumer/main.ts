import 'reflect-metadata';
import { MikroORM } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { EndpointsModule, RestfulApi } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Book } from './book.entity.js';

@Module({
  imports: [
    MikroOrmModule.forRoot({ driver: PgliteDriver, dbName: 'memory://', entities: [Book] }),
    EndpointsModule.forRoot({ internalCasing: 'camelCase', externalCasing: 'snake_case' }),
    EndpointsModule.forFeature([
      new RestfulApi({
        url: 'books',
        modelClass: Book,
        readableColumnNames: ['id', 'title', 'pageCount'],
        writeableColumnNames: ['title', 'pageCount'],
        sortableColumnNames: ['title'],
        searchableColumnNames: ['title'],
        defaultSortColumnName: 'title',
      }),
    ]),
  ],
})
class LibraryModule {}

const app = await NestFactory.create(LibraryModule, { logger: ['warn', 'error'] });
app.enableShutdownHooks();
await app.get(MikroORM).schema.create();
await app.listen(0, '127.0.0.1');
console.log(`listening on ${await app.getUrl()}`);
