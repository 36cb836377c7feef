import { expect } from '@jest/globals';
import { Body, Controller, Injectable, Module, Post } from '@nestjs/common';
import { EndpointsModule, Hsts, List, type RootOptions } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';

@Controller('own')
class OwnController {
  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

const unprocessable = service(
  libraryWith([books()], { root: { inputErrorsStatus: 422, bodyLimit: 20 }, controllers: [OwnController] }),
).contract;

unprocessable('inputErrorsStatus sets the status code of failed validation', async ({ request }) => {
  const created = await request().post('/books').send({});
  const searched = await request().get('/books?pages=many');
  expectAnswer(created, 422, inputErrors({ title: "'title' is required." }));
  expectAnswer(searched, 422, inputErrors({ pages: 'value should be an integer' }));
});

unprocessable(
  'inputErrorsStatus leaves the status code of other refusals alone',
  async ({ raw, request }) => {
    const answers = [await raw('POST', '/books', { body: '{' }), await request().get('/books?limit=x')];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  },
);

unprocessable('bodyLimit sets the largest body that is read', async ({ raw }) => {
  const exact = await raw('POST', '/books', { body: '{"title": "Emma"}   ' });
  const above = await raw('POST', '/books', { body: '{"title": "Emma"}    ' });
  expect([exact.status, above.status]).toEqual([201, 413]);
});

unprocessable('bodyLimit counts bytes, not characters', async ({ raw }) => {
  const { status } = await raw('POST', '/books', { body: '{"title": "ÆÆÆÆÆ"}' });
  expect(status).toBe(413);
});

unprocessable("bodyLimit leaves the routes of the user's own controllers alone", async ({ request }) => {
  const body = { title: 'more than twenty bytes' };
  expectAnswer(await request().post('/own').send(body), 201, body);
});

const successful = service(libraryWith([books()], { root: { inputErrorsStatus: 200 } })).contract;

successful('inputErrorsStatus may be 200', async ({ request }) => {
  const answer = await request().post('/books').send({});
  expectAnswer(answer, 200, inputErrors({ title: "'title' is required." }));
});

const root: RootOptions = {
  internalCasing: 'camelCase',
  externalCasing: 'TitleCase',
  responseHeaders: ['X-Root: yes'],
  securityHeaders: [new Hsts()],
  defaultLimit: 1,
  maximumLimit: 2,
};

const cased = service(
  libraryWith([books(), authors({ externalCasing: 'camelCase', defaultLimit: 2, maximumLimit: 3 })], {
    root,
  }),
).contract;

cased('Casings given in forRoot hold for every endpoint', async ({ request }) => {
  const { body } = await request().post('/books').send({ Title: 'Emma', InPrint: false });
  expect(body).toMatchObject({ Status: 'Success', Data: { InPrint: false } });
});

cased('Casings given in forRoot hold for paths that no endpoint has', async ({ request }) => {
  const { body } = await request().get('/nowhere');
  expect(body).toEqual({
    Status: 'ClientError',
    Error: 'Not Found',
    Data: [],
    Pagination: {},
    InputErrors: {},
  });
});

cased('A casing given by an endpoint replaces the one of forRoot', async ({ request }) => {
  const { body } = await request().post('/authors').send({ name: 'Jane Austen', countryCode: 'XX' });
  expect(body.inputErrors).toEqual({ countryCode: 'the given record does not exist' });
});

cased('Headers given in forRoot are on the answers of every endpoint', async ({ request }) => {
  const answers = [await request().get('/books'), await request().get('/books/x')];
  for (const { headers } of answers)
    expect([headers['x-root'], headers['strict-transport-security']]).toEqual(['yes', 'max-age=31536000']);
});

cased('Page sizes given in forRoot hold for every list', async ({ request, save }) => {
  await save(Book, { title: 'Emma' });
  await save(Book, { title: 'Persuasion' });
  const { body } = await request().get('/books');
  expect(body.Pagination).toEqual({ NumberResults: 2, Limit: 1, NextPage: { Start: 1 } });
  expect((await request().get('/books?Limit=3')).body.Error).toMatch(/'limit' must be between 1 and 2/i);
});

cased('Page sizes given by an endpoint replace those of forRoot', async ({ request }) => {
  const { body } = await request().get('/authors');
  const largest = await request().get('/authors?limit=3');
  expect([body.pagination.limit, largest.status]).toEqual([2, 200]);
});

const bare = service({
  entities: library,
  endpoints: [
    new List({
      url: 'books',
      modelClass: Book,
      readableColumnNames: ['title'],
      sortableColumnNames: ['title'],
      defaultSortColumnName: 'title',
    }),
  ],
}).contract;

bare('forRoot may be left out', async ({ request }) => {
  expectAnswer(
    await request().get('/books'),
    200,
    success([], { number_results: 0, limit: 50, next_page: {} }),
  );
  expectAnswer(await request().get('/nowhere'), 404, notFound);
});

/** What an application would ask its own configuration for. */
@Injectable()
class Configuration {
  readonly root: RootOptions = { internalCasing: 'camelCase', externalCasing: 'TitleCase', bodyLimit: 40 };

  create(): RootOptions {
    return this.root;
  }
}

@Module({ providers: [Configuration], exports: [Configuration] })
class ConfigurationModule {}

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value));

const asyncModules = {
  useFactory: EndpointsModule.forRootAsync({
    imports: [ConfigurationModule],
    inject: [Configuration],
    useFactory: (configuration: Configuration) => later(configuration.root),
  }),
  useClass: EndpointsModule.forRootAsync({ useClass: Configuration }),
  useExisting: EndpointsModule.forRootAsync({ imports: [ConfigurationModule], useExisting: Configuration }),
};

for (const [way, module] of Object.entries(asyncModules)) {
  const { contract } = service({ entities: library, endpoints: [books()], imports: [module] });
  const sentence =
    way === 'useFactory'
      ? 'forRootAsync takes the same options from a factory'
      : `forRootAsync takes the same options from ${way}`;

  contract(sentence, async ({ request, raw }) => {
    const { body } = await request().post('/books').send({ Title: 'Emma', InPrint: false });
    expect(body).toMatchObject({ Status: 'Success', Data: { InPrint: false } });
    const large = await raw('POST', '/books', { body: '{}'.padEnd(41) });
    expect([large.status, large.body]).toMatchObject([413, { Status: 'ClientError' }]);
  });
}
