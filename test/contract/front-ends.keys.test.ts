import { expect } from '@jest/globals';
import { EndpointsClient } from '@nest-endpoints/client';
import { endpointsProvider } from '@nest-endpoints/react-admin';
import { endpointsProvider as refineProvider } from '@nest-endpoints/refine';
import { once, service, type Subject } from '../support/contract.js';
import { Bay, shop, Tag, Visit } from './front-ends.world.js';

const { contract } = service(shop, once);

/** Two bays, of which each has the id that is the number of the other. */
const bays = async ({ em }: Pick<Subject, 'em'>): Promise<void> => {
  const records = em();
  records.create(Bay, { id: 1, number: 2, name: 'A' });
  records.create(Bay, { id: 2, number: 1, name: 'B' });
  await records.flush();
};

contract(
  'A record is opened, changed and deleted by what the service calls it, also where it shows an id beside',
  async (subject) => {
    await bays(subject);
    const provider = endpointsProvider(`${subject.url}/api`);
    const sort = { field: 'id', order: 'DESC' } as const;
    const { data: listed } = await provider.getList('bays', { sort, filter: {} });
    expect(listed).toEqual([
      { id: 2, own_id: 1, number: 2, name: 'A' },
      { id: 1, own_id: 2, number: 1, name: 'B' },
    ]);
    const { data: opened } = await provider.getOne('bays', { id: 2 });
    expect(opened).toEqual(listed[0]);
    const data = { ...opened, name: 'C' };
    expect((await provider.update('bays', { id: 2, data, previousData: opened })).data).toEqual(data);
    expect((await provider.getMany('bays', { ids: [2] })).data).toEqual([data]);
    await provider.updateMany('bays', { ids: [2], data: { name: 'D' } });
    const refine = refineProvider(`${subject.url}/api`);
    expect((await refine.getMany({ resource: 'bays', ids: [2] })).data).toMatchObject([{ name: 'D' }]);
    await provider.delete('bays', { id: 2, previousData: { ...data, name: 'D' } });
    await refine.deleteOne({ resource: 'bays', id: 1 });
    const refused = provider.create('bays', { data: { own_id: 'x', number: 9, name: 'E' } });
    await expect(refused).rejects.toMatchObject({ body: { errors: { own_id: expect.any(String) } } });
    await provider.create('bays', { data: { own_id: 5, number: 6, name: 'F' } });
    const renumbered = { number: 7, id: 6 };
    await provider.update('bays', { id: 6, data: renumbered, previousData: { id: 6 } });
    await provider.delete('bays', { id: 7 });
    const made = await provider.create('bays', { data: { own_id: 8, number: 9, name: 'E' } });
    expect(made.data).toEqual({ id: 9, own_id: 8, number: 9, name: 'E' });
    expect(await subject.em().find(Bay, {})).toMatchObject([{ id: 8, number: 9 }]);
  },
);

contract('A condition and a sort by id are about what records are called by', async (subject) => {
  await bays(subject);
  const client = new EndpointsClient(`${subject.url}/api`);
  const records = await client.records('bays');
  const names = async (column: string): Promise<unknown> =>
    (await records.list({ conditions: [{ column, operator: '=', value: 1 }] })).records.map(
      ({ name }) => name,
    );
  expect([await names('id'), await names('own_id')]).toEqual([['B'], ['A']]);
  const { record } = await records.get(1, { fields: ['name', 'own_id'] });
  expect(record).toEqual({ id: 1, number: 1, own_id: 2, name: 'B' });
  const { resource } = records;
  expect([resource.key, resource.ownId, resource.columns.get('own_id')?.isCreatable]).toEqual([
    'number',
    'own_id',
    true,
  ]);
  expect(resource.columns.has('id')).toBe(false);
});

contract(
  'Where the service does not show what it calls records by, nothing is called id',
  async (subject) => {
    await bays(subject);
    const client = new EndpointsClient(`${subject.url}/api`);
    const [first] = (await (await client.records('nameless-bays')).list()).records;
    expect(first).toEqual({ own_id: 2, name: 'B' });
    const { getMany } = endpointsProvider(`${subject.url}/api`);
    const { data } = await getMany('nameless-bays', { ids: [2, 1, 9, 2] });
    expect(data).toEqual([
      { own_id: 1, name: 'A' },
      { own_id: 2, name: 'B' },
    ]);
  },
);

contract('A text is the number that it writes exactly, however it is written', async (subject) => {
  await subject.save(Tag, { code: '5.00', load: 1.5, count: 7 });
  const tags = await new EndpointsClient(`${subject.url}/api`).records('tags');
  const loads = [
    ['2.50', 2.5],
    ['+3', 3],
    ['25e-1', 2.5],
    ['1.20E+2', 120],
    ['-0.10', -0.1],
    ['0.0', 0],
    ['100', 100],
  ] as const;
  for (const [load, number] of loads) {
    expect((await tags.update('5.00', { load })).record).toMatchObject({ load: number });
    const conditions = [{ column: 'load', operator: '=', value: load }];
    expect((await tags.list({ conditions })).records).toHaveLength(1);
  }
  const refused = ['007', '0x10', '.5', '5.', ' 5', '1e999', '0.10000000000000001', '9007199254740993'];
  for (const load of refused)
    await expect(tags.update('5.00', { load })).rejects.toMatchObject({ status: 400 });
  expect((await tags.get('5.00')).record).toMatchObject({ load: 100 });
});

contract('What JSON has no number for stays the text that it is, and is refused', async (subject) => {
  await subject.save(Tag, { code: '5.00', load: 1.5, count: 7 });
  const tags = await new EndpointsClient(`${subject.url}/api`).records('tags');
  const refusals = [
    () => tags.update('5.00', { load: 'NaN' }),
    () => tags.update('5.00', { load: 'Infinity' }),
    () => tags.update('5.00', { count: '-Infinity' }),
    () => tags.updateMany(['5.00'], { load: 'NaN' }),
    () => tags.create({ code: '6', load: 'NaN' }),
    () => tags.list({ conditions: [{ column: 'load', operator: '<', value: 'Infinity' }] }),
  ];
  for (const refused of refusals) await expect(refused()).rejects.toMatchObject({ status: 400 });
  expect((await tags.get('5.00')).record).toMatchObject({ load: 1.5, count: 7 });
});

contract(
  'A filter whose value is a Date finds what is of that instant, and one that is empty is refused',
  async (subject) => {
    const at = new Date('2026-05-01T10:00:00Z');
    for (const [id, later] of [0, 60_000, 86_400_000].entries())
      await subject.save(Visit, { id, at: new Date(at.valueOf() + later) });
    const provider = endpointsProvider(`${subject.url}/api`);
    const pagination = { page: 1, perPage: 10 };
    const sort = { field: 'id', order: 'ASC' } as const;
    const ids = async (resource: string, filter: object): Promise<unknown[]> =>
      (await provider.getList(resource, { pagination, sort, filter })).data.map(({ id }) => Number(id));
    expect(await ids('visits', { at })).toEqual([0]);
    expect(await ids('visits', { 'at@>': at })).toEqual([1, 2]);
    expect(await ids('visits', { at: [at, new Date(at.valueOf() + 60_000)] })).toEqual([0, 1]);
    expect(await ids('listed-visits', { at })).toEqual([0]);
    for (const filter of [{ at: {} }, { at: { of: {} } }, { at: new Date(Number.NaN) }])
      await expect(ids('visits', filter)).rejects.toThrow(
        /^filter: 'at(\.of)?' has no members$|^Invalid time/,
      );
    const made = await provider.create('visits', { data: { id: 5, at } });
    expect(made.data).toMatchObject({ at: '2026-05-01T10:00:00+00:00' });
  },
);
