import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { SecretBearer } from '@nest-endpoints/auth';
import { EndpointGroup, Get } from '@nest-endpoints/core';
import { openApiDocument, Schema } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';

const names = [
  'User',
  'Unit',
  'Url',
  'European',
  'OneTimeCode',
  'City',
  'Author',
  'Upload',
  'Unimportant',
  'Onion',
  'Hour',
];
const entities = names.map((name) => defineEntity({ name, properties: { id: p.integer().primary() } }));

/** Two authentications that are shown under one name. */
const secret = (headerPrefix: string) =>
  new SecretBearer({
    environmentKey: 'SECRET',
    environment: { SECRET: 'a secret that is long enough for everybody' },
    headerPrefix,
    documentationSecurityName: 'key',
  });

const gets = entities.map(
  (modelClass) =>
    new Get({ modelClass, url: `${modelClass.meta.className}/:id`, readableColumnNames: ['id'] }),
);

const { contract } = service(
  {
    entities,
    endpoints: [
      new EndpointGroup({ url: 'first', authentication: secret('ApiKey '), endpoints: gets.slice(0, 2) }),
      new EndpointGroup({
        url: 'second',
        endpoints: [
          new Schema({ url: 'schema' }),
          new EndpointGroup({ authentication: secret('Bearer '), endpoints: gets }),
        ],
      }),
    ],
  },
  once,
);

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly summary: string; readonly security: object[] } }>
  >;
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
}

contract(
  'The name of a security scheme does not depend on endpoints outside of the document',
  async (subject) => {
    const { paths, components } = (await subject.request().get('/second/schema')).body as Document;
    expect(components.securitySchemes).toEqual({ key: { type: 'http', scheme: 'bearer' } });
    expect(paths['/second/City/{id}']?.get.security).toEqual([{ key: [] }]);
    const whole = openApiDocument(subject.app) as unknown as Document;
    expect(Object.keys(whole.components.securitySchemes)).toEqual(['key', 'key2']);
    const [first, second] = ['/first/User/{id}', '/second/User/{id}'].map(
      (path) => whole.paths[path]?.get.security,
    );
    expect([first, second]).toEqual([[{ key: [] }], [{ key2: [] }]]);
  },
);

contract('Summaries have the article that is spoken', ({ app }) => {
  const { paths } = openApiDocument(app) as unknown as Document;
  const summaries = names.map((name) => paths[`/second/${name}/{id}`]?.get.summary);
  expect(summaries).toEqual([
    'Get a User',
    'Get a Unit',
    'Get a Url',
    'Get a European',
    'Get a OneTimeCode',
    'Get a City',
    'Get an Author',
    'Get an Upload',
    'Get an Unimportant',
    'Get an Onion',
    'Get an Hour',
  ]);
});
