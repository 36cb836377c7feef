import { expect } from '@jest/globals';
import { endpointsProvider, type ProviderError } from '@nest-endpoints/react-admin';
import { once, service } from '../support/contract.js';
import { crateId, Crate, Note, notes, recorded, shop, stock } from './front-ends.world.js';

const { contract } = service(shop, once);

const page = (at = 1, perPage = 2) => ({ page: at, perPage });
const sort = (field = 'id', order: 'ASC' | 'DESC' = 'ASC') => ({ field, order });

/** The refusal of a call. */
const refusal = async (call: Promise<unknown>): Promise<ProviderError> => {
  const error: unknown = await call.then(
    () => undefined,
    (one: unknown) => one,
  );
  expect(error).toBeInstanceOf(Error);
  return error as ProviderError;
};

contract(
  'getList gives a page with its total, sorted and filtered, by the search that there is',
  async (subject) => {
    await stock(subject, 5);
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const all = await provider.getList('crates', {
      pagination: page(2),
      sort: sort('weight', 'DESC'),
      filter: {},
    });
    expect(all.total).toBe(5);
    expect(all.data.map(({ label }) => label)).toEqual(['crate 3', 'crate 2']);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/schema',
      'POST /api/crates/search',
    ]);
    const labels = async (filter: object): Promise<unknown[]> =>
      (await provider.getList('crates', { pagination: page(1, 10), sort: sort(), filter })).data.map(
        ({ label }) => label,
      );
    expect(await labels({ label: 'crate 2' })).toEqual(['crate 2']);
    expect(await labels({ weight: ['1', '4'] })).toEqual(['crate 1', 'crate 4']);
    expect(await labels({ 'weight@>=': 4, in_stock: 'true' })).toEqual(['crate 4', 'crate 5']);
    expect(await labels({ shelf: { floor: 1 } })).toEqual(['crate 2', 'crate 4']);
    expect(await labels({ shelf_code: null, q: 'CRATE', label: '', size: undefined })).toEqual([
      'crate 1',
      'crate 3',
      'crate 5',
    ]);
    expect(await labels({ 'label@ends with': '5' })).toEqual(['crate 5']);
  },
);

contract(
  'getOne gives the record by its id, with the keys of its parents as forms write them',
  async (subject) => {
    await stock(subject, 2);
    const provider = endpointsProvider(`${subject.url}/api`);
    const { data } = await provider.getOne('crates', { id: crateId(2) });
    expect(data).toMatchObject({ id: crateId(2), shelf: { code: 'A' }, shelf_code: 'A' });
    expect((await provider.getOne('crates', { id: crateId(1) })).data).toMatchObject({
      shelf: null,
      shelf_code: null,
    });
    expect((await provider.getOne('shelves', { id: 'A' })).data).toEqual({ id: 'A', code: 'A', floor: 1 });
    expect(await refusal(provider.getOne('crates', { id: '7' }))).toMatchObject({
      status: 404,
      message: 'Not Found',
      body: {},
    });
    expect((await refusal(provider.getOne('crats', { id: 1 }))).message).toMatch(
      /^The service has no records called 'crats'; it has: /,
    );
  },
);

contract('Ids go into addresses as what they are, and never lead elsewhere', async (subject) => {
  const provider = endpointsProvider(`${subject.url}/api`);
  for (const code of ['a/b', 'Post#12', '50%', 'ä?x=1'])
    expect((await provider.create('shelves', { data: { code, floor: 2 } })).data.id).toBe(code);
  for (const id of ['a/b', 'Post#12', '50%', 'ä?x=1']) {
    expect((await provider.getOne('shelves', { id })).data.code).toBe(id);
    const changed = await provider.update('shelves', { id, data: { floor: 3 }, previousData: { id } });
    expect(changed.data).toMatchObject({ id, floor: 3 });
    await provider.delete('shelves', { id, previousData: { id } });
  }
  for (const id of ['', '.', '..']) {
    const message = `/api/shelves/{code}: '${id}' cannot be the value of 'code' in an address`;
    expect(await refusal(provider.delete('shelves', { id, previousData: { id } }))).toMatchObject({
      status: 404,
      message,
    });
  }
  const inexact = refusal(provider.getOne('crates', { id: 2 ** 53 }));
  expect((await inexact).message).toBe(
    '9007199254740992 is beyond 2^53, where numbers are no longer exact: give the id as text',
  );
});

contract(
  'getMany gives 500 records in the order of their ids, a hundred a request, without those that are hidden',
  async (subject) => {
    await stock(subject, 501, [7]);
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const ids = Array.from({ length: 500 }, (_, index) => crateId(501 - index));
    const { data } = await provider.getMany('crates', { ids: [...ids, crateId(501)] });
    expect(data.map(({ id }) => id)).toEqual(ids.filter((id) => id !== crateId(7)));
    expect(sent.filter(({ path }) => path === '/api/crates/search')).toHaveLength(5);
    expect(sent).toHaveLength(6);
    expect((await provider.getMany('crates', { ids: [] })).data).toEqual([]);
  },
);

contract('getMany gives a record whose id the service writes in another way, once', async (subject) => {
  await stock(subject, 4);
  await notes(subject, 'a', 'b');
  const provider = endpointsProvider(`${subject.url}/api`);
  const ids = [`0${crateId(3)}`, crateId(1), `00${crateId(2)}`, `0${crateId(1)}`, crateId(5)];
  const { data } = await provider.getMany('crates', { ids });
  expect(data.map(({ id }) => id)).toEqual([crateId(3), crateId(1), crateId(2)]);
  const { data: read } = await provider.getMany('notes', { ids: ['02', '1', '2'] });
  expect(read.map(({ text }) => text)).toEqual(['b', 'a']);
});

contract('getMany without a search by ids reads one by one, and leaves out what is gone', async (subject) => {
  await notes(subject, 'a', 'b');
  const provider = endpointsProvider(`${subject.url}/api`);
  const { data } = await provider.getMany('notes', { ids: [2, '9', '1'] });
  expect(data.map(({ text }) => text)).toEqual(['b', 'a']);
});

contract('getManyReference asks by the key of the parent, or below its url', async (subject) => {
  await stock(subject, 4);
  const provider = endpointsProvider(`${subject.url}/api`);
  const asked = { id: 'A', pagination: page(1, 1), sort: sort('label', 'DESC'), filter: {} };
  const searched = await provider.getManyReference('crates', { ...asked, target: 'shelf_code' });
  expect([searched.total, searched.data.map(({ label }) => label)]).toEqual([2, ['crate 4']]);
  const below = { ...asked, target: 'shelf_code' };
  const nested = await provider.getManyReference('shelves/{shelfCode}/crates', below);
  expect([nested.total, nested.data.map(({ label }) => label)]).toEqual([2, ['crate 4']]);
  const named = await provider.getList('shelves/A/crates', { pagination: page(), sort: sort(), filter: {} });
  expect(named.total).toBe(2);
  const made = await provider.create('shelves/A/crates', { data: { id: '5', label: 'new' } });
  expect((await provider.getOne('crates', { id: made.data.id })).data.shelf_code).toBe('A');
});

contract(
  'create sends what can be written, under a key where the service reads one, and shows messages by field',
  async (subject) => {
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const { data } = await provider.create('crates', {
      data: { id: '5', label: 'x', weight: '7', shelf: { floor: 3 } },
    });
    expect(data).toMatchObject({ id: '5', label: 'x', weight: 7 });
    expect(sent.at(-1)?.body).toEqual({ id: '5', label: 'x', weight: 7 });
    expect(sent.at(-1)?.headers.get('Idempotency-Key')).toMatch(/^"[0-9a-f]{32}"$/);
    const error = await refusal(provider.create('crates', { data: { id: '6', label: '', weight: 1001 } }));
    const messages = { label: "'label' is required.", weight: 'value should be at most 1000' };
    expect(error).toMatchObject({
      status: 400,
      message: "label: 'label' is required.; weight: value should be at most 1000",
      body: { errors: { root: { serverError: 'ra.message.invalid_form' }, ...messages } },
    });
    // A text that is no exact number stays one, so that the service says what is wrong.
    const padded = await refusal(provider.create('crates', { data: { id: '6', label: 'x', weight: '007' } }));
    expect(padded.body.errors).toMatchObject({ weight: 'value should be an integer' });
    const misspelt = await refusal(provider.create('crates', { data: { id: '6', label: 'x', wieght: 1 } }));
    expect(misspelt.body.errors).toMatchObject({
      wieght: 'Input column wieght is not an allowed input column.',
    });
  },
);

contract('update sends what has changed, in the version that the form has shown', async (subject) => {
  await stock(subject, 1);
  const id = crateId(1);
  const { fetch, sent } = recorded();
  const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
  const { data: shown } = await provider.getOne('crates', { id });
  const first = await provider.update('crates', { id, data: { ...shown, weight: 8 }, previousData: shown });
  expect(first.data).toMatchObject({ id, weight: 8, label: 'crate 1' });
  expect(sent.at(-1)?.body).toEqual({ weight: 8 });
  expect(sent.at(-1)?.headers.get('If-Match')).toMatch(/^"1-/);
  // Whatever was read since: the form shows what it showed.
  await provider.getOne('crates', { id });
  const late = await refusal(
    provider.update('crates', { id, data: { ...shown, label: 'y' }, previousData: shown }),
  );
  expect(late).toMatchObject({
    status: 412,
    message: 'Somebody else has changed this record in the meantime. Read it again before you change it.',
  });
  expect((await provider.getOne('crates', { id })).data).toMatchObject({ weight: 8, label: 'crate 1' });
  // The answer of a write is a version that was seen, too.
  await provider.update('crates', { id, data: { ...first.data, label: 'z' }, previousData: first.data });
  expect((await provider.getOne('crates', { id })).data.label).toBe('z');
  expect((await refusal(provider.delete('crates', { id, previousData: first.data }))).status).toBe(412);
  expect(await subject.count(Crate)).toBe(1);
});

contract(
  'A record that a list has shown is read before it is changed, and has to be as it was',
  async (subject) => {
    await stock(subject, 1);
    const id = crateId(1);
    const provider = endpointsProvider(`${subject.url}/api`);
    const list = { pagination: page(), sort: sort(), filter: {} };
    const [row] = (await provider.getList('crates', list)).data as { id: string }[];
    const changed = await provider.update('crates', { id, data: { label: 'y' }, previousData: row });
    expect(changed.data.label).toBe('y');
    const elsewhere = endpointsProvider(`${subject.url}/api`);
    const late = elsewhere.update('crates', { id, data: { label: 'w' }, previousData: row });
    expect((await refusal(late)).status).toBe(412);
    expect((await provider.getOne('crates', { id })).data.label).toBe('y');
  },
);

contract(
  'updateMany and deleteMany are one request, and all or nothing where a record is hidden',
  async (subject) => {
    await stock(subject, 4, [3]);
    const { fetch, sent } = recorded();
    const provider = endpointsProvider({ url: `${subject.url}/api`, fetch });
    const ids = [crateId(1), crateId(2)];
    expect((await provider.updateMany('crates', { ids, data: { weight: 9 } })).data).toEqual(ids);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/schema',
      'PATCH /api/crates/bulk',
    ]);
    const rows = await provider.getMany('crates', { ids });
    expect(rows.data.map(({ weight }) => weight)).toEqual([9, 9]);
    const hidden = [crateId(1), crateId(3), crateId(2)];
    const refused = await refusal(provider.deleteMany('crates', { ids: hidden }));
    expect(refused).toMatchObject({ status: 400, message: 'ids.1: the given record does not exist' });
    expect((await refusal(provider.updateMany('crates', { ids: hidden, data: { weight: 1 } }))).status).toBe(
      400,
    );
    expect(await subject.count(Crate)).toBe(4);
    const wrong = await refusal(provider.updateMany('crates', { ids, data: { weight: 1001 } }));
    expect(wrong.body.errors).toMatchObject({ weight: 'value should be at most 1000' });
    expect((await provider.deleteMany('crates', { ids })).data).toEqual(ids);
    expect(await subject.count(Crate)).toBe(2);
  },
);

contract(
  'Without endpoints for many, records are written one by one, and a refusal tells how many were',
  async (subject) => {
    await notes(subject, 'a', 'b', 'c');
    const provider = endpointsProvider(`${subject.url}/api`);
    await provider.updateMany('notes', { ids: [1, 2], data: { rank: 5 } });
    const { data } = await provider.getMany('notes', { ids: [1, 2, 3] });
    expect(data.map(({ rank }) => rank)).toEqual([5, 5, 0]);
    const refused = await refusal(provider.deleteMany('notes', { ids: [1, 9, 2] }));
    expect(refused).toMatchObject({ status: 404, message: 'Not Found (1 of 3 were deleted before)' });
    expect(await subject.count(Note)).toBe(2);
    const previousData = { id: 2, text: 'b' };
    expect((await provider.delete('notes', { id: 2, previousData })).data).toEqual(previousData);
  },
);

contract('meta of a call says which columns are shown, where clients select them', async (subject) => {
  await notes(subject, 'a');
  const provider = endpointsProvider(`${subject.url}/api`);
  const shown = { id: 1, text: 'a' };
  const asked = { pagination: page(), sort: sort(), filter: {} };
  const list = async (meta?: object) => (await provider.getList('chosen-notes', { ...asked, meta })).data;
  expect(await list()).toEqual([shown]);
  expect(await list({ include: ['rank'] })).toEqual([{ ...shown, rank: 0 }]);
  expect(await list({ fields: ['id', 'rank'] })).toEqual([{ id: 1, rank: 0 }]);
  const one = await provider.getOne('chosen-notes', { id: 1, meta: { include: ['rank'] } });
  expect(one.data).toEqual({ ...shown, rank: 0 });
  const made = await provider.create('chosen-notes', { data: { text: 'b' }, meta: { include: ['rank'] } });
  expect(made.data).toEqual({ id: 2, text: 'b', rank: 0 });
});

contract('A call that is given up is aborted', async (subject) => {
  const provider = endpointsProvider(`${subject.url}/api`);
  const asked = { pagination: page(), sort: sort(), filter: {}, signal: AbortSignal.abort() };
  expect(provider.supportAbortSignal).toBe(true);
  await expect(provider.getList('crates', asked)).rejects.toMatchObject({ name: 'AbortError' });
});
