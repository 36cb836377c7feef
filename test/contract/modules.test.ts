import { expect } from '@jest/globals';
import { Controller, Get as NestGet, Injectable, Module, type CanActivate } from '@nestjs/common';
import { Delete, EndpointGroup, EndpointsModule, List } from '@nest-endpoints/core';
import { expectAnswer, notFound } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** Which module answered, as its response header says. */
const by = (name: string) => ({ responseHeaders: [`X-By: ${name}`] });

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const list = (url: string, name: string) => new List({ ...listed, url, ...by(name) });

@Injectable()
class Doorkeeper {
  readonly isOpen = false;
}

/** A guard that needs a provider of the module around it. */
@Injectable()
class DoorGuard implements CanActivate {
  constructor(readonly doorkeeper: Doorkeeper) {}

  canActivate(): boolean {
    return this.doorkeeper.isOpen;
  }
}

@Module({ providers: [Doorkeeper], exports: [Doorkeeper] })
class DoorModule {}

@Module({
  imports: [
    EndpointsModule.forFeature([
      list('lists/books', 'books'),
      new EndpointGroup({ url: 'greedy', ...by('greedy'), endpoints: [list('one', 'books')] }),
    ]),
  ],
})
class BooksModule {}

const twice = EndpointsModule.forFeature([list('twice', 'twice')]);

@Module({
  imports: [
    EndpointsModule.forFeature([
      authors({ ...by('authors') }),
      new Delete({ url: 'lists/:id', modelClass: Book, ...by('authors') }),
      list('greedy/later', 'authors'),
    ]),
    EndpointsModule.forFeature([list('lists/second', 'second')]),
    EndpointsModule.forFeature([]),
    twice,
  ],
})
class AuthorsModule {}

@Controller('own')
class OwnController {
  @NestGet()
  greet(): string {
    return 'hello';
  }
}

const { contract } = service(
  libraryWith([list('first', 'first')], {
    imports: [BooksModule, AuthorsModule, twice],
    controllers: [OwnController],
  }),
);

contract('forFeature may be called in several modules, several times in each', async ({ request }) => {
  const paths = ['/first', '/lists/books', '/authors', '/lists/second', '/twice'];
  const answers = await Promise.all(paths.map((path) => request().get(path)));
  expect(answers.map(({ headers }) => headers['x-by'])).toEqual([
    'first',
    'books',
    'authors',
    'second',
    'twice',
  ]);
});

contract('A path no module answers is Not Found', async ({ request }) => {
  expectAnswer(await request().get('/lists/third'), 404, notFound);
});

contract('A path parameter of one module leaves the words of another alone', async ({ request }) => {
  const { status, headers } = await request().delete('/lists/books');
  expect([status, headers['x-by']]).toEqual([404, 'authors']);
});

contract(
  'A group takes every request below its url from modules that are imported later',
  async ({ request }) => {
    const { status, headers } = await request().get('/greedy/later');
    expect([status, headers['x-by']]).toEqual([404, 'greedy']);
  },
);

contract("A user's controller beside the modules keeps its answers", async ({ request }) => {
  expect((await request().get('/own')).text).toBe('hello');
});

const guardedFeature = EndpointsModule.forFeature([
  new List({ ...listed, url: 'guarded', guards: [DoorGuard] }),
]);

const guarded = service(
  libraryWith([], {
    imports: [{ ...guardedFeature, imports: [...(guardedFeature.imports ?? []), DoorModule] }],
  }),
).contract;

guarded('A guard is made with the providers of its forFeature module', async ({ request }) => {
  expect((await request().get('/guarded')).status).toBe(403);
});
