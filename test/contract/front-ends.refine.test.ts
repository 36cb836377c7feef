import { expect } from '@jest/globals';
import { endpointsProvider } from '@nest-endpoints/refine';
import type { CrudFilter, HttpError } from '@refinedev/core';
import { once, service } from '../support/contract.js';
import { crateId, Crate, Note, notes, recorded, shop, stock, Visit } from './front-ends.world.js';

const { contract } = service(shop, once);

/** The refusal of a call. */
const refusal = async (call: Promise<unknown>): Promise<HttpError> => {
  const error: unknown = await call.then(
    () => undefined,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(Error);
  return error as HttpError;
};

const labelsOf = ({ data }: { readonly data: readonly object[] }): unknown[] =>
  data.map((record) => Reflect.get(record, 'label'));

contract(
  'getList gives ten records with the total, sorted by up to two columns, in pages or all of them',
  async (subject) => {
    await stock(subject, 12);
    const { getList, getApiUrl } = endpointsProvider(`${subject.url}/api`);
    expect(getApiUrl()).toBe(`${subject.url}/api`);
    const usual = await getList({ resource: 'crates' });
    expect([usual.total, usual.data.length, usual.data[0]?.id]).toEqual([12, 10, crateId(1)]);
    const sorters = [
      { field: 'shelf.floor', order: 'asc' },
      { field: 'weight', order: 'desc' },
    ] as const;
    const pagination = { currentPage: 2, pageSize: 3 };
    const sorted = await getList({ resource: 'crates', sorters: [...sorters], pagination });
    expect(labelsOf(sorted)).toEqual(['crate 6', 'crate 4', 'crate 2']);
    const all = await getList({ resource: 'crates', filters: [], sorters: [], pagination: { mode: 'off' } });
    expect([all.total, all.data.length]).toEqual([12, 12]);
  },
);

contract('Every operator of refine finds what it means, in groups, too', async (subject) => {
  await stock(subject, 6);
  const { getList } = endpointsProvider(`${subject.url}/api`);
  const found = async (...filters: readonly CrudFilter[]): Promise<unknown[]> => {
    const page = await getList({ resource: 'crates', filters: [...filters], pagination: { pageSize: 20 } });
    return labelsOf(page).map((label) => Number(String(label).slice('crate '.length)));
  };
  const by = (field: string, operator: string, value: unknown): CrudFilter =>
    ({ field, operator, value }) as CrudFilter;
  const expected: readonly (readonly [CrudFilter, readonly number[]])[] = [
    [by('label', 'eq', 'crate 2'), [2]],
    [by('weight', 'eq', ['1', '3']), [1, 3]],
    [by('weight', 'ne', 2), [1, 3, 4, 5, 6]],
    [by('label', 'eqs', 'crate 2'), [2]],
    [by('label', 'nes', 'crate 2'), [1, 3, 4, 5, 6]],
    [by('weight', 'lt', 2), [1]],
    [by('weight', 'lte', 2), [1, 2]],
    [by('weight', 'gt', 5), [6]],
    [by('weight', 'gte', '5'), [5, 6]],
    [by('weight', 'in', [1, 2]), [1, 2]],
    [by('weight', 'nin', [1, 2]), [3, 4, 5, 6]],
    [by('label', 'contains', 'ATE 3'), [3]],
    [by('label', 'ncontains', 'ATE 3'), [1, 2, 4, 5, 6]],
    [by('label', 'containss', 'ate 3'), [3]],
    [by('label', 'containss', 'ATE'), []],
    [by('label', 'containss', '%'), []],
    [by('label', 'ncontainss', 'ATE 3'), [1, 2, 3, 4, 5, 6]],
    [by('weight', 'between', [2, 4]), [2, 3, 4]],
    [by('weight', 'nbetween', [2, 4]), [1, 5, 6]],
    [by('shelf_code', 'null', true), [1, 3, 5]],
    [by('shelf_code', 'null', false), [2, 4, 6]],
    [by('shelf_code', 'nnull', true), [2, 4, 6]],
    [by('label', 'startswith', 'CRATE 1'), [1]],
    [by('label', 'nstartswith', 'CRATE 1'), [2, 3, 4, 5, 6]],
    [by('label', 'startswiths', 'crate 1'), [1]],
    [by('label', 'nstartswiths', 'CRATE'), [1, 2, 3, 4, 5, 6]],
    [by('label', 'endswith', 'E 6'), [6]],
    [by('label', 'nendswith', 'E 6'), [1, 2, 3, 4, 5]],
    [by('label', 'endswiths', 'e 6'), [6]],
    [by('label', 'nendswiths', 'e 6'), [1, 2, 3, 4, 5]],
    [by('label', 'eq', undefined), [1, 2, 3, 4, 5, 6]],
  ];
  for (const [filter, numbers] of expected) expect([filter, await found(filter)]).toEqual([filter, numbers]);
  const groups: CrudFilter = {
    operator: 'or',
    value: [
      {
        operator: 'and',
        value: [
          { field: 'weight', operator: 'gt', value: 4 },
          { field: 'weight', operator: 'lt', value: 6 },
        ],
      },
      { field: 'label', operator: 'eq', value: 'crate 1' },
    ],
  };
  expect(await found(groups)).toEqual([1, 5]);
  const empty: CrudFilter[] = [by('label', 'eq', ''), { operator: 'and', value: [] }];
  expect(await found({ operator: 'or', value: empty })).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await found({ operator: 'or', value: [...empty, by('weight', 'eq', 2)] })).toEqual([2]);
  const refused = await refusal(found(by('label', 'ina', ['x'])));
  expect(refused.statusCode).toBe(400);
  expect(refused.message).toMatch(/operator must be one of/);
});

contract('A list without a count has as much of a total as is known, and a cursor', async (subject) => {
  await notes(subject, 'a', 'b', 'c');
  const { getList } = endpointsProvider(`${subject.url}/api`);
  const list = (currentPage: number) =>
    getList({ resource: 'loose-notes', pagination: { currentPage, pageSize: 2 } });
  expect(await list(1)).toMatchObject({ total: 3, cursor: { next: 2, prev: undefined } });
  expect(await list(2)).toMatchObject({ total: 3, cursor: { next: undefined, prev: 1 } });
  const narrow = {
    resource: 'notes',
    filters: [{ field: 'text', operator: 'contains', value: 'a' }] as CrudFilter[],
  };
  expect((await refusal(getList(narrow))).message).toBe(
    "notes: it cannot be searched by 'text' with 'contains'",
  );
});

contract(
  'getOne, getMany, create, update and deleteOne are about one record, and tell its version',
  async (subject) => {
    await stock(subject, 3);
    const id = crateId(2);
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const read = await provider.getOne({ resource: 'crates', id });
    expect(read.data).toMatchObject({ id, label: 'crate 2', shelf_code: 'A' });
    const many = await provider.getMany({ resource: 'crates', ids: [crateId(3), id] });
    expect(labelsOf(many)).toEqual(['crate 3', 'crate 2']);
    const variables = { id: '9', label: 'nine', size: 'large' };
    expect((await provider.create({ resource: 'crates', variables })).data).toMatchObject(variables);
    const changed = await provider.update({ resource: 'crates', id, variables: { weight: 8 } });
    expect(changed.data).toMatchObject({ id, weight: 8 });
    expect(sent.at(-1)?.headers.get('If-Match')).toBe(Reflect.get(read, 'version'));
    expect((await provider.deleteOne({ resource: 'crates', id })).data).toEqual({ id });
    expect((await refusal(provider.getOne({ resource: 'crates', id }))).statusCode).toBe(404);
  },
);

contract(
  'A form that names the version which it shows does not overwrite what others wrote',
  async (subject) => {
    await stock(subject, 1);
    const id = crateId(1);
    const provider = endpointsProvider(`${subject.url}/api`);
    const read = await provider.getOne({ resource: 'crates', id });
    await provider.update({ resource: 'crates', id, variables: { weight: 8 } });
    for (const meta of [{ version: Reflect.get(read, 'version') as string }, { previous: read.data }]) {
      const late = provider.update({ resource: 'crates', id, variables: { weight: 3 }, meta });
      expect(await refusal(late)).toMatchObject({
        statusCode: 412,
        message: /^Somebody else has changed this record/,
      });
      expect((await refusal(provider.deleteOne({ resource: 'crates', id, meta }))).statusCode).toBe(412);
    }
    expect((await provider.getOne({ resource: 'crates', id })).data).toMatchObject({ weight: 8 });
  },
);

contract(
  "A record that was changed with others, or by somebody else as a list has shown, is in no version of one's own",
  async (subject) => {
    await stock(subject, 4);
    const { getOne, getList, update, updateMany, deleteOne } = endpointsProvider(`${subject.url}/api`);
    // Somebody who has read nothing.
    const others = () => endpointsProvider(`${subject.url}/api`);
    const resource = 'crates';
    const [one, two, three, four] = [crateId(1), crateId(2), crateId(3), crateId(4)];
    for (const id of [one, two, three, four]) await getOne({ resource, id });
    await updateMany({ resource, ids: [one, two], variables: { weight: 9 } });
    await update({ resource, id: one, variables: { label: 'mine' } });
    await deleteOne({ resource, id: two });
    for (const id of [three, four]) await others().update({ resource, id, variables: { weight: 8 } });
    expect((await refusal(deleteOne({ resource, id: three }))).statusCode).toBe(412);
    await getList({ resource });
    await deleteOne({ resource, id: three });
    await update({ resource, id: four, variables: { label: 'mine' } });
    // What the list has shown is as old as anything else when somebody changes it once more.
    await others().update({ resource, id: four, variables: { weight: 7 } });
    await getList({ resource });
    await others().update({ resource, id: four, variables: { weight: 6 } });
    expect((await refusal(update({ resource, id: four, variables: { weight: 1 } }))).statusCode).toBe(412);
    expect(labelsOf(await getList({ resource }))).toEqual(['mine', 'mine']);
  },
);

contract('Messages stand beside their fields', async (subject) => {
  const provider = endpointsProvider(`${subject.url}/api`);
  const refused = refusal(
    provider.create({ resource: 'crates', variables: { id: '1', label: '', weight: 1001 } }),
  );
  const errors = { label: "'label' is required.", weight: 'value should be at most 1000' };
  expect(await refused).toMatchObject({ statusCode: 400, errors });
});

contract(
  'createMany, updateMany and deleteMany are one request, and all or nothing where a record is hidden',
  async (subject) => {
    await stock(subject, 2, [2]);
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const variables = [
      { id: '1', label: 'one' },
      { id: '2', label: 'two', weight: 1 },
    ];
    const made = await provider.createMany({ resource: 'crates', variables });
    expect(labelsOf(made)).toEqual(['one', 'two']);
    const changed = await provider.updateMany({
      resource: 'crates',
      ids: ['1', '2'],
      variables: { weight: 4 },
    });
    expect(changed.data).toMatchObject([
      { id: '1', weight: 4 },
      { id: '2', weight: 4 },
    ]);
    const hidden = await refusal(provider.deleteMany({ resource: 'crates', ids: ['1', crateId(2)] }));
    expect(hidden).toMatchObject({ statusCode: 400, errors: { 'ids.1': 'the given record does not exist' } });
    expect(await subject.count(Crate)).toBe(4);
    expect((await provider.deleteMany({ resource: 'crates', ids: ['1', '2'] })).data).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST', 'PATCH', 'DELETE', 'DELETE']);
    const notes = await provider.createMany({ resource: 'notes', variables: [{ text: 'a' }, { text: 'b' }] });
    expect(notes.data).toMatchObject([
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ]);
    expect(await subject.count(Note)).toBe(2);
  },
);

contract('custom asks any endpoint of the service, with the token, and no other service', async (subject) => {
  const { fetch, sent } = recorded();
  const url = `${subject.url}/api`;
  const { custom } = endpointsProvider({ url, fetch, token: () => Promise.resolve('abc') });
  expect((await custom({ url: `${url}/trouble`, method: 'get' })).data).toBe('fine');
  const made = await custom({
    url: '/notes',
    method: 'post',
    payload: { text: 'a' },
    headers: { 'X-Request-Id': 'r1' },
  });
  expect(made.data).toMatchObject({ id: 1, text: 'a' });
  const found = await custom({
    url: 'notes',
    method: 'get',
    query: { text: 'a', limit: 1, start: undefined },
  });
  expect(found.data).toMatchObject([{ text: 'a' }]);
  const filters: CrudFilter[] = [{ field: 'text', operator: 'eq', value: 'a' }];
  const sorters = [{ field: 'text', order: 'desc' as const }];
  expect(await custom({ url: '/notes', method: 'get', filters, sorters })).toMatchObject({
    data: [{ text: 'a' }],
    total: 1,
  });
  expect(sent.slice(0, 3).map(({ headers }) => headers.get('Authorization'))).toEqual([
    'Bearer abc',
    'Bearer abc',
    'Bearer abc',
  ]);
  expect(sent[1]?.headers.get('X-Request-Id')).toBe('r1');
  const at = new Date('2026-05-01T10:00:00Z');
  await subject.save(Visit, { id: 1, at });
  const visits = await custom({ url: 'listed-visits', method: 'get', query: { at } });
  expect(visits.data).toMatchObject([{ id: 1 }]);
  await expect(custom({ url: 'https://elsewhere.example/notes', method: 'get' })).rejects.toThrow(
    `https://elsewhere.example/notes is not below ${url}: its token is not sent elsewhere`,
  );
  expect(sent).toHaveLength(6);
});
