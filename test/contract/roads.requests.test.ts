import { expect, test } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { started } from './roads.js';

const whoAsks = new Callable({
  url: 'asked',
  toCall: ({ request }) => {
    const { ip, params, originalUrl, query, protocol } = request as Readonly<Record<string, unknown>>;
    return { ip: typeof ip, params, originalUrl, query, protocol };
  },
});

test('A function gets the request of Express on the straight road', async () => {
  await started('express', { endpoints: [whoAsks] }, async ({ startLog, request }) => {
    expect(startLog).toContain("Callable 'asked': the straight road");
    const { body } = await request().get('/asked?a=1');
    const asked = {
      ip: 'string',
      params: {},
      originalUrl: '/asked?a=1',
      query: { a: '1' },
      protocol: 'http',
    };
    expect(body.data).toEqual(asked);
  });
});

test('An endpoint with a function that may look at the request of Fastify is on its road', async () => {
  await started('fastify', { endpoints: [whoAsks] }, async ({ startLog, request }) => {
    expect(startLog).toContain(
      "Callable 'asked': the platform's road, because 'toCall' may look at Fastify's request",
    );
    expect((await request().get('/asked?a=1')).body.data).toMatchObject({ ip: 'string', query: { a: '1' } });
  });
});

test('Requests that are injected into Fastify take its road', async () => {
  await started('fastify', {}, async ({ app }) => {
    const { statusCode } = await (app as NestFastifyApplication).inject('/books/1');
    expect(statusCode).toBe(404);
  });
});
