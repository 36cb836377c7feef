import { expect, test } from '@jest/globals';
import { Authorization, Cors, EndpointGroup, HealthCheck } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { parse } from 'yaml';
import { clientError, expectAnswer } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { service } from '../support/contract.js';
import { licensed } from '../support/documents.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Claims } from './claims.js';

class OnlyTenant extends Authorization<object, { tenant: string }> {
  constructor(private readonly tenant: string) {
    super();
  }

  override gate({ tenant }: { tenant: string }): boolean {
    return tenant === this.tenant;
  }
}

const { contract } = service(
  libraryWith([
    new EndpointGroup({
      url: 'api',
      endpoints: [
        new Schema({
          url: 'schema',
          responseHeaders: ['X-Document: yes'],
          securityHeaders: [new Cors('https://docs.example')],
          schemaConfiguration: {
            ...licensed,
            servers: [{ url: 'https://library.example' }],
            'x-own': { a: 1 },
          },
        }),
        new EndpointGroup({
          url: 'inner',
          endpoints: [new Schema({ url: 'schema', schemaFormat: 'openapi3.0' }), authors()],
        }),
        new Schema({ url: 'latest', schemaFormat: 'openapi3.2', requestMethods: ['POST'] }),
        new HealthCheck({ url: 'health' }),
        books(),
      ],
    }),
    authors({ url: 'outside' }),
    new EndpointGroup({
      url: 'all',
      endpoints: [
        new Schema({ url: 'schema', wholeApplication: true }),
        new Schema({ url: 'schema-3.2', wholeApplication: true, schemaFormat: 'openapi3.2' }),
      ],
    }),
    new EndpointGroup({
      url: 'closed',
      authentication: new Claims(),
      authorization: new OnlyTenant('a'),
      endpoints: [
        new Schema({ url: 'schema' }),
        new EndpointGroup({
          authorization: new OnlyTenant('a'),
          endpoints: [authors()],
        }),
      ],
    }),
  ]),
);

contract('A Schema answers an OpenAPI document, outside of the envelope', async ({ request }) => {
  const { status, body, headers } = await request().get('/api/schema');
  expect([status, body.openapi, headers['content-type']]).toEqual([
    200,
    '3.1.1',
    'application/json; charset=UTF-8',
  ]);
});

contract(
  'A Schema documents its parent group, nested groups included, and nothing else',
  async ({ request }) => {
    const { body } = await request().get('/api/schema');
    expect(Object.keys(body.paths)).toEqual([
      '/api/inner/authors',
      '/api/inner/authors/{id}',
      '/api/health',
      '/api/books',
      '/api/books/{id}',
    ]);
  },
);

contract('The Schema of an inner group documents that group', async ({ request }) => {
  const { body } = await request().get('/api/inner/schema');
  expect(Object.keys(body.paths)).toEqual(['/api/inner/authors', '/api/inner/authors/{id}']);
  expect(body.openapi).toBe('3.0.4');
});

contract('A Schema of the whole application documents every group', async ({ request }) => {
  const { body } = await request().get('/all/schema');
  expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/outside', '/api/books']));
});

contract('schema_configuration is merged into the root of the document at any depth', async ({ request }) => {
  const { body } = await request().get('/api/schema');
  expect(body).toMatchObject({
    info: licensed.info,
    servers: [{ url: 'https://library.example' }],
    'x-own': { a: 1 },
  });
});

contract('A Schema is JSON, and YAML for who asks for it', async ({ request }) => {
  const json = await request().get('/api/schema').set('Accept', 'text/html');
  const yaml = await request().get('/api/schema').set('Accept', 'application/yaml').buffer();
  const both = await request().get('/api/schema').set('Accept', 'application/json, application/yaml;q=0.9');
  expect([json, yaml, both].map(({ status, headers }) => [status, headers['content-type']])).toEqual([
    [200, 'application/json; charset=UTF-8'],
    [200, 'application/yaml; charset=UTF-8'],
    [200, 'application/json; charset=UTF-8'],
  ]);
  expect(parse(yaml.text)).toEqual(json.body);
});

contract('A Schema is YAML in every version of OpenAPI', async ({ request }) => {
  for (const [path, version] of [
    ['/api/inner/schema', '3.0.4'],
    ['/api/schema', '3.1.1'],
    ['/all/schema-3.2', '3.2.0'],
  ] as const) {
    const json = await request().get(path);
    const yaml = await request().get(path).set('Accept', 'application/yaml').buffer();
    expect([yaml.status, yaml.headers['content-type']]).toEqual([200, 'application/yaml; charset=UTF-8']);
    expect(yaml.text).toContain(`openapi: ${version}\n`);
    expect([json.body.openapi, parse(yaml.text)]).toEqual([version, json.body]);
  }
});

contract('A Schema is shown to whom its authentication and its rules let in', async ({ request }) => {
  expectAnswer(await request().get('/closed/schema'), 401, clientError('Not Authenticated'));
  const claims = (tenant: string) => ({ 'X-Claims': JSON.stringify({ tenant }) });
  expectAnswer(await request().get('/closed/schema').set(claims('b')), 403, clientError('Not Authorized'));
  const { status, body } = await request().get('/closed/schema').set(claims('a'));
  expect([status, Object.keys(body.paths)]).toEqual([200, ['/closed/authors', '/closed/authors/{id}']]);
  const yaml = await request().get('/closed/schema').set('Accept', 'application/yaml');
  expect([yaml.status, yaml.body.status]).toEqual([401, 'client_error']);
  const known = { ...claims('b'), 'If-None-Match': '*' };
  expect((await request().get('/closed/schema').set(known)).status).toBe(403);
});

contract('A Schema has an entity tag, and answers 304 to who knows it', async ({ request, raw }) => {
  const { headers } = await request().get('/api/schema');
  const known = await raw('GET', '/api/schema', {
    headers: { 'If-None-Match': `"x", W/${headers['etag']}` },
  });
  const other = await raw('GET', '/api/schema', {
    headers: { 'If-None-Match': String(headers['etag']), Accept: 'application/yaml' },
  });
  expect([known.status, known.text, known.headers['content-length']]).toEqual([304, '', undefined]);
  expect(known.headers).toMatchObject({ etag: headers['etag'], vary: 'Accept' });
  expect(other.status).toBe(200);
});

contract('A Schema answers HEAD with the headers of GET', async ({ request }) => {
  const get = await request().get('/api/schema');
  const head = await request().head('/api/schema');
  const names = ['etag', 'content-type', 'content-length'];
  expect(names.map((name) => head.headers[name])).toEqual(names.map((name) => get.headers[name]));
  expect(head.body).toEqual({});
});

contract(
  'A Schema has its response_headers, security_headers and request_methods',
  async ({ request, raw }) => {
    const { headers } = await request().get('/api/schema');
    expect([headers['x-document'], headers['access-control-allow-origin']]).toEqual([
      'yes',
      'https://docs.example',
    ]);
    expect((await raw('OPTIONS', '/api/schema')).headers['access-control-allow-methods']).toBe('GET');
    expect((await request().post('/api/latest')).body.openapi).toBe('3.2.0');
    expect((await request().get('/api/latest')).status).toBe(404);
  },
);

contract('QUERY operations are in documents whose format can say them', async ({ request }) => {
  const { body } = await request().post('/api/latest');
  const methods = ['GET', 'POST', 'QUERY'] as const;
  expect(methods).toHaveLength(3);
  expect(body.paths['/api/books'].query).toBeUndefined();
});

test('A Schema outside of a group is a start-up error', async () => {
  const options = libraryWith([new Schema({ url: 'schema' })]);
  expect(await startUpError(options)).toMatch(/Schema 'schema': url: .*put it into an EndpointGroup/);
});

test('An unknown schema_format is a start-up error that names the allowed ones', () => {
  const schema = () => new Schema({ url: 'schema', schemaFormat: 'swagger2' as 'openapi3.0' });
  expect(schema).toThrow(
    /Schema 'schema': schemaFormat: 'swagger2' is unknown; allowed: openapi3.0, openapi3.1, openapi3.2/,
  );
});

test('A schema_configuration that JSON cannot say is a start-up error', () => {
  const schema = () => new Schema({ url: 'schema', schemaConfiguration: { info: { version: 1n } } });
  expect(schema).toThrow(/Schema 'schema': schemaConfiguration: .*allowed: an object that JSON/);
});
