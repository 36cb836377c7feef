import { expect, test } from '@jest/globals';
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { getMikroORMToken, MikroOrmModule } from '@mikro-orm/nestjs';
import { PgliteDriver } from '@mikro-orm/pglite';
import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Batch, Create, Delete, EndpointsModule, List } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { pgliteSnapshot } from '../support/pglite.snapshot.js';

/** Only the archive has these. */
const Box = defineEntity({
  name: 'Box',
  properties: { id: p.integer().primary().autoincrement(), mark: p.string().unique() },
});
const Paper = defineEntity({
  name: 'Paper',
  properties: { id: p.integer().primary().autoincrement(), box: () => p.manyToOne(Box) },
});

/** A second database, embedded, whose tables are made when the application starts. */
@Module({
  imports: [
    MikroOrmModule.forRoot({
      contextName: 'archive',
      driver: PgliteDriver,
      dbName: 'memory://',
      driverOptions: { loadDataDir: pgliteSnapshot },
      entities: [...library, Box, Paper],
    }),
  ],
})
class ArchiveModule implements OnApplicationBootstrap {
  constructor(@Inject(getMikroORMToken('archive')) private readonly orm: MikroORM) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.orm.schema.create();
  }
}

const boxes = {
  modelClass: Box,
  readableColumnNames: ['id', 'mark'],
  writeableColumnNames: ['mark'],
  sortableColumnNames: ['mark'],
  defaultSortColumnName: 'mark',
} as const;

const archived = [
  books({ url: 'archive/books' }),
  new Create({ ...boxes, url: 'boxes' }),
  new List({ ...boxes, url: 'boxes' }),
  new Delete({ url: 'boxes/:id', modelClass: Box }),
  new Create({
    url: 'papers',
    modelClass: Paper,
    readableColumnNames: ['boxId'],
    writeableColumnNames: ['boxId'],
  }),
  new List({
    ...boxes,
    url: 'counted',
    responseHeaders: async ({ em }) => [`X-Boxes: ${await em.count(Box)}`],
    outputMap: async ({ em, record }) => [record.mark, await em.count(Box)],
  }),
];

const { contract } = service(
  libraryWith([books(), authors(), new Batch({ url: 'batch', wholeApplication: true })], {
    imports: [ArchiveModule, EndpointsModule.forFeature(archived, { contextName: 'archive' })],
  }),
);

contract('contextName names the database of a forFeature call', async ({ request, count }) => {
  const { body } = await request().post('/archive/books').send({ title: 'Emma' });
  const path = `/books/${body.data.id}`;
  const statuses = [(await request().get(`/archive${path}`)).status, (await request().get(path)).status];
  expect([statuses, await count(Book)]).toEqual([[200, 404], 0]);
});

contract('forFeature without a contextName uses the default database', async ({ request, count }) => {
  const { body } = await request().post('/books').send({ title: 'Persuasion' });
  expect((await request().get(`/archive/books/${body.data.id}`)).status).toBe(404);
  expect(await count(Book)).toBe(1);
});

contract('A Batch reaches the endpoints of its own database alone', async ({ request, count }) => {
  const operations = ['/books', '/archive/books'].map((path) => ({
    method: 'POST',
    path,
    body: { title: 'Emma' },
  }));
  const refused = await request().post('/batch').send({ operations });
  expectAnswer(refused, 400, clientError('operations.1: this endpoint cannot take part in a batch'));
  expect(await count(Book)).toBe(0);
});

contract('Each database is asked whether a value is unique', async ({ request }) => {
  const book = { title: 'Emma', isbn: String(Math.random()).slice(2, 14) };
  const statuses = [
    (await request().post('/books').send(book)).status,
    (await request().post('/archive/books').send(book)).status,
    (await request().post('/archive/books').send(book)).status,
  ];
  expect(statuses).toEqual([201, 201, 400]);
});

contract('Each database is asked whether a parent exists', async ({ request }) => {
  const author = await request().post('/authors').send({ name: 'Jane Austen' });
  const book = { title: 'Emma', author_id: author.body.data.id };
  const near = await request().post('/books').send(book);
  const far = await request().post('/archive/books').send(book);
  expect(near.status).toBe(201);
  expectAnswer(far, 400, inputErrors({ author_id: 'the given record does not exist' }));
});

contract('A model that only a second database has is served', async ({ request }) => {
  const box = await request().post('/boxes').send({ mark: 'only' });
  const { id } = box.body.data;
  expectAnswer(box, 201, success({ id, mark: 'only' }));
  const paper = await request().post('/papers').send({ box_id: id });
  expectAnswer(paper, 201, success({ box_id: id }));
  const refused = await request().delete(`/boxes/${id}`);
  expect([refused.status, refused.body.status]).toEqual([409, 'client_error']);
});

contract('em of a callable is that of the database its endpoint uses', async ({ request }) => {
  await request().post('/boxes').send({ mark: 'counted' });
  const { body, headers } = await request().get('/counted');
  const total = String(body.data.length);
  expect([headers['x-boxes'], body.data[0][1]]).toEqual([total, Number(total)]);
});

test('A contextName that no MikroORM has stops the start', async () => {
  const imports = [EndpointsModule.forFeature([books()], { contextName: 'nowhere' })];
  expect(await startUpError(libraryWith([], { imports }))).toMatch(/contextName.*'nowhere'/s);
});

test('A model that the named database does not have stops the start', async () => {
  const list = new List({ ...boxes, url: 'boxes' });
  expect(await startUpError(libraryWith([list]))).toMatch(/List 'boxes'.*modelClass.*Box/s);
});
