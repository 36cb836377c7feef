import { expect } from '@jest/globals';
import { Controller, Get as NestGet, VersioningType } from '@nestjs/common';
import { Callable, EndpointGroup, HealthCheck } from '@nest-endpoints/core';
import { openApiDocument, securitySchemesOf } from '@nest-endpoints/openapi';
import { ApiOperation, DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { INestApplication } from '@nestjs/common';
import { service } from '../support/contract.js';
import { documented, type Part } from '../support/documents.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Token } from '../support/token.js';

@Controller('own')
class OwnController {
  @NestGet()
  @ApiOperation({ summary: 'By hand' })
  hand(): string {
    return 'written';
  }
}

const { contract } = service(
  libraryWith(
    [
      documented([
        new HealthCheck({ url: 'health' }),
        new Callable({ url: 'hello/:name', toCall: ({ name }) => name }),
        new EndpointGroup({ url: 'title', externalCasing: 'TitleCase', endpoints: [books()] }),
        books({ authentication: new Token(), listRequestMethods: ['GET', 'POST', 'QUERY'] }),
        authors({ decorators: [ApiOperation({ summary: 'Mine' })] }),
      ]),
    ],
    {
      controllers: [OwnController],
      configure: (app) => {
        app.setGlobalPrefix('api');
        app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' });
      },
    },
  ),
);

const versions = { 'openapi3.0': '3.0.0', 'openapi3.1': '3.1.0', 'openapi3.2': '3.2.0' } as const;

const swagger = (app: INestApplication, format: keyof typeof versions): OpenAPIObject => {
  const config = new DocumentBuilder().setOpenAPIVersion(versions[format]).build();
  return SwaggerModule.createDocument(app, {
    ...config,
    components: { securitySchemes: securitySchemesOf(app) },
  });
};

const formats = Object.keys(versions) as (keyof typeof versions)[];

contract('SwaggerModule makes the same operations and schemas as Schema, in every format', ({ app }) => {
  for (const format of formats) {
    const own = JSON.parse(JSON.stringify(openApiDocument(app, { schemaFormat: format })));
    const { paths, components } = JSON.parse(JSON.stringify(swagger(app, format)));
    const { '/api/v2/own': hand, ...ours } = paths;
    expect(hand.get.summary).toBe('By hand');
    for (const path of ['/api/v2/authors', '/api/v2/authors/{id}'])
      for (const operations of [own.paths[path], ours[path]])
        for (const operation of Object.values<Part>(operations)) delete operation.summary;
    expect(ours).toEqual(own.paths);
    expect(components).toEqual(own.components);
  }
});

contract("Decorators of the user's own win in SwaggerModule's document", ({ app }) => {
  const { paths } = swagger(app, 'openapi3.1');
  expect(paths['/api/v2/authors']?.get?.summary).toBe('Mine');
  expect(paths['/api/v2/books']?.get?.summary).toBe('List Book records');
});

contract('Schema and preflight are not in the document of SwaggerModule', ({ app }) => {
  const { paths } = swagger(app, 'openapi3.1');
  expect(paths['/api/v2/schema']).toBeUndefined();
  expect(Object.values(paths).filter((item) => item.options !== undefined)).toEqual([]);
});
