// A client as a front end would write one. typed-client.test.ts makes its types of the sample's document, compiles it
// under strict, and runs it against the running sample: `node atlas.client.js URL`.
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { followRecords, type RecordOf } from '@nest-endpoints/live/client';
import createClient from 'openapi-fetch';
import type { components, paths } from './atlas.schema.js';

type City = components['schemas']['CitySelection'];

const url = process.argv[2] ?? '';
const client = createClient<paths>({
  baseUrl: url,
  // A list of columns stands in one parameter, as the document says.
  querySerializer: { array: { style: 'form', explode: false } },
});

/** Every city of a country, page by page, as `next_page` says. */
async function* citiesOf(country: string): AsyncGenerator<City> {
  let page: { start?: number } = {};
  do {
    const { data } = await client.GET('/cities', {
      params: {
        query: { country_code: country, limit: 2, fields: ['name', 'population', 'country.name'], ...page },
      },
    });
    if (data?.status !== 'success') throw new Error('no page');
    yield* data.data;
    page = data.pagination.next_page;
  } while (page.start !== undefined);
}

const names: string[] = [];
for await (const { id, name = '', country, population = -1 } of citiesOf('MC')) {
  const word: string | undefined = country?.name;
  const people: number = population;
  equal(id, undefined);
  ok(people >= 0);
  equal(word, 'Monaco');
  names.push(name);
}
deepStrictEqual(new Set(names).size, names.length);
ok(names.length > 2, 'more than one page');

// What the columns refuse does not compile, so it is forced here.
const { error, response } = await client.POST('/trips', {
  body: { title: '', starts_on: '2027-05-01', rating: 9 },
});
equal(response.status, 400);
if (error?.status !== 'input_errors') throw new Error('no input errors');
const messages: Record<string, string | undefined> = error.input_errors;
deepStrictEqual(messages, { title: "'title' is required.", rating: 'value should be at most 5' });

// @ts-expect-error A misspelt column is no property of the body.
const misspelt: components['schemas']['TripCreate'] = { titel: 'x', title: 'y', starts_on: '2027-05-01' };
type Fields = NonNullable<paths['/cities']['get']['parameters']['query']>['fields'];
// @ts-expect-error Only declared columns can be selected.
const unselectable: Fields = ['position'];
type Sort = NonNullable<paths['/cities']['get']['parameters']['query']>['sort'];
// @ts-expect-error Only sortable columns can be sorted by.
const unsortable: Sort = 'latitude';
void [misspelt, unselectable, unsortable];

const missing = await client.GET('/cities/{id}', { params: { path: { id: 2_000_000_000 } } });
equal(missing.error?.status, 'client_error');

// Plain answers are what they are about; the status code tells one from the other.
const plain = await client.GET('/examples/plain/cities', {
  params: { query: { country_code: 'MC', limit: 2 } },
});
const plainNames = (plain.data ?? []).map(({ name }): string => name);
equal(plainNames.length, 2);
equal(plain.response.headers.get('x-total-count'), String(names.length));
const refused = await client.POST('/examples/plain/trips', { body: { title: '', starts_on: '2027-05-01' } });
if (refused.error === undefined || !('errors' in refused.error)) throw new Error('no input errors');
const byPointer: Record<string, string | undefined> = refused.error.errors;
deepStrictEqual([refused.error.status, byPointer], [400, { '/title': "'title' is required." }]);
const gone = await client.GET('/examples/plain/cities/{id}', { params: { path: { id: 2_000_000_000 } } });
const title: string | undefined = gone.error?.title;
equal(title, 'Not Found');
// A live list is followed, and read as any other.
type Postcard = RecordOf<paths['/postcards']['get']>;
const paged = createClient<paths, 'application/json'>({ baseUrl: url });
await paged.POST('/postcards', { body: { text: 'Wish you were here', place: 'Nice' } });
for await (const postcards of followRecords<Postcard>(`${url}/postcards`)) {
  const places: string[] = postcards.map(({ place }) => place);
  if (places.includes('Lyon')) break;
  ok(places.includes('Nice'));
  await paged.POST('/postcards', { body: { text: 'Wish you were here, too', place: 'Lyon' } });
}
const { data: postcards } = await paged.GET('/postcards');
if (postcards?.status !== 'success') throw new Error('no page');
const written: string[] = postcards.data.map(({ text }) => text);
ok(written.length >= 2);
console.log('The client and the service agree.');
