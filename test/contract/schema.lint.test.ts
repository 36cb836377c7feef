import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import SwaggerParser from '@apidevtools/swagger-parser';
import {
  AdvancedSearch,
  Callable,
  EndpointGroup,
  HealthCheck,
  List,
  PlainAnswers,
  type Casing,
} from '@nest-endpoints/core';
import { openApiDocument, type SchemaFormat } from '@nest-endpoints/openapi';
import { startApplication, type Application } from '../support/application.js';
import { licensed } from '../support/documents.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';
import { Token } from '../support/token.js';

const run = promisify(execFile);

/** A search over everything, in keyset pages. */
const search = new AdvancedSearch<Book>({
  url: 'books/search',
  modelClass: Book,
  readableColumnNames: ['id', 'title', 'author.name'],
  sortableColumnNames: ['title', 'author.name'],
  searchableColumnNames: ['id', 'title', 'pages', 'inPrint', 'publishedOn', 'author.name', 'authorId'],
  defaultSortColumnName: 'title',
  pagination: 'keyset',
  transformInputTypes: true,
});

const list = new List<Author>({
  url: 'author-names',
  modelClass: Author,
  readableColumnNames: ['name'],
  sortableColumnNames: ['name'],
  defaultSortColumnName: 'name',
  count: 'none',
});

const everything = (casing: Casing) =>
  new EndpointGroup({
    url: casing.toLowerCase(),
    externalCasing: casing,
    endpoints: [
      search,
      list,
      new HealthCheck({ url: 'health' }),
      new Callable({
        url: 'hello/:name',
        toCall: ({ name }) => name,
        outputSchema: { type: ['string', 'null'] },
      }),
      new Callable({ url: 'raw', returnStandardResponse: false, toCall: () => 'text' }),
      books({
        authentication: new Token(),
        transformInputTypes: true,
        listRequestMethods: ['GET', 'POST', 'QUERY'],
      }),
      authors({ createStatus: 200 }),
    ],
  });

let application: Application;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  const casings: readonly Casing[] = ['snake_case', 'camelCase', 'TitleCase'];
  const plain = new EndpointGroup({
    url: 'plain',
    answers: new PlainAnswers(),
    endpoints: [everything('snake_case')],
  });
  const options = libraryWith([plain, ...casings.map(everything)], { root: { inputErrorsStatus: 422 } });
  application = await startApplication('express', 'sqlite', options);
});

afterAll(async () => {
  await application.close();
  await rm(folder, { recursive: true });
});

const documentOf = (schemaFormat: SchemaFormat) =>
  openApiDocument(application.app, { schemaFormat, schemaConfiguration: licensed });

test.each(['openapi3.0', 'openapi3.1', 'openapi3.2'] as const)(
  'A document of %s passes redocly lint with no error and no warning',
  async (format) => {
    const file = join(folder, `${format}.json`);
    await writeFile(file, JSON.stringify(documentOf(format)));
    const { stdout } = await run('redocly', ['lint', file, '--format', 'json'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  },
);

test.each(['openapi3.0', 'openapi3.1'] as const)('A document of %s passes swagger-parser', async (format) => {
  await expect(SwaggerParser.validate(structuredClone(documentOf(format)) as never)).resolves.toBeDefined();
});
