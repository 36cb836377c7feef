import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  AdvancedSearch,
  Backend,
  Conflict,
  RestfulApi,
  type BackendCondition,
  type BackendQuery,
  type BackendRecord,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { startUpError } from '../support/application.js';

const Station = defineEntity({
  name: 'Station',
  properties: {
    id: p.integer().primary().autoincrement(),
    callSign: p.string().length(8).unique(),
    height: p.integer().nullable(),
    openedAt: p.datetime().nullable(),
  },
});

const Reading = defineEntity({
  name: 'Reading',
  properties: {
    id: p.integer().primary().autoincrement(),
    station: () => p.manyToOne(Station),
    celsius: p.double(),
  },
});

/** Keeps stations in a list; a stand-in for a service on the other side of a network. */
class StationList extends Backend {
  records: Record<string, unknown>[] = [];
  #last = 0;

  override canFilter(columnName: string, operator: string): boolean {
    return ['=', 'in'].includes(operator) && columnName !== 'height';
  }

  override canSort(columnName: string): boolean {
    return columnName !== 'openedAt';
  }

  override async find(conditions: readonly BackendCondition[]): Promise<BackendRecord | undefined> {
    return (await this.page({ conditions, sorts: [], limit: 1, start: 0 }))[0];
  }

  override page({ conditions, sorts, limit, start }: BackendQuery): Promise<readonly BackendRecord[]> {
    const key = sorts[0]?.columnName ?? 'id';
    const sign = sorts[0]?.direction === 'desc' ? -1 : 1;
    const sorted = this.#matching(conditions).toSorted((one, other) => {
      const [left, right] = [one[key], other[key]] as [string, string];
      return sign * (left < right ? -1 : Number(left > right));
    });
    return Promise.resolve(sorted.slice(start, start + limit));
  }

  override count(conditions: readonly BackendCondition[]): Promise<number> {
    return Promise.resolve(this.#matching(conditions).length);
  }

  override create(values: BackendRecord): Promise<BackendRecord> {
    this.#last += 1;
    const record = { id: this.#last, ...values };
    this.records.push(record);
    return Promise.resolve(record);
  }

  override update(id: unknown, changes: BackendRecord): Promise<void> {
    Object.assign(this.records.find((record) => record['id'] === id) ?? {}, changes);
    return Promise.resolve();
  }

  override delete(id: unknown): Promise<void> {
    if (this.records.find((record) => record['id'] === id)?.['callSign'] === 'HQ')
      return Promise.reject(new Conflict('The headquarters stay'));
    this.records = this.records.filter((record) => record['id'] !== id);
    return Promise.resolve();
  }

  clear(): void {
    this.records = [];
    this.#last = 0;
  }

  #matching(conditions: readonly BackendCondition[]): Record<string, unknown>[] {
    return this.records.filter((record) =>
      conditions.every(({ columnName, value }) =>
        Array.isArray(value) ? value.includes(record[columnName]) : record[columnName] === value,
      ),
    );
  }
}

const list = new StationList();

const stations = {
  modelClass: Station,
  readableColumnNames: ['id', 'callSign', 'height', 'openedAt'],
  writeableColumnNames: ['callSign', 'height', 'openedAt'],
  sortableColumnNames: ['callSign', 'openedAt'],
  searchableColumnNames: ['id', 'callSign', 'height'],
  defaultSortColumnName: 'callSign',
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
        sign: record['callSign'],
        same: list.records.includes(entity),
      }),
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
  root: { internalCasing: 'camelCase', backends: [{ modelClass: Station, backend: list }] },
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

contract('outputMap gets the record of a backend', async (subject) => {
  await build(subject, 'A');
  expectAnswer(await subject.request().get('/mapped/1'), 200, success({ sign: 'A', same: true }));
});

contract('What only SQL can do is a start-up error with a backend', async () => {
  const message = (options: object) =>
    startUpError({
      ...application,
      endpoints: [new RestfulApi({ url: 'stations', ...stations, ...options })],
    });
  expect(await message({ pagination: 'keyset' })).toContain(
    'pagination: a backend of your own cannot do this',
  );
  expect(await message({ groupByColumnName: 'height' })).toContain(
    'groupByColumnName: a backend of your own',
  );
  expect(await message({ where: [{ height: 1 }] })).toContain('where: only strings about columns');
});
