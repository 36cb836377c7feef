import { expect, test } from '@jest/globals';
import { RequireClaims } from '@nest-endpoints/auth';
import {
  EndpointGroup,
  Public,
  RestfulApi,
  Upsert,
  type Access,
  type EndpointOrGroup,
  type RecordEvent,
} from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { Injectable } from '@nestjs/common';
import { EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { bodyIn, operationAt } from '../support/documents.js';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { stopped } from './stopped.js';
import { Item, items } from './upserted.stock.js';

const makers = new RequireClaims('maker');
const changers = new RequireClaims('changer');
const bosses = new RequireClaims('boss');
const claims = new Claims();

/** Another authentication that believes the same. */
class OtherClaims extends Claims {}

const api = (url: string, access: Access<'create' | 'update' | 'upsert'>, options: object = {}) =>
  new RestfulApi({
    ...items,
    url,
    idColumnName: 'code',
    upsert: true,
    sortableColumnNames: ['code'],
    searchableColumnNames: ['code'],
    defaultSortColumnName: 'code',
    access,
    ...options,
  });

const grouped = (url: string, access: Access) =>
  new EndpointGroup({
    url,
    authentication: claims,
    access,
    endpoints: [new Upsert({ ...items, url: 'items/:code', recordLookupColumnName: 'code' })],
  });

const statusOfMany = async ({ request }: Subject, path: string, headers: Record<string, string> = {}) =>
  (
    await request()
      .post(path)
      .set(headers)
      .send({ records: [{ code: 'M', name: 'One' }] })
  ).status;

const heard: string[] = [];

@Injectable()
class Listener {
  @OnEvent('endpoints.Item.created')
  created({ record }: RecordEvent<Item>): void {
    heard.push(`endpoints.Item.created ${record.name}`);
  }

  @OnEvent('endpoints.Item.updated')
  updated({ record }: RecordEvent<Item>): void {
    heard.push(`endpoints.Item.updated ${record.name}`);
  }
}

const { contract } = service(
  {
    entities: [Item],
    imports: [EventEmitterModule.forRoot({ wildcard: true })],
    providers: [Listener],
    endpoints: [
      new Upsert({ ...items, url: 'heard/:code', recordLookupColumnName: 'code' }),
      api('both', { create: makers, update: changers }, { authentication: claims }),
      api('three', { create: makers, update: changers, upsert: bosses }, { authentication: claims }),
      api(
        'many',
        { create: makers, update: changers },
        {
          authentication: claims,
          bulk: ['create'],
          bulkUrl: '~bulk',
          conflictColumnNames: ['code'],
          onConflict: 'ignore',
          import: { url: '~import' },
        },
      ),
      api('half', { create: 'public', update: changers }, { authentication: claims }),
      api('mixed', { create: 'public', update: { authentication: claims } }),
      api('open', { create: 'public', update: 'public' }, { authentication: claims }),
      api('named', { create: 'public', update: claims, upsert: new Public() }),
      grouped('grouped', { create: makers, update: changers }),
    ],
  },
  everyPlatform,
);

const by = (...names: readonly string[]) => ({
  'X-Claims': JSON.stringify(Object.fromEntries(names.map((name) => [name, true]))),
});

const statusOf = async ({ request }: Subject, path: string, headers: Record<string, string> = {}) =>
  (await request().put(path).set(headers).send({ name: 'One' })).status;

contract(
  'An Upsert needs the rights of create and of update, and those of upsert beside them',
  async (subject) => {
    for (const path of ['/both/A', '/grouped/items/B']) {
      expect(await statusOf(subject, path)).toBe(401);
      for (const names of [[], ['maker'], ['changer'], ['boss']])
        expect([names, await statusOf(subject, path, by(...names))]).toEqual([names, 403]);
      expect(await statusOf(subject, path, by('maker', 'changer'))).toBe(201);
      expect(await statusOf(subject, path, by('maker'))).toBe(403);
    }
    expect(await statusOf(subject, '/three/A', by('maker', 'changer'))).toBe(403);
    expect(await statusOf(subject, '/three/A', by('maker', 'changer', 'boss'))).toBe(200);
  },
);

contract('A CreateMany that meets records which are there needs the rights of an Upsert', async (subject) => {
  expect(await statusOfMany(subject, '/many/~bulk')).toBe(401);
  for (const names of [['maker'], ['changer']])
    expect(await statusOfMany(subject, '/many/~bulk', by(...names))).toBe(403);
  expect(await statusOfMany(subject, '/many/~bulk', by('maker', 'changer'))).toBe(201);
  expect(await statusOf(subject, '/many/M', by('maker', 'changer'))).toBe(200);
});

contract('So does an Import that meets records which are there', async (subject) => {
  const imported = async (...names: readonly string[]): Promise<number> => {
    const headers = { ...by(...names), 'Content-Type': 'application/x-ndjson' };
    const line = '{"code":"M","name":"One"}\n';
    return (await subject.request().post('/many/~import').set(headers).send(line)).status;
  };
  for (const names of ['maker', 'changer']) expect(await imported(names)).toBe(403);
  expect(await imported('maker', 'changer')).toBe(200);
});

contract('An Upsert is public only where upsert says so', async (subject) => {
  expect(await statusOf(subject, '/half/A')).toBe(401);
  expect(await statusOf(subject, '/half/A', by('changer'))).toBe(201);
  for (const url of ['mixed', 'open']) {
    expect(await statusOf(subject, `/${url}/A`)).toBe(401);
    expect(await statusOf(subject, `/${url}/A`, by())).toBe(200);
  }
  expect(await statusOf(subject, '/named/A')).toBe(200);
});

contract('Listeners hear created or updated, and nothing where nothing was written', async (subject) => {
  heard.length = 0;
  for (const name of ['One', 'Two', 'Two']) await subject.request().put('/heard/A').send({ name });
  expect(heard).toEqual(['endpoints.Item.created One', 'endpoints.Item.updated Two']);
});

contract('Documents show both answers of an Upsert, and the body that it takes', ({ app }) => {
  const document = openApiDocument(app);
  const put = operationAt(document, 'put', '/heard/{code}');
  expect(Object.keys(put.responses)).toEqual(expect.arrayContaining(['200', '201', '400', '412']));
  expect(JSON.stringify(put.requestBody)).toContain('ItemUpsert');
  expect(bodyIn(document, put)).toMatchObject({ required: ['name'], additionalProperties: false });
  expect(put.parameters).toMatchObject([
    { name: 'code', in: 'path' },
    { name: 'If-Match' },
    { name: 'If-None-Match' },
  ]);
});

contract('Documents show both answers of a CreateMany that meets records which are there', ({ app }) => {
  const post = operationAt(openApiDocument(app), 'post', '/many/~bulk');
  expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['200', '201', '400']));
});

test('Create and update with different authentications stop the start until upsert names one', async () => {
  const message = (make: () => EndpointOrGroup) => stopped(make, { entities: [Item] });
  const different = { create: claims, update: new OtherClaims() };
  expect(await message(() => api('items', different))).toMatch(
    /access: create and update have different authentications; name the one of upsert/,
  );
  expect(await message(() => api('items', { ...different, upsert: claims }))).toBe(
    'Error: the application started',
  );
});
