import { expect, jest } from '@jest/globals';
import { RestfulApi } from '@nest-endpoints/core';
import { fc } from '../support/property.js';
import { once, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Book, library } from '../support/entities/library.js';
import { hostileEscaped, hostileObject } from './hostile.js';
import { Parcel, parcelColumns } from './parcel.js';
import { validParcel } from './valid-parcel.js';

const searchableColumnNames = parcelColumns.filter((name) => !['labels', 'marks', 'stops'].includes(name));
const parcels = (options: { url: string; transformInputTypes?: boolean }) =>
  new RestfulApi({
    modelClass: Parcel,
    readableColumnNames: ['id', ...parcelColumns],
    writeableColumnNames: parcelColumns,
    searchableColumnNames,
    sortableColumnNames: ['id', ...searchableColumnNames],
    defaultSortColumnName: 'id',
    listRequestMethods: ['GET', 'QUERY'],
    ...options,
  });

const { contract } = service(
  {
    ...libraryWith([
      books({ listRequestMethods: ['GET', 'QUERY'] }),
      parcels({ url: 'parcels' }),
      parcels({ url: 'forced', transformInputTypes: true }),
    ]),
    entities: [...library, Parcel],
  },
  once,
);

jest.setTimeout(120_000);

/** A failure is shrunk for a while at most, so that it is told with its seed before the test's time is over. */
const options = {
  numRuns: Number(process.env['RUNS'] ?? 500),
  interruptAfterTimeLimit: 90_000,
  markInterruptAsFailure: true,
};

const outward = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const parcelNames = parcelColumns.map(outward);
const bookNames = ['isbn', 'title', 'author_id', 'pages', 'price', 'in_print', 'published_on', 'launch_at'];
const names = [...parcelNames, ...bookNames, 'remind_at', 'contact', 'notes'];
const controls = ['sort', 'direction', 'limit', 'start'];
const path = fc.constantFrom('parcels', 'forced', 'books');

const envelope = ['status', 'error', 'data', 'pagination', 'input_errors'];

/** The answer is an envelope, and the service is not at fault. */
const expectNoFault = ({ status, text }: { status: number; text: string }) => {
  const body: unknown = JSON.parse(text);
  expect([status < 500, Object.keys(body as object)]).toEqual([true, envelope]);
};

/** The members as JSON has them: a single-precision number stands for all that are stored as it. */
const rounded = (data: Record<string, unknown>) =>
  typeof data['weight'] === 'number' ? { ...data, weight: Math.fround(data['weight']) } : data;

contract(
  'No JSON object as the body of a Create ends in a 500, and only a success is stored',
  async (subject) => {
    const stored = async () => (await subject.count(Parcel)) + (await subject.count(Book));
    const property = fc.asyncProperty(path, hostileObject(names), async (url, body) => {
      const before = await stored();
      const answer = await subject.request().post(`/${url}`).type('json').send(body);
      expectNoFault(answer);
      expect((await stored()) - before).toBe(answer.status === 201 ? 1 : 0);
    });
    await fc.assert(property, options);
  },
);

contract(
  'Valid values are accepted by a Create, stored and answered as they were sent',
  async ({ request }) => {
    const nothing = Object.fromEntries(parcelNames.map((name) => [name, null]));
    const property = fc.asyncProperty(validParcel, async ({ sent, answered }) => {
      const created = await request().post('/parcels').send(sent);
      const record = { ...nothing, ...answered, id: expect.any(Number) };
      expect([created.status, rounded(created.body.data)]).toEqual([201, record]);
      const found = await request().get(`/parcels/${created.body.data.id}`);
      expect(found.body.data).toEqual(created.body.data);
    });
    await fc.assert(property, options);
  },
);

contract('Valid values are accepted by an Update, stored and answered as they were sent', async (subject) => {
  const { id } = await subject.save(Parcel, {});
  const property = fc.asyncProperty(validParcel, async ({ sent, answered }) => {
    const updated = await subject.request().patch(`/parcels/${id}`).send(sent);
    expect([updated.status, rounded(updated.body.data)]).toMatchObject([200, answered]);
    const found = await subject.request().get(`/parcels/${id}`);
    expect(found.body.data).toEqual(updated.body.data);
  });
  await fc.assert(property, options);
});

contract('Values are found by a search for them as they were sent', async ({ request, query }) => {
  const latest = { sort: 'id', direction: 'desc', limit: 1 };
  const property = fc.asyncProperty(validParcel, async ({ sent: { labels, marks, stops, ...terms } }) => {
    const { id } = (await request().post('/parcels').send(terms)).body.data;
    const parameters = Object.entries({ ...terms, ...latest });
    const text = parameters.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    expect((await request().get(`/parcels?${text.join('&')}`)).body.data).toMatchObject([{ id }]);
    expect((await query('/parcels').send({ ...terms, ...latest })).body.data).toMatchObject([{ id }]);
  });
  await fc.assert(property, options);
});

contract('No text as a search term ends in a 500', async ({ raw }) => {
  const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names, ...controls) }, hostileEscaped);
  const term = fc.tuple(name, hostileEscaped).map(([key, value]) => `${key}=${value}`);
  const property = fc.asyncProperty(path, fc.array(term, { maxLength: 3 }), async (url, terms) => {
    expectNoFault(await raw('GET', `/${url}?${terms.join('&')}`));
  });
  await fc.assert(property, options);
});

contract('No JSON object as the body of a search ends in a 500', async ({ query }) => {
  const property = fc.asyncProperty(path, hostileObject([...names, ...controls]), async (url, body) => {
    expectNoFault(await query(`/${url}`).type('json').send(body));
  });
  await fc.assert(property, options);
});

contract('No JSON object as the body of an Update ends in a 500', async ({ request, save }) => {
  const { id } = await save(Parcel, {});
  const url = fc.constantFrom('parcels', 'forced');
  const property = fc.asyncProperty(url, hostileObject(parcelNames), async (base, body) => {
    expectNoFault(await request().patch(`/${base}/${id}`).type('json').send(body));
  });
  await fc.assert(property, options);
});
