import { expect } from '@jest/globals';
import { OwnRecords } from '@nest-endpoints/auth';
import {
  ChangeRecord,
  eraseChanges,
  Get,
  History,
  readChanges,
  RestfulApi,
  Update,
} from '@nest-endpoints/core';
import { postgresqlOnly, service } from '../support/contract.js';
import { now } from './changes.clock.js';
import { Claims } from './claims.js';
import { Crate, Flyer, pastOfCrates, Shelf, Shop } from './changes.shops.js';
import { ann, cities, City, Country, create, patch, readable, toldBy, town } from './changes.town.js';

const tenants = {
  authentication: new Claims(),
  authorization: new OwnRecords('country', 'country'),
};

const { contract } = service(
  town({
    entities: [City, Country, ChangeRecord, Shop, Shelf, Crate, Flyer],
    endpoints: [
      ...pastOfCrates(),
      new History({
        modelClass: City,
        url: 'past/:id/history',
        readableColumnNames: ['name', 'population', 'countryId', 'phone'],
        showsActor: true,
        records: 'all',
      }),
      new History({
        modelClass: City,
        url: 'own/:id/history',
        readableColumnNames: ['name', 'population', 'countryId'],
        ...tenants,
      }),
      new Get({
        modelClass: City,
        url: 'past/:id',
        readableColumnNames: readable.filter((name) => name !== 'phone'),
        timeTravel: true,
      }),
      new Get({
        modelClass: City,
        url: 'own/:id',
        readableColumnNames: ['name'],
        timeTravel: true,
        ...tenants,
      }),
      new RestfulApi({
        ...cities,
        url: 'all',
        readOnly: true,
        history: { showsActor: true },
        searchableColumnNames: [],
        sortableColumnNames: ['id'],
        defaultSortColumnName: 'id',
      }),
      new Update({ ...cities, url: 'moved/:id', writeableColumnNames: ['countryId', 'name'] }),
    ],
  }),
  postgresqlOnly,
);

const of = (country: number) => ({ 'X-Claims': JSON.stringify({ country }) });

contract('A History shows the changes of a record, the newest first', async (subject) => {
  const { request } = subject;
  const id = await create(subject, { name: 'Lyon', population: 5 });
  await patch(subject, id, { population: 7, phone: '1' });
  await patch(subject, id, { code: 'other' });
  const whole = await request().get(`/past/${id}/history`);
  expect(whole.status).toBe(200);
  expect(whole.body.data).toMatchObject([
    {
      operation: 'updated',
      actor: 'here|ann',
      changes: { population: { before: 5, after: 7 }, phone: {} },
    },
    { operation: 'created', changes: { name: { after: 'Lyon' }, population: { after: 5 }, phone: {} } },
  ]);
  expect(whole.body.data[1].changes.name).toEqual({ after: 'Lyon' });
  expect(whole.body.pagination).toEqual({ limit: 20, next_page: {} });
  expect((await request().get(`/all/${id}/history`)).body.data).toHaveLength(3);
  const first = await request().get(`/past/${id}/history?limit=1`);
  expect(first.body.data).toHaveLength(1);
  const second = await request()
    .get(`/past/${id}/history`)
    .query(first.body.pagination.next_page)
    .query({ limit: 1 });
  expect(second.body.data).toMatchObject([{ operation: 'created' }]);
  expect(second.body.pagination.next_page).toEqual({});
  const narrow = async (query: string) =>
    ((await request().get(`/past/${id}/history?${query}`)).body.data as readonly { operation: string }[]).map(
      ({ operation }) => operation,
    );
  expect(await narrow('column=population')).toEqual(['updated', 'created']);
  expect(await narrow('operation=created')).toEqual(['created']);
  expect(await narrow('column=country_id&operation=updated')).toEqual([]);
  for (const query of ['column=secret', 'operation=read', 'limit=0', 'after=x', 'what=1'])
    expect([query, (await request().get(`/past/${id}/history?${query}`)).status]).toEqual([query, 400]);
  expect((await request().get('/past/999/history')).status).toBe(404);
  await request().delete(`/cities/${id}`).set(ann);
  expect((await request().get(`/past/${id}/history`)).body.data[0]).toMatchObject({
    operation: 'deleted',
    changes: { name: { before: 'Lyon' } },
  });
});

contract('The History of a record begins where it became what the request may see', async (subject) => {
  const { request, em } = subject;
  await em().getConnection().execute(`insert into country (id, name) values (1, 'A'), (2, 'B')`);
  const id = await create(subject, { name: 'Lyon', country_id: 1 });
  await patch(subject, id, { name: 'Secret' });
  const before = await now(subject);
  expect((await request().patch(`/moved/${id}`).send({ country_id: 2, name: 'Moved' })).status).toBe(200);
  const after = await now(subject);
  await patch(subject, id, { name: 'Open' });
  const told = await request().get(`/own/${id}/history`).set(of(2));
  expect(told.body.data).toMatchObject([
    { operation: 'updated', changes: { name: { before: 'Moved', after: 'Open' } } },
    { operation: 'updated', changes: { name: { after: 'Moved' }, country_id: { after: 2 } } },
  ]);
  expect(told.body.data).toHaveLength(2);
  expect(JSON.stringify(told.body)).not.toContain('Secret');
  expect((await request().get(`/own/${id}/history`).set(of(1))).status).toBe(404);
  expect((await request().get(`/own/${id}?as_of=${before}`).set(of(2))).status).toBe(404);
  expect((await request().get(`/own/${id}?as_of=${after}`).set(of(2))).body.data).toEqual({ name: 'Moved' });
});

contract('A Get with as_of shows the record as it was', async (subject) => {
  const { request } = subject;
  const other = await create(subject, { name: 'Other' });
  const start = await now(subject);
  const id = await create(subject, { name: 'Lyon', population: 5, code: 'ly' });
  const model: [string, object | undefined][] = [[start, undefined]];
  const shown = { id, code: 'ly', country_id: null };
  model.push([await now(subject), { ...shown, name: 'Lyon', population: 5, version: 1 }]);
  await patch(subject, id, { population: null });
  model.push([await now(subject), { ...shown, name: 'Lyon', population: null, version: 2 }]);
  await patch(subject, id, { name: 'Nice', population: 8 });
  model.push([await now(subject), { ...shown, name: 'Nice', population: 8, version: 3 }]);
  await request().delete(`/cities/${id}`).set(ann);
  model.push([await now(subject), undefined]);
  for (const [time, record] of model) {
    const { status, body, headers } = await request().get(`/past/${id}?as_of=${time}`);
    expect([time, status, body.data]).toEqual([time, record === undefined ? 404 : 200, record ?? []]);
    expect(headers['etag']).toBeUndefined();
  }
  const refused = async (query: string, headers = {}) => {
    const { status, body } = await request().get(`/past/${other}?${query}`).set(headers);
    return [status, String(body.error)];
  };
  expect(await refused('as_of=2999-01-01T00:00:00Z')).toEqual([400, `'as_of' must be in the past`]);
  expect(await refused('as_of=2001-01-01T00:00:00Z')).toEqual([
    400,
    expect.stringMatching(/^'as_of' must be after 20/),
  ]);
  expect(await refused('as_of=soon')).toEqual([400, expect.stringMatching(/^'as_of' must be an instant/)]);
  expect((await refused(`as_of=${start}`, { 'If-Match': '"1"' }))[0]).toBe(400);
});

contract('The past of a deleted record is shown where deleted records are', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Crate, { name: 'Apples' });
  const times = [await now(subject)];
  for (const step of ['delete', 'restore', 'change', 'delete'] as const) {
    const crate = `/crates/${id}`;
    const steps = {
      delete: () => request().delete(crate),
      restore: () => request().post(`${crate}/restore`),
      change: () => request().patch(crate).send({ name: 'Pears' }),
    };
    expect((await steps[step]()).status).toBe(200);
    times.push(await now(subject));
    if (step !== 'change') continue;
    expect((await request().get(`/live/crates/${id}/history`)).body.data).toMatchObject([
      { operation: 'updated', changes: { name: { before: 'Apples', after: 'Pears' } } },
      { operation: 'restored', changes: {} },
      { operation: 'deleted', changes: {} },
      { operation: 'created', changes: { name: { after: 'Apples' } } },
    ]);
    expect(await seen('live')).toEqual(['Apples', undefined, 'Apples', 'Pears']);
  }
  async function seen(view: string) {
    const all: unknown[] = [];
    for (const time of times)
      all.push((await request().get(`/${view}/crates/${id}?as_of=${time}`)).body.data.name);
    return all;
  }
  expect((await request().get(`/live/crates/${id}/history`)).status).toBe(404);
  const history = async () =>
    ((await request().get(`/all/crates/${id}/history`)).body.data as readonly { operation: string }[]).map(
      ({ operation }) => operation,
    );
  const past = ['deleted', 'updated', 'restored', 'deleted', 'created'];
  expect(await history()).toEqual(past);
  expect(await seen('live')).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(await seen('deleted')).toEqual([undefined, 'Apples', undefined, undefined, 'Pears']);
  expect(await seen('all')).toEqual(['Apples', 'Apples', 'Apples', 'Pears', 'Pears']);
  await request().post(`/crates/${id}/purge`);
  expect(await history()).toEqual(['deleted', ...past]);
  expect((await request().get(`/live/crates/${id}/history`)).status).toBe(404);
  expect(await seen('all')).toEqual(['Apples', 'Apples', 'Apples', 'Pears', 'Pears']);
});

contract('A type that a migration has changed is no failure of what tells the past', async (subject) => {
  const { request, em } = subject;
  const id = await create(subject, { name: 'Lyon', population: 5 });
  await em().getConnection().execute(`update change_record set after = after || '{"population": "five"}'`);
  const time = await now(subject);
  await patch(subject, id, { population: 7 });
  await em()
    .getConnection()
    .execute(`update change_record set before = before || '{"population": "five"}' where before is not null`);
  const { status, body } = await request().get(`/past/${id}/history`);
  expect([status, body.data[0].changes.population]).toEqual([200, { before: 'five', after: 7 }]);
  const earlier = await request().get(`/past/${id}?as_of=${time}`);
  expect([earlier.status, earlier.body.data.population]).toEqual([200, null]);
});

contract(
  'A reader of changes gets each of them once, though they are committed out of order',
  async (subject) => {
    const { em, database } = subject;
    const seen: string[] = [];
    let place: { transaction: string; id: string } | undefined;
    const read = async () => {
      const changes = await readChanges(em(), place, 3);
      for (const { model, recordId, operation } of changes) seen.push(`${model} ${recordId} ${operation}`);
      place = changes.at(-1) ?? place;
      return changes.length;
    };
    const first = await create(subject, { name: 'First' });
    expect(await read()).toBe(1);
    expect(await read()).toBe(0);
    // PGlite has one session, in which nothing is committed late.
    if (database === 'postgresql') {
      const late = em().fork();
      await late.begin();
      const city = late.create(City, { name: 'Late' } as never);
      await late.persist(city).flush();
      await patch(subject, first, { name: 'Second' });
      expect(await read()).toBe(0);
      await late.commit();
    } else await patch(subject, first, { name: 'Second' });
    while ((await read()) > 0);
    expect(seen.toSorted()).toEqual(
      (await toldBy(subject)).map(({ recordId, operation }) => `City ${recordId} ${operation}`).toSorted(),
    );
    expect(new Set(seen).size).toBe(seen.length);
  },
);

contract('An erased deletion by a mark is not where a History begins', async ({ request, save, em }) => {
  const { id } = await save(Crate, { name: 'Apples' });
  await request().delete(`/crates/${id}`);
  await request().post(`/crates/${id}/restore`);
  await eraseChanges(em(), Crate, id);
  const { body } = await request().get(`/live/crates/${id}/history`);
  const operations = ['restored', 'deleted', 'created'];
  expect(body.data).toMatchObject(operations.map((operation) => ({ operation })));
});
