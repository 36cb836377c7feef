import { expect, test } from '@jest/globals';
import { EndpointGroup } from '@nest-endpoints/core';
import { openApiDocument, Schema } from '@nest-endpoints/openapi';
import { startApplication } from '../support/application.js';
import { cost, leastCost } from '../support/cost.js';
import { operationsOf } from '../support/documents.js';
import { books, libraryWith } from '../support/endpoints.js';

test('A document of 200 endpoints is built for the first who asks, for less than writing it as YAML costs, and served from memory', async () => {
  const apis = Array.from({ length: 40 }, (_, index) => books({ url: `books-${index}` }));
  let built = 0;
  const schemaConfiguration = {
    get 'x-built'(): number {
      return (built += 1);
    },
  };
  const group = new EndpointGroup({
    endpoints: [new Schema({ url: 'schema', schemaConfiguration }), ...apis],
  });
  const whenDeclared = built;
  const application = await startApplication('express', 'sqlite', libraryWith([group]));
  try {
    expect(built).toBe(whenDeclared);
    let document: ReturnType<typeof openApiDocument> | undefined;
    const building = await cost(() => (document = openApiDocument(application.app)));
    expect(document && operationsOf(document)).toHaveLength(200);

    const ask = (accept: string) => application.request().get('/schema').set('Accept', accept).buffer();
    const first = await ask('application/json');
    expect([first.status, built > whenDeclared]).toEqual([200, true]);
    const before = built;
    const written = await cost(() => ask('application/yaml'));
    expect(building).toBeLessThan(written);
    const again = await leastCost(5, () => ask('application/yaml'));
    const second = await ask('application/json');
    expect([second.text, second.headers['etag']]).toEqual([first.text, first.headers['etag']]);
    expect(built).toBe(before);
    // Writing YAML costs many times what sending it does.
    expect(again).toBeLessThan(written / 2);
  } finally {
    await application.close();
  }
});
