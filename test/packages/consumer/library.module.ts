import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { EndpointsModule, RestfulApi, SimpleSearch } from '@nest-endpoints/core';
import { Injectable, Module, type CanActivate } from '@nestjs/common';
import { Book } from './book.entity.js';

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

const search = {
  modelClass: Book,
  readableColumnNames: ['id', 'title', 'pageCount'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

@Module({
  imports: [
    MikroOrmModule.forRoot({ driver: PgliteDriver, dbName: 'memory://', entities: [Book] }),
    EndpointsModule.forRoot({ externalCasing: 'snake_case' }),
    EndpointsModule.forFeature([
      new SimpleSearch({ url: 'books/search', ...search }),
      new SimpleSearch({ url: 'guarded/books', guards: [OpenGuard], ...search }),
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
