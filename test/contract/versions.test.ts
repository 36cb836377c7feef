import { expect } from '@jest/globals';
import {
  Aggregate,
  Batch,
  Callable,
  Cors,
  EndpointGroup,
  HealthCheck,
  IdempotencyRecord,
  RestfulApi,
  type ObservedRequest,
} from '@nest-endpoints/core';
import { SecretBearer } from '@nest-endpoints/auth';
import type { OpenApiDocument } from '@nest-endpoints/openapi';
import { VersioningType } from '@nestjs/common';
import { clientError, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { documented, operationAt, schemaIn, type Part } from '../support/documents.js';
import { County, first, old, second, Town, towns } from './versions.towns.js';

const observed: ObservedRequest[] = [];
const list = { readOnly: true, createEndpoint: null } as const;

const { contract } = service({
  entities: [County, Town, IdempotencyRecord],
  root: {
    observers: [{ requestEnded: (request) => void observed.push(request) }],
    requestLog: true,
  },
  configure: (app) => app.enableVersioning({ type: VersioningType.URI }),
  endpoints: [
    documented([
      first,
      second,
      new EndpointGroup({
        url: 'old',
        deprecated: old,
        securityHeaders: [new Cors('https://app.example')],
        responseHeaders: ['Link: </help>; rel="help"'],
        endpoints: [
          new HealthCheck({ url: 'health' }),
          new Callable({ url: 'fresh', toCall: () => 1, deprecated: false }),
          new Callable({ url: 'asked', toCall: () => 1, responseHeaders: () => ['Link: </me>; rel="me"'] }),
          new RestfulApi({ ...towns, ...list, url: 'towns' }),
        ],
      }),
      new EndpointGroup({
        url: 'gone',
        deprecated: { ...old, afterSunset: 'gone', link: '/why' },
        inBatches: false,
        authentication: new SecretBearer({ environmentKey: 'HOME' }),
        endpoints: [new RestfulApi({ ...towns, url: 'towns' })],
      }),
      new RestfulApi({
        ...towns,
        ...list,
        url: 'ending',
        deprecated: { since: '2020-01-01', sunset: '2100-01-01', afterSunset: 'gone' },
      }),
      new RestfulApi({ ...towns, url: 'swapped', externalNames: { name: 'label', label: 'name' } }),
      new Aggregate({
        modelClass: Town,
        url: 'figures',
        groupableColumnNames: ['name', 'county.name'],
        measurableColumnNames: { population: ['sum'] },
        externalNames: { population: 'inhabitants', name: 'called' },
      }),
      new Batch({ url: 'batch' }),
    ]),
  ],
});

const linked =
  '<https://atlas.example/changes>; rel="deprecation"; type="text/html", ' +
  '<https://atlas.example/changes>; rel="sunset", </v2/towns>; rel="successor-version"';

contract(
  'Every answer of a deprecated endpoint says since when, until when, where to read of it, and what stands in its place',
  async ({ request, save }) => {
    await save(Town, { name: 'York', population: 2 });
    const { headers } = await request().get('/v1/towns/1');
    for (const answer of [
      await request().get('/v1/towns'),
      await request().get('/v1/towns/1').set('If-None-Match', String(headers['etag'])).expect(304),
      await request().get('/v1/towns/9').expect(404),
      await request().get('/v1/towns?sort=nothing').expect(400),
      await request().post('/v1/towns').send({}).expect(400),
      await request().post('/v1/towns').send({ name: 'Bath', inhabitants: 1 }).expect(201),
      await request().patch('/v1/towns/1').send('{').set('Content-Type', 'application/json').expect(400),
      await request().get('/v1/towns/1?%zz').expect(400),
    ])
      expect([answer.headers['deprecation'], answer.headers['sunset'], answer.headers['link']]).toEqual([
        '@1798758000',
        'Wed, 30 Jun 2100 00:00:00 GMT',
        linked,
      ]);
    expect((await request().get('/v2/towns')).headers).not.toHaveProperty('deprecation');
  },
);

contract(
  'What a group says holds for its members, but for those that say false, and HealthChecks',
  async ({ request }) => {
    const { headers } = await request().get('/old/towns').expect(200);
    expect(headers).toMatchObject({
      deprecation: '@1577836800',
      sunset: 'Wed, 01 Jan 2020 00:00:00 GMT',
      link: '</help>; rel="help"',
    });
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed.toSorted()).toEqual(['Deprecation', 'Sunset']);
    for (const path of ['/old/health', '/old/fresh'])
      expect((await request().get(path).expect(200)).headers).not.toHaveProperty('deprecation');
    expect((await request().get('/old/asked').expect(200)).headers).toMatchObject({
      deprecation: '@1577836800',
      link: '</me>; rel="me"',
    });
  },
);

contract(
  'From its sunset on an endpoint answers 410 to everybody, where it says so, and not before',
  async ({ request }) => {
    for (const answer of [
      await request().get('/gone/towns'),
      await request().post('/gone/towns').send({ name: 'X' }),
      await request().get('/gone/towns/1').set('Authorization', 'Bearer wrong'),
    ]) {
      expect([answer.status, answer.body]).toEqual([410, clientError('Gone')]);
      expect(answer.headers['link']).toBe(
        '</why>; rel="deprecation"; type="text/html", </why>; rel="sunset"',
      );
    }
    await request().get('/ending').expect(200);
  },
);

contract(
  'Whoever observes requests learns which are for deprecated endpoints, and the log says so',
  async ({ request, log }) => {
    observed.length = 0;
    await request().get('/v1/towns');
    await request().get('/v2/towns');
    expect(observed.map(({ route, deprecated }) => [route, deprecated])).toEqual([
      ['/towns', true],
      ['/towns', false],
    ]);
    expect(log.text('log')).toContain('deprecated');
  },
);

contract(
  'A column has the name of its endpoint in bodies, answers, sorts, searches, fields and input errors',
  async ({ request, save, query }) => {
    await save(County, { name: 'Kent' });
    const made = await request()
      .post('/v1/towns')
      .send({ name: 'Dover', inhabitants: 3, shire_id: 1 })
      .expect(201);
    expect(made.body.data).toEqual({
      id: 1,
      name: 'Dover',
      label: null,
      inhabitants: 3,
      shire: { name: 'Kent' },
    });
    await request().patch('/v1/towns/1').send({ inhabitants: 4 }).expect(200);
    expect((await request().get('/v2/towns/1')).body.data).toMatchObject({
      population: 4,
      county: { name: 'Kent' },
    });
    await save(Town, { name: 'Deal', population: 9 });
    const sorted = await request().get('/v1/towns?sort=inhabitants&direction=desc&limit=9');
    expect(sorted.body.data.map(({ inhabitants }: Part) => inhabitants)).toEqual([9, 4]);
    const found = await request().get('/v1/towns?inhabitants=4&shire.name=Kent&fields=inhabitants');
    expect(found.body.data).toEqual([{ inhabitants: 4 }]);
    for (const unknown of ['population=4', 'sort=population', 'county.name=Kent', 'fields=population'])
      await request().get(`/v1/towns?${unknown}`).expect(400);
    const wrong = await request().post('/v1/towns').send({ name: 'Ash', population: 1, inhabitants: 'many' });
    expect(wrong.body).toEqual(
      inputErrors({
        population: 'Input column population is not an allowed input column.',
        inhabitants: 'value should be an integer',
      }),
    );
    expect((await request().post('/v1/towns').send({ name: 'Ash' })).body).toEqual(
      inputErrors({ inhabitants: "'inhabitants' is required." }),
    );
    const sums = await query('/figures').send({ group_by: ['county.name'], measures: ['inhabitants.sum'] });
    expect(sums.body.data).toEqual([
      { county: { name: 'Kent' }, inhabitants_sum: '4' },
      { county: { name: null }, inhabitants_sum: '9' },
    ]);
  },
);

contract('Two columns may have swapped their names', async ({ request }) => {
  const made = await request()
    .post('/swapped')
    .send({ label: 'Ayr', name: 'port', population: 1 })
    .expect(201);
  expect(made.body.data).toMatchObject({ label: 'Ayr', name: 'port' });
  expect((await request().get('/v2/towns/1')).body.data).toMatchObject({ name: 'Ayr', label: 'port' });
  expect((await request().get('/swapped?name=port&sort=label')).body.data).toHaveLength(1);
  const taken = await request().post('/swapped').send({ label: 'Ayr', population: 1 });
  expect(Object.keys(taken.body.input_errors)).toEqual(['label']);
});

contract(
  'A cursor of one version is none of another, and neither is an entity tag',
  async ({ request, save }) => {
    await save(Town, { name: 'A', population: 1 });
    await save(Town, { name: 'B', population: 2 });
    const { body } = await request().get('/v1/towns');
    const { after } = body.pagination.next_page;
    const next = `after=${encodeURIComponent(after)}`;
    expect((await request().get(`/v1/towns?${next}`)).body.data).toMatchObject([{ name: 'B' }]);
    for (const path of ['/v2/towns', '/swapped', '/ending'])
      await request().get(`${path}?${next}`).expect(400);
    const [one, other] = [await request().get('/v1/towns/1'), await request().get('/swapped/1')];
    expect(one.headers['etag']).not.toBe(other.headers['etag']);
    await request().get('/swapped/1').set('If-None-Match', String(one.headers['etag'])).expect(200);
    await request().get('/swapped/1').set('If-None-Match', String(other.headers['etag'])).expect(304);
    await request().patch('/v1/towns/1').set('If-Match', String(one.headers['etag'])).send({}).expect(200);
  },
);

contract('A batch says nothing of the deprecation of what it asks', async ({ request }) => {
  const { headers, body } = await request()
    .post('/batch')
    .send({ operations: [{ method: 'GET', path: '/v1/towns' }] })
    .expect(200);
  expect(headers).not.toHaveProperty('deprecation');
  expect(JSON.stringify(body)).not.toContain('sunset');
  expect(body).toMatchObject({ status: success([]).status });
});

contract(
  'Documents say what is deprecated, until when and why, and have the names of the wire',
  async ({ request }) => {
    const document = (await request().get('/schema')).body as OpenApiDocument;
    const operation = operationAt(document, 'get', '/v1/towns') as Part;
    expect(operation).toMatchObject({ deprecated: true, 'x-sunset': '2100-06-30T00:00:00.000Z' });
    expect(operation.description).toContain('Version 2 has the names of the census.');
    expect(operation.parameters.map(({ name }: Part) => name)).toContain('inhabitants');
    expect(operationAt(document, 'get', '/v2/towns')).not.toHaveProperty('deprecated');
    const gone = operationAt(document, 'get', '/gone/towns');
    expect(Object.keys(gone.responses)).toContain('410');
    expect(Object.keys(operation.responses)).not.toContain('410');
    const body = operationAt(document, 'post', '/v1/towns') as Part;
    const written = schemaIn(document, body.requestBody.content['application/json'].schema);
    expect(Object.keys(written.properties)).toEqual(['name', 'label', 'inhabitants', 'shire_id']);
    expect(written.properties.label).toMatchObject({ deprecated: true, description: 'Say it in the name.' });
  },
);
