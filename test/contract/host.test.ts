import { Body, Controller, Get as NestGet, NotFoundException, Post, VersioningType } from '@nestjs/common';
import { List } from '@nest-endpoints/core';
import { expect } from '@jest/globals';
import { expectAnswer, notFound } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const list = new List({
  url: 'mine/list',
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
});

@Controller('own')
class OwnController {
  @NestGet()
  missing(): never {
    throw new NotFoundException();
  }

  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

const { contract } = service(libraryWith([list], { controllers: [OwnController] }));

contract("A route of the user's own controller keeps Nest's answers", async ({ request }) => {
  expectAnswer(await request().get('/own'), 404, { message: 'Not Found', statusCode: 404 });
});

contract("Malformed JSON for a route of the user's own controller keeps Nest's answer", async ({ raw }) => {
  const { status, body } = await raw('POST', '/own', {
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  expect([status, body]).toMatchObject([400, { statusCode: 400 }]);
});

const own = service(libraryWith([list], { root: { unknownPaths: 'own' } }));

own.contract("With unknownPaths 'own' a path outside our urls keeps Nest's answer", async ({ request }) => {
  const { status, body } = await request().get('/nowhere');
  expect({ status, body }).toMatchObject({
    status: 404,
    body: { message: 'Cannot GET /nowhere', statusCode: 404 },
  });
});

own.contract(
  "With unknownPaths 'own' an unknown path under our urls is answered with the envelope",
  async ({ request }) => {
    expectAnswer(await request().post('/mine/list'), 404, notFound);
  },
);

const prefixed = service(
  libraryWith([list], {
    configure: (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
    },
  }),
);

prefixed.contract('The global prefix of the application stands before every url', async ({ request }) => {
  const statuses = [
    (await request().get('/api/v2/mine/list')).status,
    (await request().get('/v2/mine/list')).status,
  ];
  expect(statuses).toEqual([200, 404]);
});

prefixed.contract('URI versioning of the application stands before every url', async ({ request }) => {
  const statuses = [
    (await request().get('/api/v2/mine/list')).status,
    (await request().get('/api/mine/list')).status,
  ];
  expect(statuses).toEqual([200, 404]);
});
