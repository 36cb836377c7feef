import { expect } from '@jest/globals';
import { AdvancedSearch, RestfulApi } from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { startUpError } from '../support/application.js';
import { Reading, Station, StationList } from './station.list.js';

const list = new StationList();

const stations = {
  modelClass: Station,
  readableColumnNames: ['id', 'callSign', 'height', 'openedAt'],
  writeableColumnNames: ['callSign', 'height', 'openedAt'],
  sortableColumnNames: ['callSign', 'openedAt'],
  searchableColumnNames: ['id', 'callSign', 'height'],
  defaultSortColumnName: 'callSign',
} as const;

/** The same with what its records say beside. */
const noted = {
  ...stations,
  readableColumnNames: ['id', 'notes', 'height'],
  writeableColumnNames: ['callSign', 'notes', 'height'],
} as const;

const application = {
  entities: [Station, Reading],
  endpoints: [
    new AdvancedSearch({ url: 'stations/search', ...stations }),
    new RestfulApi({ url: 'stations', ...stations, defaultLimit: 2 }),
    new RestfulApi({
      url: 'mapped',
      ...stations,
      outputMap: ({ record, entity }) => ({
        sign: record.callSign,
        same: list.records.includes(entity),
      }),
    }),
    new RestfulApi({ url: 'noted', ...noted }),
    new RestfulApi({
      url: 'picked',
      ...stations,
      clientSelectsColumns: true,
      includableColumnNames: ['notes'],
    }),
    new RestfulApi({ url: 'high', ...stations, where: ['callSign = HQ'] }),
    new RestfulApi({
      url: 'readings',
      modelClass: Reading,
      readableColumnNames: ['id', 'stationId', 'celsius'],
      writeableColumnNames: ['stationId', 'celsius'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
  ],
  root: { backends: [{ modelClass: Station, backend: list }] },
} as const;

const { contract } = service({ ...application, endpoints: [...application.endpoints] });

const station = (id: number, callSign: string, height: number | null = null) => ({
  id,
  call_sign: callSign,
  height,
  opened_at: null,
});

const build = async ({ request }: Subject, ...signs: readonly string[]) => {
  list.clear();
  for (const sign of signs) await request().post('/stations').send({ call_sign: sign });
};

contract('A model of a backend is created, read, updated and deleted there', async (subject) => {
  await build(subject);
  const { request } = subject;
  const sent = { call_sign: 'EDDF', height: 111, opened_at: '2024-01-01T00:00:00+01:00' };
  const record = { ...station(1, 'EDDF', 111), opened_at: '2023-12-31T23:00:00+00:00' };
  expectAnswer(await request().post('/stations').send(sent), 201, success(record));
  expectAnswer(await request().get('/stations/1'), 200, success(record));
  const changed = { ...record, height: 112 };
  expectAnswer(await request().patch('/stations/1').send({ height: 112 }), 200, success(changed));
  expect(await subject.count(Station)).toBe(0);
  expectAnswer(await request().delete('/stations/1'), 200, success({}));
  expectAnswer(await request().get('/stations/1'), 404, notFound);
  expectAnswer(await request().patch('/stations/1').send({ height: 1 }), 404, notFound);
});

contract('Of the records of a backend clients select columns', async (subject) => {
  await build(subject, 'B', 'A');
  const { request } = subject;
  expectAnswer(await request().get('/picked/1?fields=call_sign'), 200, success({ call_sign: 'B' }));
  expectAnswer(
    await request().get('/picked/1?include=notes&fields=height,id'),
    200,
    success({ id: 1, height: null, notes: null }),
  );
  expect((await request().get('/picked?fields=id')).body.data).toEqual([{ id: 2 }, { id: 1 }]);
  const created = await request().post('/picked?fields=id').send({ call_sign: 'C' });
  expectAnswer(created, 201, success({ id: 3 }));
  const changed = await request().patch('/picked/3?fields=height').send({ height: 4 });
  expectAnswer(changed, 200, success({ height: 4 }));
});

contract('Pages of a backend are sorted, counted and followed by next_page', async (subject) => {
  await build(subject, 'C', 'A', 'B');
  const first = success([station(2, 'A'), station(3, 'B')], {
    number_results: 3,
    limit: 2,
    next_page: { start: 2 },
  });
  expectAnswer(await subject.request().get('/stations'), 200, first);
  const last = success([station(1, 'C')], { number_results: 3, limit: 2, next_page: {} });
  expectAnswer(await subject.request().get('/stations?start=2'), 200, last);
});

contract('A backend is asked for a count only where the page does not tell', async (subject) => {
  await build(subject);
  const { request } = subject;
  const pageFrom = async (start: number) => {
    const before = list.counts;
    const { body } = await request().get(`/stations?start=${start}`);
    return [body.data.length, body.pagination.number_results, list.counts - before];
  };
  expect(await pageFrom(0)).toEqual([0, 0, 0]);
  expect(await pageFrom(1)).toEqual([0, 0, 1]);
  await build(subject, 'A', 'B', 'C');
  expect(await pageFrom(0)).toEqual([2, 3, 1]);
  expect(await pageFrom(2)).toEqual([1, 3, 0]);
});

contract(
  'A search that a backend cannot do is a 400 that names the operator and the column',
  async (subject) => {
    await build(subject, 'A');
    const { request } = subject;
    expectAnswer(
      await request().get('/stations?height=1'),
      400,
      clientError(`'=' cannot be used on 'height' here`),
    );
    const where = [{ column: 'call_sign', operator: 'like', value: 'A%' }];
    expectAnswer(
      await request().post('/stations/search').send({ where }),
      400,
      clientError(`'like' cannot be used on 'call_sign' here`),
    );
    expectAnswer(
      await request().get('/stations?sort=opened_at'),
      400,
      clientError(`Records cannot be sorted by 'opened_at' here`),
    );
  },
);

contract('A search that a backend can do is done there', async (subject) => {
  await build(subject, 'A', 'B', 'C');
  const where = [{ column: 'call_sign', operator: 'in', value: ['A', 'C'] }];
  const answer = await subject.request().post('/stations/search').send({ where });
  expectAnswer(
    answer,
    200,
    success([station(1, 'A'), station(3, 'C')], { number_results: 2, limit: 50, next_page: {} }),
  );
});

contract('Unique and the existence of parents are asked of the backend', async (subject) => {
  await build(subject, 'A');
  const { request } = subject;
  const taken = `Invalid value for 'call_sign': the given value already exists, and must be unique.`;
  expectAnswer(
    await request().post('/stations').send({ call_sign: 'A' }),
    400,
    inputErrors({ call_sign: taken }),
  );
  expectAnswer(
    await request().post('/readings').send({ station_id: 7, celsius: 1 }),
    400,
    inputErrors({ station_id: 'the given record does not exist' }),
  );
  expectAnswer(
    await request().post('/readings').send({ station_id: 1, celsius: 1 }),
    201,
    success({ id: 1, station_id: 1, celsius: 1 }),
  );
});

contract('A where string narrows what a backend shows, updates and deletes', async (subject) => {
  await build(subject, 'A', 'HQ');
  const { request } = subject;
  expectAnswer(await request().get('/high/1'), 404, notFound);
  expectAnswer(await request().patch('/high/1').send({ height: 1 }), 404, notFound);
  expectAnswer(await request().get('/high/2'), 200, success(station(2, 'HQ')));
});

contract('A refusal that a backend throws is the answer', async (subject) => {
  await build(subject, 'HQ');
  expectAnswer(await subject.request().delete('/stations/1'), 409, clientError('The headquarters stay'));
});

contract('A Json value of a backend stays the one value it is', async (subject) => {
  await build(subject);
  const { request } = subject;
  const texts = ['hello', 'null},{"id":999', '"', '{"a":1}'];
  for (const notes of [...texts, 7, [1], { deep: { 'x"': null } }]) {
    const created = await request().post('/noted').send({ call_sign: 'A', notes });
    const { id } = created.body.data as { id: number };
    const data = { id, notes, height: null };
    expectAnswer(created, 201, success(data));
    expectAnswer(
      await request().get('/noted'),
      200,
      success([data], { number_results: 1, limit: 50, next_page: {} }),
    );
    await request().delete(`/noted/${id}`);
  }
});

contract('A value of a backend that is not of its column is a failure', async (subject) => {
  await build(subject, 'A');
  for (const height of ['7,"admin":true', Number.NaN, {}, '7}']) {
    Object.assign(list.records[0] ?? {}, { height });
    expectAnswer(await subject.request().get('/noted'), 500, failure('Internal Server Error'));
  }
});

contract('outputMap gets the record of a backend', async (subject) => {
  await build(subject, 'A');
  expectAnswer(await subject.request().get('/mapped/1'), 200, success({ sign: 'A', same: true }));
});

contract('An entry of backends without a model or a backend stops the start', async () => {
  const message = (backends: unknown) =>
    startUpError({ ...application, endpoints: [...application.endpoints], root: { backends } as never });
  const backend = list;
  expect(await message({})).toContain(
    'backends: an empty object is not allowed; allowed: a list of { modelClass, backend }',
  );
  expect(await message([{ modelClass: Station }])).toContain("backends: entry 1: 'backend' is required");
  expect(await message([{ modelClass: Station, backend: {} }])).toContain(
    "backends: entry 1: 'backend': an empty object is not allowed",
  );
  expect(await message([{ backend }])).toContain("backends: entry 1: 'modelClass' is required");
  const twice = { modelClass: Station, backend };
  expect(await message([twice, twice])).toContain('backends: entry 2 is a second one of its modelClass');
});

contract('What only SQL can do is a start-up error with a backend', async () => {
  const message = (options: object) =>
    startUpError({
      ...application,
      endpoints: [new RestfulApi({ url: 'stations', ...stations, ...options })],
    });
  expect(await message({ bulk: true })).toContain(
    'bulk: the records of Station are in a backend of your own, which cannot write many as one',
  );
  expect(await message({ pagination: 'keyset' })).toContain(
    'pagination: a backend of your own cannot do this',
  );
  expect(await message({ groupByColumnName: 'height' })).toContain(
    'groupByColumnName: a backend of your own',
  );
  expect(await message({ where: [{ height: 1 }] })).toContain('where: only strings about columns');
  expect(await message({ where: ['height = 1'] })).toContain(
    `where: the backend cannot filter 'height' with '='`,
  );
});
