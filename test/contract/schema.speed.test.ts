import { expect, test } from '@jest/globals';
import { EndpointGroup } from '@nest-endpoints/core';
import { openApiDocument, Schema } from '@nest-endpoints/openapi';
import { startApplication } from '../support/application.js';
import { operationsOf } from '../support/documents.js';
import { books, libraryWith } from '../support/endpoints.js';

test('A document of 200 endpoints is built in under 500 ms, and served from memory', async () => {
  const apis = Array.from({ length: 40 }, (_, index) => books({ url: `books-${index}` }));
  const group = new EndpointGroup({ endpoints: [new Schema({ url: 'schema' }), ...apis] });
  const application = await startApplication('express', 'sqlite', libraryWith([group]));
  try {
    const before = process.cpuUsage();
    const document = openApiDocument(application.app);
    const building = process.cpuUsage(before);
    expect(operationsOf(document)).toHaveLength(200);
    expect((building.user + building.system) / 1000).toBeLessThan(500);
    const first = await application.request().get('/schema');
    const second = await application.request().get('/schema');
    expect(second.headers['etag']).toBe(first.headers['etag']);
  } finally {
    await application.close();
  }
});
