import { EndpointGroup, AdvancedSearch } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { writeFileSync } from 'node:fs';
import { once, service } from '../support/contract.js';
import { authors, books, libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const search = new AdvancedSearch<Book>({ url: 'books/search', modelClass: Book, readableColumnNames: ['id','title'], sortableColumnNames: ['title'], searchableColumnNames: ['title','inPrint','pages','author.name'], defaultSortColumnName: 'title', pagination: 'keyset' });
const { contract } = service(libraryWith([new EndpointGroup({ url: 'api', endpoints: [new Schema({ url: 'schema', schemaConfiguration: { info: { license: { name: 'MIT', url: 'https://example.org' } } } }), search, books(), authors()] })]), once);
contract('play', async ({ request, app, raw }) => {
  const answer = await request().get('/api/schema');
  writeFileSync('/tmp/doc.json', JSON.stringify(answer.body, null, 2));
  const y = await request().get('/api/schema').set('Accept', 'application/yaml');
  writeFileSync('/tmp/doc.yaml', y.text ?? y.body.toString());
  console.log(answer.status, answer.headers, y.headers, (await request().head('/api/schema')).headers);
  console.log(await raw('GET', '/api/schema', { headers: { 'If-None-Match': answer.headers['etag'] } }));
  for (const [v, f] of [['3.0.0','openapi3.0'],['3.1.0','openapi3.1'],['3.2.0','openapi3.2']] as const) {
    const doc = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion(v).build());
    writeFileSync(`/tmp/swagger-${f}.json`, JSON.stringify(doc, null, 2));
  }
});
