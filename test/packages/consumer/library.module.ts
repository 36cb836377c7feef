import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { EndpointsModule, RestfulApi } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { Book } from './book.entity.js';

@Module({
  imports: [
    MikroOrmModule.forRoot({ driver: PgliteDriver, dbName: 'memory://', entities: [Book] }),
    EndpointsModule.forRoot({ externalCasing: 'snake_case' }),
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
export class LibraryModule {}
