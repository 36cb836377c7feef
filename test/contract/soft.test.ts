import { expect } from '@jest/globals';
import { service } from '../support/contract.js';
import { Note, Remark, softly, Stamp, Town, Trip, by } from './soft.towns.js';

const { contract } = service(softly());

const ann = by('ann');

const statusOf = async (answer: PromiseLike<{ readonly status: number }>) => (await answer).status;

contract('A deleted record is in the trash, and nowhere else, until it is restored', async (subject) => {
  const { request, save, em } = subject;
  const { id } = await save(Town, { code: 'A', name: 'Ayr' });
  await save(Town, { code: 'B', name: 'Bonn' });
  expect(await statusOf(request().delete(`/towns/${id}`).set(ann))).toBe(200);
  expect(await statusOf(request().get(`/towns/${id}`).set(ann))).toBe(404);
  expect(await statusOf(request().patch(`/towns/${id}`).set(ann).send({ name: 'Xy' }))).toBe(404);
  expect(await statusOf(request().delete(`/towns/${id}`).set(ann))).toBe(404);
  const { body: live } = await request().get('/towns').set(ann);
  expect([live.pagination.number_results, live.data]).toMatchObject([1, [{ code: 'B' }]]);
  const { body: trash } = await request().get('/towns/trash').set(ann);
  expect([trash.pagination.number_results, trash.data]).toMatchObject([1, [{ code: 'A' }]]);
  expect(typeof trash.data[0].deleted_at).toBe('string');
  expect((await request().get(`/towns/trash/${id}`).set(ann)).body.data.code).toBe('A');
  const stored = await em().findOneOrFail(Town, { id }, { filters: false });
  expect([stored.deletedBy, stored.version]).toEqual(['ann', 2]);
  const restored = await request().post(`/towns/trash/${id}/restore`).set(ann);
  expect([restored.status, restored.body.data]).toEqual([200, { id, code: 'A', name: 'Ayr', size: 1 }]);
  expect(await statusOf(request().post(`/towns/trash/${id}/restore`).set(ann))).toBe(404);
  expect(await statusOf(request().get(`/towns/trash/${id}`).set(ann))).toBe(404);
  expect(await statusOf(request().get(`/towns/${id}`).set(ann))).toBe(200);
  const again = await em().findOneOrFail(Town, { id }, { refresh: true });
  expect([again.deletedAt, again.deletedBy, again.version]).toEqual([null, null, 3]);
});

contract('A Purge deletes for good, and deleted records alone', async ({ request, save, count }) => {
  const { id } = await save(Town, { code: 'A', name: 'Ayr' });
  expect(await statusOf(request().delete(`/towns/trash/${id}`).set(ann))).toBe(404);
  await request().delete(`/towns/${id}`).set(ann);
  expect(await statusOf(request().delete(`/towns/trash/${id}`).set(ann))).toBe(200);
  expect(await count(Town)).toBe(0);
});

contract('Live records that refuse keep a record, deleted ones do not', async ({ request, save }) => {
  const town = await save(Town, { code: 'A', name: 'Ayr' });
  const trip = await save(Trip, { title: 'One', town: town.id });
  const refused = await request().delete(`/towns/${town.id}`).set(ann);
  expect([refused.status, refused.body.error]).toEqual([409, 'Other records still refer to this record']);
  expect(await statusOf(request().delete(`/trips/${trip.id}`))).toBe(200);
  expect(await statusOf(request().delete(`/towns/${town.id}`).set(ann))).toBe(200);
  const orphan = await request().post(`/trips/trash/${trip.id}/restore`);
  expect([orphan.status, orphan.body.input_errors]).toEqual([
    400,
    { town_id: 'the given record does not exist' },
  ]);
});

contract('Records go along, and come back with those of the same instant alone', async (subject) => {
  const { request, save, em } = subject;
  const town = await save(Town, { code: 'A', name: 'Ayr' });
  const [early, late] = [
    await save(Note, { text: 'early', town: town.id }),
    await save(Note, { text: 'late', town: town.id }),
  ];
  const remark = await save(Remark, { text: 'deep', note: late.id });
  await save(Stamp, { text: 'kept', town: town.id });
  await request().delete(`/notes/${early.id}`);
  expect(await statusOf(request().delete(`/towns/${town.id}`).set(ann))).toBe(200);
  const gone = async () => {
    const notes = await em()
      .fork()
      .find(Note, {}, { orderBy: { id: 'asc' } });
    const remarks = await em().fork().find(Remark, {});
    return [...notes, ...remarks].map(({ deletedAt }) => deletedAt !== null);
  };
  expect(await gone()).toEqual([true, true, true]);
  const stored = await em().fork().findOneOrFail(Note, { id: late.id });
  expect([stored.deletedBy, stored.version]).toEqual(['ann', 2]);
  const { body } = await request().get('/stamps');
  expect(body.data).toMatchObject([{ text: 'kept', town_id: town.id, town: null }]);
  expect(await statusOf(request().post(`/towns/trash/${town.id}/restore`).set(ann))).toBe(200);
  expect(await gone()).toEqual([true, false, false]);
  expect(remark.id).toBeGreaterThan(0);
});
