import { expect, test } from '@jest/globals';
import {
  Authorization,
  ChangeRecord,
  Create,
  Get,
  History,
  RestfulApi,
  Update,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { heldUp } from '../support/waits.js';
import { now } from './changes.clock.js';
import { cities, City, Country, logOf, toldBy, town } from './changes.town.js';
import { stopped } from './stopped.js';

const { contract } = service(
  town({
    endpoints: [
      new History({
        modelClass: City,
        url: 'open/:id/history',
        readableColumnNames: ['name'],
        where: ['population = 7'],
      }),
      new Get({
        modelClass: City,
        url: 'open/:id',
        readableColumnNames: ['id', 'name'],
        clientSelectsColumns: true,
        includableColumnNames: ['population'],
        where: ['population = 7'],
        timeTravel: true,
      }),
    ],
  }),
  once,
);

const ann = { 'X-Claims': JSON.stringify({ sub: 'ann' }) };

const create = async ({ request }: Subject, body: object): Promise<number> => {
  const { status, body: answer } = await request().post('/cities').set(ann).send(body);
  expect(status).toBe(201);
  return Number(answer.data.id);
};

const patch = async ({ request }: Subject, id: number, body: object) =>
  expect((await request().patch(`/cities/${id}`).set(ann).send(body)).status).toBe(200);

contract('Past MikroORM a recorded write is one statement', async (subject) => {
  const { request } = subject;
  const statements = await Statements.of(subject);
  const id = await create(subject, { name: 'Warm' });
  await request().patch(`/cities/${id}`).set(ann).send({ name: 'Warmer' });
  const sent = (work: () => PromiseLike<unknown>) => statements.during(work);
  const all = [
    await sent(() => create(subject, { name: 'A' })),
    await sent(() => request().patch(`/cities/${id}`).set(ann).send({ name: 'B' })),
    await sent(() => request().put('/coded/a').set(ann).send({ name: 'C' })),
    await sent(() =>
      request()
        .post('/cities/bulk')
        .set(ann)
        .send({ records: [{ name: 'D' }, { name: 'E' }] }),
    ),
    await sent(() =>
      request()
        .patch('/cities/bulk')
        .set(ann)
        .send({ records: [{ id, name: 'F' }] }),
    ),
    await sent(() => request().delete(`/cities/${id}`).set(ann)),
  ];
  expect(
    all.map((texts) => texts.map((text) => text.split('insert into "change_record"').length - 1)),
  ).toEqual([[1], [1], [1], [1], [1], [1]]);
});

contract(
  'The log has what a record was when it was locked, whatever changed it meanwhile',
  async (subject) => {
    const { em, request } = subject;
    const id = await create(subject, { name: 'Lyon', population: 1 });
    const other = em().fork();
    await other.begin();
    await other
      .getConnection()
      .execute(`update city set population = 2 where id = ${id}`, [], 'all', other.getTransactionContext());
    const patched = Promise.resolve(request().patch(`/cities/${id}`).set(ann).send({ population: 3 }));
    await heldUp(subject);
    await other.commit();
    expect((await patched).status).toBe(200);
    expect((await toldBy(subject)).at(-1)).toMatchObject({
      before: { population: 2 },
      after: { population: 3 },
    });
  },
);

contract('Where the log cannot be written nothing is, and the answer is a 500', async (subject) => {
  const { em, request } = subject;
  const id = await create(subject, { name: 'Lyon' });
  const sql = (text: string) => em().getConnection().execute(text);
  await sql(`alter table change_record add constraint full_table check (id < 0) not valid`);
  try {
    const answers = [
      await request().post('/cities').set(ann).send({ name: 'Nice' }),
      await request().patch(`/cities/${id}`).set(ann).send({ name: 'Nice' }),
      await request().put('/coded/n').set(ann).send({ name: 'Nice' }),
      await request().delete(`/cities/${id}`).set(ann),
      await request()
        .post('/cities/bulk')
        .set(ann)
        .send({ records: [{ name: 'Nice' }] }),
      await request()
        .patch('/cities/bulk')
        .set(ann)
        .send({ records: [{ id, name: 'Nice' }] }),
      await request()
        .delete('/cities/bulk')
        .set(ann)
        .send({ ids: [id] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500));
  } finally {
    await sql(`alter table change_record drop constraint full_table`);
  }
  expect(await subject.em().findAll(City)).toMatchObject([{ name: 'Lyon' }]);
  expect(await logOf(subject)).toHaveLength(1);
});

contract(
  'Several changes of one record in a flush are one row, and none of a flush that fails',
  async (subject) => {
    const { em } = subject;
    const id = await create(subject, { name: 'Lyon', population: 1 });
    const own = em();
    const city = await own.findOneOrFail(City, { id });
    for (let index = 0; index < 10; index++) city.population = index;
    await own.flush();
    city.name = 'Nice';
    own.create(City, { code: city.code, name: 'Again' } as never);
    await expect(own.flush()).rejects.toThrow(/unique/);
    expect(await toldBy(subject)).toMatchObject([
      { operation: 'created' },
      { operation: 'updated', before: { population: 1 }, after: { population: 9 } },
    ]);
  },
);

contract('32 writers are read once each, and in order for each record', async (subject) => {
  const { request } = subject;
  const ids: number[] = [];
  for (let index = 0; index < 4; index++) ids.push(await create(subject, { name: 'A', population: 0 }));
  const writers = Array.from({ length: 32 }, async (_, index) => {
    for (let step = 1; step <= 4; step++)
      await request()
        .patch(`/cities/${ids[index % 4]}`)
        .set(ann)
        .send({ population: index * 10 + step });
  });
  await Promise.all(writers);
  const last = new Map<string, unknown>();
  const told = await toldBy(subject);
  for (const { recordId, before, after } of told.slice(4)) {
    if (last.has(recordId)) expect(before?.['population']).toBe(last.get(recordId));
    last.set(recordId, after?.['population']);
  }
  expect(told).toHaveLength(4 + 128);
});

class Narrowing extends Authorization {
  override filterModel(): object {
    return { name: 'Lyon' };
  }
}

test('What cannot be told of the past stops the start', async () => {
  const message = (
    make: () => EndpointOrGroup,
    entities: readonly object[] = [City, Country, ChangeRecord],
  ) => stopped(make, { entities } as never);
  const past = { modelClass: City, url: 'cities/:id/history', readableColumnNames: ['name'] } as const;
  const get = {
    modelClass: City,
    url: 'cities/:id',
    readableColumnNames: ['name'],
    timeTravel: true,
  } as const;
  expect(await message(() => new Update({ ...cities, url: 'cities/:id' }), [City, Country])).toMatch(
    /recordChanges\(City\): entities: .*add ChangeRecord/,
  );
  expect(await message(() => new History({ ...past, authorization: new Narrowing() }))).toMatch(
    /narrowedBy: is required/,
  );
  expect(await message(() => new Get({ ...get, authorization: new Narrowing() }))).toMatch(
    /narrowedBy: is required/,
  );
  const policies = { rowLevelSecurity: { variables: () => ({}) } };
  expect(
    await stopped(() => new Get({ ...get, where: ['name = Lyon'] }), {
      entities: [City, Country, ChangeRecord],
      root: policies,
    }),
  ).toMatch(/narrowedBy: is required/);
  // A parent changes without its records.
  expect(await message(() => new Get({ ...get, where: ['country.name = A'] }))).toMatch(
    /narrowedBy: is required/,
  );
  expect(await message(() => new Get({ ...get, includableColumnNames: ['country.name'] }))).toMatch(
    /no column of City itself/,
  );
  const api = { ...cities, url: 'cities', history: true, outputMap: () => ({}) } as const;
  const listed = {
    searchableColumnNames: ['id'],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  } as const;
  expect(await message(() => new RestfulApi({ ...api, ...listed }))).toMatch(
    /outputMap: a History shows values as they were stored/,
  );
  expect(await message(() => new History({ ...past, readableColumnNames: ['secret'] as never }))).toMatch(
    /'secret' is hidden/,
  );
  expect(await message(() => new Get({ ...get, readableColumnNames: ['phone'] }))).toMatch(
    /'phone' is sensitive/,
  );
  expect(await message(() => new Get({ ...get, readableColumnNames: ['country.name'] }))).toMatch(
    /no column of City itself/,
  );
  expect(
    await message(
      () => new History({ modelClass: Country, url: 'countries/:id/history', readableColumnNames: ['name'] }),
    ),
  ).toMatch(/call recordChanges\(Country/);
  expect(
    await message(
      () =>
        new Create({
          modelClass: ChangeRecord,
          url: 'log',
          readableColumnNames: ['id'],
          writeableColumnNames: ['model'],
        }),
    ),
  ).toMatch(/written by the library alone/);
});

contract('What `where` hid of a record stays hidden', async (subject) => {
  const { request } = subject;
  const id = await create(subject, { name: 'Draft', population: 1 });
  const draft = await now(subject);
  await patch(subject, id, { name: 'Open', population: 7 });
  const open = await now(subject);
  await patch(subject, id, { name: 'Later' });
  const told = await request().get(`/open/${id}/history`);
  expect(told.body.data).toMatchObject([
    { changes: { name: { before: 'Open', after: 'Later' } } },
    { changes: { name: { after: 'Open' } } },
  ]);
  expect([told.body.data.length, JSON.stringify(told.body)]).toEqual([
    2,
    expect.not.stringContaining('Draft'),
  ]);
  expect((await request().get(`/open/${id}?as_of=${draft}`)).status).toBe(404);
  const shown = async (query: string) => {
    const { status, body } = await request().get(`/open/${id}?as_of=${open}${query}`);
    return [status, body.data];
  };
  // What is selected is selected of that time, too.
  expect(await shown('')).toEqual([200, { id, name: 'Open' }]);
  expect(await shown('&fields=name')).toEqual([200, { name: 'Open' }]);
  expect(await shown('&fields=id&include=population')).toEqual([200, { id, population: 7 }]);
  expect(await shown('&fields=secret')).toEqual([400, []]);
});
