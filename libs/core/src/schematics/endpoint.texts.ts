import type { EndpointNames } from './endpoint.names.js';
import type { EntityColumns } from './entity.columns.js';

/** An entity to begin with. */
export function entityText({ class: name }: EndpointNames): string {
  return `import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

export const ${name} = defineEntity({
  name: '${name}',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
  },
});

export type ${name} = InferEntity<typeof ${name}>;
`;
}

/** The endpoints over an entity. */
export function endpointsText(
  { class: name, variable, url }: EndpointNames,
  { primaryKey, others, writeable }: EntityColumns,
  entityFile: string,
): string {
  const [first = primaryKey] = others;
  return `import { RestfulApi } from '@nest-endpoints/core';
import { ${name} } from '${entityFile}';

export const ${variable}Endpoints = [
  new RestfulApi({
    url: '${url}',
    modelClass: ${name},
    readableColumnNames: ${listed([primaryKey, ...others])},
    writeableColumnNames: ${listed(writeable)},
    sortableColumnNames: ${listed([primaryKey, ...others])},
    searchableColumnNames: ${listed([primaryKey, ...others])},
    defaultSortColumnName: '${first}',
  }),
];
`;
}

/** The module of an entity and its endpoints. */
export function moduleText(
  { class: name, variable, file }: EndpointNames,
  entityFile: string,
  ending: string,
): string {
  return `import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { ${variable}Endpoints } from './${file}.endpoints${ending}';
import { ${name} } from '${entityFile}';

@Module({
  imports: [MikroOrmModule.forFeature([${name}]), EndpointsModule.forFeature(${variable}Endpoints)],
})
export class ${name}Module {}
`;
}

/** Asks the endpoints over HTTP, in the application itself. Vitest and Jest both run it. */
export function testText({ url }: EndpointNames, appModuleFile: string, ending: string): string {
  return `import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types${ending}';
import { AppModule } from '${appModuleFile}';

/** A database that begins with the test takes its time, in milliseconds. */
const patience = 60_000;

describe('/${url}', () => {
  let app: INestApplication<App>;

  beforeAll(async () => {
    const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = testing.createNestApplication();
    await app.init();
  }, patience);

  afterAll(() => app.close(), patience);

  it('answers a page of records', async () => {
    const { body } = await request(app.getHttpServer()).get('/${url}').expect(200);
    expect(body).toMatchObject({ status: 'success', error: '', input_errors: {} });
    expect(Array.isArray(body.data)).toBe(true);
  }, patience);

  it('does not find what is not there', async () => {
    const { body } = await request(app.getHttpServer()).get('/${url}/0').expect(404);
    expect(body).toMatchObject({ status: 'client_error', error: 'Not Found' });
  }, patience);
});
`;
}

function listed(names: readonly string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`;
}
