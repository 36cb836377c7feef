import { expect } from '@jest/globals';
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { SqlSchemaGenerator, type SqlEntityManager } from '@mikro-orm/sql';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Author, Branch, Hut, Note, softly, Stamp, Town, Trip, by } from './soft.towns.js';

const { contract } = service(softly(), everyDatabase);

const ann = by('ann');

const statusOf = async (answer: PromiseLike<{ readonly status: number }>) => (await answer).status;

/** The marks of all records of an entity, by id. */
const marks = async ({ em }: Subject, entity: typeof Hut | typeof Branch | typeof Town) => {
  const records = await em()
    .fork()
    .find(entity as typeof Hut, {}, { orderBy: { id: 'asc' } });
  return records.map(({ deletedAt }) => deletedAt !== null);
};

contract(
  'The value of a deleted record may be used again, and keeps it from being restored',
  async (subject) => {
    const { request, save } = subject;
    const hut = await save(Hut, { code: 'A' });
    const town = await save(Town, { code: 'A', name: 'Ayr' });
    expect(await statusOf(request().delete(`/huts/${hut.id}`))).toBe(200);
    expect(await statusOf(request().delete(`/towns/${town.id}`).set(ann))).toBe(200);
    expect(await statusOf(request().post('/huts').send({ code: 'A' }))).toBe(201);
    expect(await statusOf(request().post('/towns').set(ann).send({ code: 'A', name: 'New' }))).toBe(201);
    for (const answer of [
      await request().post(`/huts/trash/${hut.id}/restore`),
      await request().post(`/towns/trash/${town.id}/restore`).set(ann),
    ])
      expect([answer.status, answer.body.input_errors]).toEqual([400, { code: expect.stringContaining('') }]);
    expect(await marks(subject, Hut)).toEqual([true, false]);
    expect(await marks(subject, Town)).toEqual([true, false]);
    const again = await request().post('/huts').send({ code: 'A' });
    expect(Object.keys(again.body.input_errors)).toEqual(['code']);
  },
);

contract('An Upsert makes a new record beside a deleted one with its key, which stays', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Hut, { code: 'A', name: 'Old' });
  await request().delete(`/huts/${id}`);
  const made = await request().put('/put/huts').send({ code: 'A', name: 'New' });
  expect([made.status, made.body.data.id === id]).toEqual([201, false]);
  const changed = await request().put('/put/huts').send({ code: 'A', name: 'Newer' });
  expect([changed.status, changed.body.data]).toEqual([200, { ...made.body.data, name: 'Newer' }]);
  expect(await marks(subject, Hut)).toEqual([true, false]);
  expect((await request().get(`/huts/trash/${id}`)).body.data.name).toBe('Old');
  await request().delete(`/huts/${made.body.data.id}`);
  for (const name of ['First', 'Second']) {
    const records = [
      { code: 'A', name },
      { code: 'B', name },
    ];
    expect((await request().post('/many/huts').send({ records })).body.data).toMatchObject(records);
  }
  expect(await marks(subject, Hut)).toEqual([true, true, false, false]);
});

contract('In a Batch an Upsert makes a new record beside a deleted one, too', async (subject) => {
  const { request, save } = subject;
  for (const code of ['A', 'B', 'C']) {
    const { id } = await save(Hut, { code, name: 'Old' });
    await request().delete(`/huts/${id}`);
  }
  const records = ['B', 'C'].map((code) => ({ code, name: 'New' }));
  const operations = [
    { method: 'PUT', path: '/put/huts', body: { code: 'A', name: 'New' } },
    { method: 'POST', path: '/many/huts', body: { records } },
  ];
  const { status, body } = await request().post('/batch').set(ann).send({ operations });
  expect([status, body.input_errors]).toEqual([200, {}]);
  expect(await marks(subject, Hut)).toEqual([true, true, true, false, false, false]);
});

contract(
  'A parent that is deleted is null, loaded by nobody, and can be named by no key',
  async ({ request, save }) => {
    const [town, live] = [
      await save(Town, { code: 'A', name: 'Ayr' }),
      await save(Town, { code: 'B', name: 'Bonn' }),
    ];
    const stamp = await save(Stamp, { text: 'One', town: town.id });
    expect((await request().get(`/mapped/${stamp.id}`)).body.data).toEqual({ town: 'Ayr' });
    expect(await statusOf(request().delete(`/towns/${town.id}`).set(ann))).toBe(200);
    const { body } = await request().get(`/stamps/${stamp.id}`);
    expect(body.data).toMatchObject({ town_id: town.id, town: null });
    expect((await request().get(`/mapped/${stamp.id}`)).body.data).toEqual({ town: null });
    const missing = [400, { town_id: 'the given record does not exist' }];
    for (const answer of [
      await request().post('/stamps').send({ text: 'Two', town_id: town.id }),
      await request().post('/trips').send({ title: 'Two', town_id: town.id }),
    ])
      expect([answer.status, answer.body.input_errors]).toEqual(missing);
    const made = await request().post('/trips').send({ title: 'Three', town_id: live.id });
    const moved = await request().patch(`/trips/${made.body.data.id}`).send({ town_id: town.id });
    expect([moved.status, moved.body.input_errors]).toEqual(missing);
    const bulk = await request()
      .post('/trips/bulk')
      .send({
        records: [
          { title: 'Four', town_id: live.id },
          { title: 'Five', town_id: town.id },
        ],
      });
    expect([bulk.status, bulk.body.input_errors]).toEqual([
      400,
      { 'records.1.town_id': 'the given record does not exist' },
    ]);
  },
);

contract('Counts, facets, estimates, searches and lists of related records agree', async (subject) => {
  const { request, save } = subject;
  const towns = [
    await save(Town, { code: 'A', name: 'Same', size: 2 }),
    await save(Town, { code: 'B', name: 'Same', size: 3 }),
    await save(Town, { code: 'C', name: 'Other', size: 5 }),
  ];
  const gone = await save(Trip, { title: 'Gone', town: towns[0]?.id ?? 0 });
  await save(Trip, { title: 'Kept', town: towns[0]?.id ?? 0 });
  await request().delete(`/trips/${gone.id}`);
  await request()
    .delete(`/towns/${towns[1]?.id ?? 0}`)
    .set(ann);
  const dataOf = async (path: string) => (await request().get(path).set(ann)).body;
  expect((await dataOf('/towns?limit=1')).pagination.number_results).toBe(2);
  expect((await dataOf('/towns/aggregate?measure=size.count')).data).toEqual({ size_count: 2 });
  expect((await dataOf('/deleted/aggregate')).data).toEqual({ count: 1 });
  expect((await dataOf('/towns/facets')).data.name).toMatchObject([
    { value: 'Other', count: 1 },
    { value: 'Same', count: 1 },
  ]);
  expect((await dataOf('/all/facets')).data.name).toMatchObject([{ value: 'Same', count: 2 }, { count: 1 }]);
  const where = (column: string, value: string) => ({ where: [{ column, operator: '=', value }] });
  const search = async (body: object) => (await request().post('/estimated').send(body)).body;
  expect((await search({ limit: 1 })).pagination.number_results).toBe(2);
  expect((await search(where('trips.title', 'Gone'))).data).toEqual([]);
  expect((await search(where('trips.title', 'Kept'))).data).toMatchObject([{ trips: [{ title: 'Kept' }] }]);
  expect((await dataOf('/towns?trips.title=Gone')).data).toEqual([]);
  expect((await dataOf(`/shown/${towns[1]?.id ?? 0}`)).data).toMatchObject({ trips: [], notes: [] });
  expect((await dataOf('/towns?records=all')).error).toBe("Unknown parameter 'records' in the query string");
});

contract('A tree goes and comes as a whole, and a branch never without its trunk', async (subject) => {
  const { request, save } = subject;
  const trunk = await save(Branch, { name: 'trunk' });
  const twig = await save(Branch, { name: 'twig', trunk: trunk.id });
  const leaf = await save(Branch, { name: 'leaf', trunk: twig.id });
  await request().delete(`/branches/${trunk.id}`);
  expect(await marks(subject, Branch)).toEqual([true, true, true]);
  const { body } = await request().get(`/branches/trash/${leaf.id}`);
  expect(body.data).toMatchObject({ trunk_id: twig.id, trunk: null });
  expect((await request().get('/all/branches')).body.data).toEqual(
    [trunk, twig, leaf].map(({ id }) => ({ id, trunk: null })),
  );
  const alone = await request().post(`/branches/trash/${leaf.id}/restore`);
  expect([alone.status, alone.body.input_errors]).toEqual([
    400,
    { trunk_id: 'the given record does not exist' },
  ]);
  expect(await statusOf(request().post(`/branches/trash/${trunk.id}/restore`))).toBe(200);
  expect(await marks(subject, Branch)).toEqual([false, false, false]);
  const many = await request()
    .delete('/branches/bulk')
    .send({ ids: [leaf.id, trunk.id] });
  expect([many.status, await marks(subject, Branch)]).toEqual([200, [true, true, true]]);
});

contract('DeleteMany puts all into the trash, or none', async (subject) => {
  const { request, save } = subject;
  const huts = [
    await save(Hut, { code: 'A' }),
    await save(Hut, { code: 'B' }),
    await save(Hut, { code: 'C' }),
  ];
  const ids = huts.map(({ id }) => id);
  const deleted = await request()
    .delete('/huts/bulk')
    .send({ ids: ids.slice(0, 2) });
  expect([deleted.status, await marks(subject, Hut)]).toEqual([200, [true, true, false]]);
  const again = await request().delete('/huts/bulk').send({ ids });
  expect([again.status, Object.keys(again.body.input_errors)]).toEqual([400, ['ids.0', 'ids.1']]);
  const [one, two] = [
    await save(Town, { code: 'A', name: 'Ayr' }),
    await save(Town, { code: 'B', name: 'Bonn' }),
  ];
  await save(Trip, { title: 'One', town: two.id });
  const refused = await request()
    .delete('/towns/bulk')
    .set(ann)
    .send({ ids: [one.id, two.id] });
  expect([refused.status, refused.body.error]).toEqual([
    409,
    'ids.1: Other records still refer to this record',
  ]);
  expect(await marks(subject, Town)).toEqual([false, false]);
  const where = [{ column: 'code', operator: '=', value: 'A' }];
  const met = await request().delete('/towns/bulk').set(ann).send({ where, maximum: 5 });
  expect([met.status, await marks(subject, Town)]).toEqual([200, [true, false]]);
});

contract('A tag from before a Delete fails after the Restore', async ({ request, save }) => {
  const { id } = await save(Hut, { code: 'A' });
  const { etag } = (await request().get(`/huts/${id}`)).headers;
  expect(await statusOf(request().delete(`/huts/${id}`).set('If-Match', '"9"'))).toBe(412);
  expect(await statusOf(request().delete(`/huts/${id}`).set('If-Match', String(etag)))).toBe(200);
  const trashed = await request().get(`/huts/trash/${id}`);
  expect(await statusOf(request().post(`/huts/trash/${id}/restore`).set('If-Match', String(etag)))).toBe(412);
  const tag = String(trashed.headers['etag']);
  const restored = await request().post(`/huts/trash/${id}/restore`).set('If-Match', tag);
  expect([restored.status, restored.headers['etag'] === etag]).toEqual([200, false]);
  expect(
    await statusOf(request().patch(`/huts/${id}`).set('If-Match', String(etag)).send({ name: 'x' })),
  ).toBe(412);
});

contract('A Delete is answered once more under its key, and 404 without', async (subject) => {
  const { request, save } = subject;
  const { id } = await save(Hut, { code: 'A' });
  const operations = [{ method: 'DELETE', path: `/huts/${id}` }];
  const send = () => request().post('/batch').set(ann).set('Idempotency-Key', 'once').send({ operations });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
  expect(await statusOf(request().delete(`/huts/${id}`))).toBe(404);
  expect(await statusOf(request().delete('/keyed/huts/A'))).toBe(404);
});

contract('Records whose other parent is deleted stay in the trash', async (subject) => {
  const { request, save, em } = subject;
  const town = await save(Town, { code: 'A', name: 'Ayr' });
  const author = await save(Author, { name: 'Eve' });
  const note = await save(Note, { text: 'One', town: town.id, author: author.id });
  expect(await statusOf(request().delete(`/authors/${author.id}`))).toBe(409);
  expect(await statusOf(request().delete(`/towns/${town.id}`).set(ann))).toBe(200);
  expect(await statusOf(request().delete(`/authors/${author.id}`))).toBe(200);
  expect(await statusOf(request().post(`/towns/trash/${town.id}/restore`).set(ann))).toBe(200);
  const stored = await em().fork().findOneOrFail(Note, { id: note.id });
  expect(stored.deletedAt).not.toBeNull();
});

contract(
  'The database refuses a value of a live record by itself, and tables are as entities have them',
  async (subject) => {
    const { save, em } = subject;
    await save(Hut, { code: 'A', deletedAt: new Date() });
    await save(Hut, { code: 'A', deletedAt: new Date() });
    await save(Hut, { code: 'A' });
    await expect(save(Hut, { code: 'A' })).rejects.toBeInstanceOf(UniqueConstraintViolationException);
    const manager = em() as SqlEntityManager;
    const schema = new SqlSchemaGenerator(manager);
    expect(await schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
  },
);
