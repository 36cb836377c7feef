import { expect } from '@jest/globals';
import { SwaggerModule } from '@nestjs/swagger';
import { openApiDocument } from '@nest-endpoints/openapi';
import { once, service } from '../support/contract.js';
import { bodyIn, dataIn, operationAt, schemaIn, type Part } from '../support/documents.js';
import { includable, names, pressWith } from './fields.press.js';

const { contract } = service(pressWith(), once);

const all = names.split(', ');

const listOf = (words: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: words },
  minItems: 1,
  uniqueItems: true,
});

contract('Documents have the words as lists in one text, with the names that can be selected', ({ app }) => {
  const document = openApiDocument(app);
  for (const [method, path] of [
    ['get', '/stories/{id}'],
    ['get', '/stories'],
    ['post', '/stories'],
    ['patch', '/stories/{id}'],
  ] as const) {
    const { parameters } = operationAt(document, method, path);
    const fields = parameters.find(({ name }) => name === 'fields');
    expect(fields).toEqual({
      name: 'fields',
      in: 'query',
      required: false,
      style: 'form',
      explode: false,
      schema: listOf(all),
    });
    const include = parameters.find(({ name }) => name === 'include');
    expect(include?.schema).toEqual(listOf(includable.split(', ')));
  }
  const swagger = SwaggerModule.createDocument(app, { openapi: '3.0.0', info: { title: 't', version: '1' } });
  expect(swagger.paths['/stories']?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: 'fields', in: 'query', style: 'form', explode: false }),
  );
});

contract('The body of a search has the words as lists', ({ app }) => {
  const document = openApiDocument(app);
  const search = operationAt(document, 'post', '/stories/search');
  expect(search.parameters.filter(({ in: where }) => where === 'query')).toEqual([]);
  expect(bodyIn(document, search).properties).toMatchObject({ fields: listOf(all) });
  const titled = operationAt(document, 'post', '/titled-search');
  expect(Object.keys(bodyIn(document, titled).properties)).toEqual(
    expect.arrayContaining(['Fields', 'Include']),
  );
});

contract(
  'An answer whose members are selected is a schema of its own, in which all are optional',
  ({ app }) => {
    const document = openApiDocument(app);
    const get = operationAt(document, 'get', '/stories/{id}');
    const data = dataIn(document, get);
    expect(data).toEqual((document.components as Part).schemas.StorySelection);
    expect(data.required).toBeUndefined();
    expect(Object.keys(data.properties)).toEqual([
      'id',
      'title',
      'pages',
      'writer',
      'slug',
      'tag_ids',
      'remarks',
    ]);
    expect(JSON.stringify(data)).not.toContain('"required"');
    const page = dataIn(document, operationAt(document, 'get', '/stories'));
    expect(schemaIn(document, page.items)).toEqual(data);
    const plain = dataIn(document, operationAt(document, 'get', '/plain/{id}'));
    expect(plain.required).toEqual(['id', 'title', 'pages', 'writer']);
    expect(operationAt(document, 'get', '/plain/{id}').parameters.map(({ name }) => name)).not.toContain(
      'fields',
    );
  },
);
