import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Callable, Get } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { z } from 'zod';
import { everyPlatform, service } from '../support/contract.js';

const json = 'application/json; charset=UTF-8';

const page = {
  requestMethods: ['GET'],
  returnStandardResponse: false,
  querySchema: z.strictObject({ name: z.string().optional() }),
  outputSchema: { type: 'string' },
  toCall: () => '<p>Welcome</p>',
} as const;

const Page = defineEntity({
  name: 'Page',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    version: p.integer().version(),
  },
});

const read = { modelClass: Page, readableColumnNames: ['title'] } as const;

const { contract } = service(
  {
    entities: [Page],
    endpoints: [
      new Callable({
        ...page,
        url: 'page',
        responseHeaders: ['Content-Type: text/html; charset=utf-8', 'X-Kind: raw'],
      }),
      new Callable({
        ...page,
        url: 'made',
        responseHeaders: () => ['content-type: text/html; charset=utf-8', 'X-Kind: raw'],
      }),
      new Callable({
        url: 'enveloped',
        responseHeaders: ['Content-Type: text/html'],
        toCall: () => '<script>alert(1)</script>',
      }),
      new Get({ ...read, url: 'typed/:id', responseHeaders: ['Content-Type: text/html'] }),
      new Get({ ...read, url: 'typed-by-function/:id', responseHeaders: () => ['Content-Type: text/html'] }),
      new Schema({ url: 'schema', wholeApplication: true }),
    ],
  },
  everyPlatform,
);

contract('A raw answer has the media type that response_headers give it', async ({ request }) => {
  for (const path of ['/page', '/made']) {
    const { headers, text } = await request().get(path).expect(200);
    expect([headers['content-type'], headers['x-kind'], text]).toEqual([
      'text/html; charset=utf-8',
      'raw',
      '<p>Welcome</p>',
    ]);
  }
});

contract(
  'A refusal is JSON whatever response_headers say: it may repeat what a client sent',
  async ({ request }) => {
    for (const path of ['/page', '/made']) {
      const answer = await request().get(`${path}?${encodeURIComponent('<img src=x onerror=alert(1)>')}=1`);
      expect([answer.status, answer.headers['content-type'], answer.headers['x-kind']]).toEqual([
        400,
        json,
        'raw',
      ]);
      expect(answer.text).toContain('<img');
    }
  },
);

contract('An answer in the envelope is JSON whatever response_headers say', async ({ request }) => {
  const { headers, body } = await request().get('/enveloped').expect(200);
  expect([headers['content-type'], body.data]).toEqual([json, '<script>alert(1)</script>']);
  expect((await request().options('/enveloped')).headers['content-type']).toBe(json);
});

contract(
  'A 304 has no media type of response_headers: caches would give it to the JSON that they have',
  async (subject) => {
    const { request, save } = subject;
    const { id } = await save(Page, { title: 'Emma' });
    for (const path of ['/typed', '/typed-by-function']) {
      const whole = await request().get(`${path}/${id}`).expect(200);
      expect(whole.headers['content-type']).toBe(json);
      const known = await request().get(`${path}/${id}`).set('If-None-Match', String(whole.headers['etag']));
      expect([known.status, known.headers['content-type']]).toEqual([304, undefined]);
    }
  },
);

contract('Documents tell the media type that response_headers give a raw answer', async ({ request }) => {
  const { body } = await request().get('/schema').expect(200);
  const typesOf = (path: string, status: string) =>
    Object.keys(body.paths[path].get.responses[status].content as object);
  expect(typesOf('/page', '200')).toEqual(['text/html']);
  expect(typesOf('/made', '200').toSorted()).toEqual(['*/*', 'text/plain']);
  expect(typesOf('/page', '400')).toEqual(['application/json']);
  expect(typesOf('/enveloped', '200')).toEqual(['application/json']);
});
