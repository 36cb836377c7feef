import { expect } from '@jest/globals';
import { Export, Import } from '@nest-endpoints/core';
import { service } from '../support/contract.js';
import { columns, land, Land, many, Place } from './bulk.places.js';

const { contract } = service({
  entities: land,
  endpoints: [
    new Import({ ...columns, url: 'places/import', maximumRecords: 5000 }),
    new Import({ ...columns, url: 'places/chunks', mode: 'chunks', maximumRecords: 5000 }),
    new Export({ ...columns, url: 'places/export', searchableColumnNames: ['mood'], sortableColumnNames: ['name'] }),
  ],
});

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));

contract('Import creates a record of each line', async ({ request, save, count }) => {
  await save(Land, { code: 'FR', name: 'France' });
  const answer = await request()
    .post('/places/import')
    .set('Content-Type', 'text/csv')
    .buffer(true)
    .send('name,size,land_code\r\nA,3,FR\r\n"B\r\nb",,\r\n');
  expect(answer.text).toBe('x');
});
contract('Import bad', async ({ request, save, count }) => {
  await save(Land, { code: 'FR', name: 'France' });
  for (const url of ['/places/import', '/places/chunks']) {
  const answer = await request()
    .post(url)
    .set('Content-Type', 'application/x-ndjson')
    .buffer(true)
    .send([{name:'A', code: 'one'},{name:'B',size:1000},{name:'C',land_code:'DE'},{name:'D',code:'one'},{nam:1},{name:'E'}].map((x) => JSON.stringify(x)).join('\n'));
  console.log(answer.text, await count(Place));
  }
  const answer = await request()
    .get('/places/export?format=csv')
    .buffer(true);
  console.log(answer.text, answer.headers);
  console.log((await request().get('/places/export?sort=name').buffer(true)).text);
});
