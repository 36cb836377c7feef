import { expect } from '@jest/globals';
import { Cors, Create, Endpoint, EndpointsModule, Get, List } from '@nest-endpoints/core';
import { Controller, Module } from '@nestjs/common';
import { once, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** Which module answered, as its response header says. */
const by = (name: string) => ({ responseHeaders: [`X-By: ${name}`] });

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;
const list = (url: string, name: string) => new List({ ...listed, url, ...by(name) });

const shared = service(
  libraryWith([list('shared', 'reader')], {
    imports: [
      EndpointsModule.forFeature([
        new Create({
          ...titles,
          url: 'shared',
          writeableColumnNames: ['title'],
          ...by('writer'),
          securityHeaders: [new Cors('https://app.example')],
        }),
      ]),
    ],
  }),
).contract;

shared('The endpoints of several modules may share a path', async ({ request }) => {
  const read = await request().get('/shared');
  const written = await request().post('/shared').send({ title: 'Emma' });
  expect([read.headers['x-by'], written.headers['x-by'], written.status]).toEqual(['reader', 'writer', 201]);
});

shared('OPTIONS joins the methods of several modules that share the path', async ({ request }) => {
  const { status, headers } = await request().options('/shared');
  expect([status, headers['access-control-allow-methods']]).toEqual([200, 'GET, POST']);
});

const contested = service(
  libraryWith([list('contested', 'first')], {
    imports: [EndpointsModule.forFeature([list('contested', 'second')])],
  }),
).contract;

contested(
  'Of two modules with the same path and method the one imported first answers',
  async ({ request }) => {
    const { headers } = await request().get('/contested');
    expect(headers['x-by']).toBe('first');
  },
);

contested('What a module imported earlier takes is named in a warning at start-up', ({ startLog }) => {
  expect(startLog).toMatch(
    /^warn List 'contested' \(forFeature 2 of TestApplication\) never answers GET: List 'contested' \(forFeature 1 of TestApplication\) takes its path first; give one of them another url/m,
  );
});

@Module({ imports: [EndpointsModule.forFeature([list('twice', 'second')])] })
class ReadersModule {}

@Controller('twice')
class TwiceController {
  @Endpoint({ url: '' })
  get(): object {
    return {};
  }
}

@Module({ controllers: [TwiceController] })
class WritersModule {}

const separate = service(
  libraryWith([list('twice', 'first')], { imports: [ReadersModule, WritersModule] }),
  once,
).contract;

separate('Lists of several modules that take the same path are named with their modules', ({ startLog }) => {
  const first = "List 'twice' \\(of TestApplication\\) takes its path first";
  for (const later of [
    "List 'twice' \\(of ReadersModule\\)",
    "\\w+ 'twice' \\(controllers of WritersModule\\)",
  ])
    expect(startLog).toMatch(new RegExp(`^warn ${later} never answers GET: ${first}`, 'm'));
});

const item = new Get({ ...titles, url: 'items/:isbn', recordLookupColumnName: 'isbn', ...by('item') });

const overlapping = service(
  libraryWith([item], { imports: [EndpointsModule.forFeature([list('items/special', 'special')])] }),
).contract;

overlapping(
  'Of two modules whose paths overlap the one imported first answers',
  async ({ request, save }) => {
    await save(Book, { title: 'Emma', isbn: 'special' });
    const { status, headers } = await request().get('/items/special');
    expect([status, headers['x-by']]).toEqual([200, 'item']);
  },
);

const nested = service(
  libraryWith([books({ url: 'shelves' })], {
    imports: [EndpointsModule.forFeature([list('shelves/:shelfId/boards', 'boards')])],
  }),
).contract;

nested('What is below the url of a RestfulApi of a module imported earlier is named, too', ({ startLog }) => {
  expect(startLog).toMatch(
    /^warn List 'shelves\/:shelfId\/boards' \(forFeature 2 of TestApplication\) never answers GET: the group 'shelves' \(forFeature 1 of TestApplication\) takes its path first; import its module earlier/m,
  );
});
