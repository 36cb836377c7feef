import { expect } from '@jest/globals';
import { service, type Subject } from '../support/contract.js';
import { City, Country, logOf, toldBy, town } from './changes.town.js';

const { contract } = service(town());

const as = (claims: object, more: Record<string, string> = {}) => ({
  'X-Claims': JSON.stringify(claims),
  ...more,
});

const ann = as({ iss: 'here', sub: 'ann' });

const create = async ({ request }: Subject, body: object): Promise<number> => {
  const { status, body: answer } = await request().post('/cities').set(ann).send(body);
  expect([status, answer.input_errors]).toEqual([201, {}]);
  return Number(answer.data.id);
};

const forget = ({ em }: Subject) => em().getConnection().execute('delete from change_record');

contract(
  'A create, a change and a deletion are a row of the log each, with the values that changed',
  async (subject) => {
    const { request } = subject;
    const { id: country } = await subject.save(Country, { name: 'France' });
    const id = await create(subject, { code: 'ly', name: 'Lyon', population: 5, country_id: country });
    const whole = { code: 'ly', country, id, name: 'Lyon', population: 5, version: 1 };
    const [created] = await toldBy(subject);
    expect(created).toEqual({
      operation: 'created',
      recordId: String(id),
      before: null,
      after: { ...whole, updated: created?.after?.['updated'] },
      withheld: ['phone', 'secret'],
    });
    await forget(subject);
    const change = { population: 7, name: 'Lyon', phone: 'never told' };
    expect((await request().patch(`/cities/${id}`).set(ann).send(change)).status).toBe(200);
    // It has these values by now.
    expect((await request().patch(`/cities/${id}`).set(ann).send(change)).status).toBe(200);
    const changed = await toldBy(subject);
    expect(changed).toMatchObject([
      {
        operation: 'updated',
        recordId: String(id),
        before: { population: 5, version: 1 },
        after: { population: 7, version: 2 },
        withheld: ['phone'],
      },
    ]);
    expect(Object.keys(changed[0]?.after ?? {}).toSorted()).toEqual(['population', 'updated', 'version']);
    await forget(subject);
    expect((await request().delete(`/cities/${id}`).set(ann)).status).toBe(200);
    expect(await toldBy(subject)).toMatchObject([
      {
        operation: 'deleted',
        recordId: String(id),
        before: { ...whole, population: 7, version: 2 },
        after: null,
        withheld: ['phone', 'secret'],
      },
    ]);
    expect(JSON.stringify(await logOf(subject))).not.toContain('never told');
  },
);

contract('Writes of many records and upserts are a row of the log for each record', async (subject) => {
  const { request } = subject;
  const records = [{ name: 'A', code: 'a' }, { name: 'B' }, { name: 'C', population: 3 }];
  const made = await request().post('/cities/bulk').set(ann).send({ records });
  expect(made.status).toBe(201);
  const ids = (made.body.data as readonly { readonly id: number }[]).map(({ id }) => id);
  expect(
    (await toldBy(subject)).map(({ operation, recordId, after }) => [operation, recordId, after?.['name']]),
  ).toEqual([
    ['created', String(ids[0]), 'A'],
    ['created', String(ids[1]), 'B'],
    ['created', String(ids[2]), 'C'],
  ]);
  await forget(subject);
  const changes = [
    { id: ids[0], population: 1 },
    { id: ids[1], name: 'B' },
    { id: ids[2], population: 4, name: 'D' },
  ];
  const changed = await request().patch('/cities/bulk').set(ann).send({ records: changes });
  expect(changed.status).toBe(200);
  const told = await toldBy(subject);
  expect(told).toMatchObject([
    { recordId: String(ids[0]), before: { population: null }, after: { population: 1 } },
    { recordId: String(ids[2]), before: { population: 3, name: 'C' }, after: { population: 4, name: 'D' } },
  ]);
  expect(told).toHaveLength(2);
  await forget(subject);
  const gone = await request()
    .delete('/cities/bulk')
    .set(ann)
    .send({ ids: ids.slice(0, 2) });
  expect(gone.status).toBe(200);
  const byId = (await toldBy(subject)).toSorted(
    (one, other) => Number(one.recordId) - Number(other.recordId),
  );
  expect(byId).toMatchObject([
    { operation: 'deleted', recordId: String(ids[0]), before: { name: 'A', population: 1 }, after: null },
    { operation: 'deleted', recordId: String(ids[1]), before: { name: 'B' }, after: null },
  ]);
  await forget(subject);
  for (const body of [{ name: 'E' }, { name: 'F' }, { name: 'F' }])
    expect((await request().put('/coded/x').set(ann).send(body)).status).toBeLessThan(300);
  expect(await toldBy(subject)).toMatchObject([
    { operation: 'created', before: null, after: { name: 'E', population: null } },
    { operation: 'updated', before: { name: 'E' }, after: { name: 'F' } },
  ]);
  await forget(subject);
  const both = [
    { code: 'x', name: 'G' },
    { code: 'y', name: 'H' },
  ];
  const upserted = await request().post('/many').send({ records: both });
  expect(upserted.status).toBeLessThan(300);
  const byName = (await toldBy(subject)).toSorted((one) => (one.operation === 'created' ? 1 : -1));
  expect(byName).toMatchObject([
    { operation: 'updated', before: { name: 'F' }, after: { name: 'G' } },
    { operation: 'created', before: null, after: { name: 'H' } },
  ]);
});

contract('The log names who made a change, in which request, by which endpoint', async (subject) => {
  const id = await create(subject, { name: 'Lyon' });
  const headers = as({ sub: 'bea' }, { 'X-Request-Id': 'r-1', 'X-From': 'a\0'.slice(0, 1) });
  await subject.request().patch(`/cities/${id}`).set(headers).send({ name: 'Lille' });
  await subject
    .request()
    .patch(`/cities/${id}`)
    .set(as({ sub: ['bea'] }))
    .send({ name: 'Brest' });
  const em = subject.em();
  const city = await em.findOneOrFail(City, { id });
  city.name = 'Nice';
  await em.flush();
  expect(await logOf(subject)).toMatchObject([
    { actor: 'here|ann', endpoint: 'Create /cities', context: {} },
    { actor: '|bea', requestId: 'r-1', endpoint: 'Update /cities/:id', context: { from: 'a' } },
    { actor: '|["bea"]', endpoint: 'Update /cities/:id' },
    { actor: null, requestId: null, endpoint: null, context: null, after: { name: 'Nice' } },
  ]);
});
