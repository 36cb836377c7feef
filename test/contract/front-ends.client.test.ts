import { expect, test } from '@jest/globals';
import { EndpointsClient, queryKey, queryKeyOf, type RecordCondition } from '@nest-endpoints/client';
import { endpointsProvider } from '@nest-endpoints/react-admin';
import { once, service } from '../support/contract.js';
import { refusal } from './front-ends.refusal.js';
import { clock, crateId, Note, notes, recorded, shop, stock, trouble } from './front-ends.world.js';

const { contract } = service(shop, once);

contract('The document tells resources with their columns, operators and values', async ({ url }) => {
  const client = new EndpointsClient(`${url}/api/`);
  const resources = await client.resources();
  const found = resources.find(({ name }) => name === 'crates');
  expect([found?.model, found?.path, found?.key]).toEqual(['Crate', '/api/crates', 'id']);
  expect(Object.keys(found?.calls ?? {}).sort()).toEqual([
    'create',
    'createMany',
    'delete',
    'deleteMany',
    'get',
    'list',
    'search',
    'update',
    'updateMany',
  ]);
  const column = (name: string) => found?.columns.get(name);
  expect(column('size')).toMatchObject({
    values: ['small', 'large'],
    isReadable: true,
    isCreatable: true,
    isSortable: false,
  });
  expect(column('label')).toMatchObject({ isRequired: true, isSortable: true, schema: { maxLength: 40 } });
  expect(column('label')?.operators).toEqual(expect.arrayContaining(['=', 'contains', 'is null', 'in']));
  expect(column('shelf.floor')).toMatchObject({
    isReadable: false,
    isCreatable: false,
    isUpdatable: false,
    isSortable: true,
  });
  expect(resources.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['shelves', 'title/crates', 'shelves/{shelfCode}/crates']),
  );
});

contract('Every casing and every form of answers is spoken alike', async (subject) => {
  const { url } = subject;
  await stock(subject, 3);
  const casings = {
    crates: [],
    'camel/crates': ['inStock', 'shelfCode'],
    'title/crates': ['InStock', 'ShelfCode'],
    'plain/crates': [],
  };
  for (const [resource, [inStock = 'in_stock', shelfCode = 'shelf_code']] of Object.entries(casings)) {
    const provider = endpointsProvider(`${url}/api`);
    const cased = (name: string) =>
      resource.startsWith('title') ? name.charAt(0).toUpperCase() + name.slice(1) : name;
    const pagination = { page: 2, perPage: 1 };
    const sort = { field: cased('weight'), order: 'DESC' } as const;
    const filter = { [inStock]: true, [`${cased('label')}@starts with`]: 'crate' };
    const list = await provider.getList(resource, { pagination, sort, filter });
    expect([resource, list.total, list.data]).toMatchObject([
      resource,
      3,
      [{ id: crateId(2), [shelfCode]: 'A' }],
    ]);
    const id = crateId(3);
    const { data: shown } = await provider.getOne(resource, { id });
    const data = { ...shown, [cased('weight')]: 77 };
    const changed = await provider.update(resource, { id, data, previousData: shown });
    expect(changed.data).toMatchObject({ id, [cased('weight')]: 77 });
    const refused: unknown = await provider
      .update(resource, { id, data, previousData: shown })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 412 });
    const label = provider.create(resource, { data: { [cased('id')]: '5', [cased('label')]: '' } });
    const errors = { [cased('label')]: `'${cased('label')}' is required.` };
    await expect(label).rejects.toMatchObject({ status: 400, body: { errors } });
    await provider.updateMany(resource, { ids: [id], data: { [cased('weight')]: 3 } });
    expect((await provider.getMany(resource, { ids: [id] })).data[0]).toMatchObject({ [cased('weight')]: 3 });
    await expect(provider.deleteMany(resource, { ids: [id, '1'] })).rejects.toMatchObject({ status: 400 });
  }
});

contract('Plain pages go on where their links say', async (subject) => {
  await stock(subject, 5);
  const crates = await new EndpointsClient(`${subject.url}/api`).records('plain/crates');
  const all = await crates.list({ limit: Infinity });
  expect([all.total, all.records.length, all.hasNext]).toEqual([5, 5, false]);
  const { resource } = crates;
  const { search: _search, ...calls } = resource.calls;
  expect(Object.keys(calls)).toContain('list');
  const some = await crates.list({ limit: 2, start: 2 });
  expect([some.total, some.records.map(({ label }) => label), some.hasNext]).toEqual([
    5,
    ['crate 3', 'crate 4'],
    true,
  ]);
});

contract(
  'A 429 and a 503 are sent again when Retry-After says, three times at most',
  async ({ url, count }) => {
    const waits: number[] = [];
    const wait = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      clock.time += milliseconds;
      return Promise.resolve();
    };
    const { fetch, sent } = recorded();
    const client = new EndpointsClient({ url: `${url}/api`, wait, fetch });
    const counted = await client.records('counted-notes');
    for (let asked = 0; asked < 4; asked += 1) await counted.list();
    expect(waits).toEqual([30_000, 30_000]);
    const impatient = await new EndpointsClient({ url: `${url}/api`, wait, maximumWait: 29_000 }).records(
      'counted-notes',
    );
    expect((await refusal(impatient.create({ text: 'x' }))).status).toBe(429);
    const trying = async (left: number, act: () => Promise<unknown>): Promise<number> => {
      trouble.left = left;
      const before = sent.length;
      await act();
      return sent.length - before;
    };
    expect(await trying(3, () => client.send({ method: 'GET', path: 'trouble', isRead: true }))).toBe(4);
    expect(
      await trying(4, () => refusal(client.send({ method: 'GET', path: '/trouble', isRead: true }))),
    ).toBe(4);
    const troubled = await client.records('troubled-notes');
    // A write that got a 503 may have been done: what creates is not sent twice without a key.
    expect(await trying(1, () => refusal(troubled.create({ text: 'x' })))).toBe(1);
    expect(await count(Note)).toBe(0);
    trouble.left = 0;
    const { record } = await troubled.create({ text: 'x' });
    expect(await trying(1, () => troubled.update(Number(record['id']), { text: 'y' }))).toBe(2);
  },
);

contract(
  'A document that cannot be read is asked for again; a proxy may put a path in front of the service',
  async ({ url }) => {
    let isDown = true;
    const behind: typeof fetch = (address, init) => {
      const asked = (address as string).replace(`${url}/proxied`, url);
      return isDown
        ? Promise.resolve(new Response('<h1>Bad Gateway</h1>', { status: 502 }))
        : fetch(asked, init);
    };
    const client = new EndpointsClient({ url: `${url}/proxied`, schema: 'api/schema', fetch: behind });
    expect((await refusal(client.records('api/notes'))).status).toBe(502);
    isDown = false;
    expect((await (await client.records('api/notes')).list()).records).toEqual([]);
    expect((await (await client.records('loose-notes')).list()).records).toEqual([]);
    const wrong = new EndpointsClient({ url: `${url}/api`, schema: 'trouble' });
    expect((await refusal(wrong.resources())).message).toBe(`${url}/api/trouble is no OpenAPI document`);
    expect((await refusal(client.records('crates'))).message).toMatch(
      /^The service has no records called 'crates'; it has: /,
    );
  },
);

contract('A page that something in between answers with is no success', async ({ url, em }) => {
  let type: string | undefined;
  const behind: typeof fetch = (address, init) =>
    type === undefined
      ? fetch(address, init)
      : Promise.resolve(new Response('<h1>Log in</h1>', { headers: { 'Content-Type': type } }));
  const client = new EndpointsClient({ url: `${url}/api`, fetch: behind });
  const records = await client.records('notes');
  const { record } = await records.create({ text: 'x' });
  const id = Number(record['id']);
  for (type of ['text/html; charset=utf-8', 'application/json', 'application/problem+json'])
    for (const call of [
      () => records.create({ text: 'y' }),
      () => records.update(id, { text: 'y' }),
      () => records.delete(id),
      () => records.list(),
    ]) {
      const { status, message, body } = await refusal(call());
      expect([status, body]).toEqual([200, '<h1>Log in</h1>']);
      expect(message).toMatch(/^The answer is not the service’s\./);
    }
  type = 'text/plain';
  expect((await client.send({ method: 'GET', path: 'notes' })).data).toBe('<h1>Log in</h1>');
  expect(await em().count(Note)).toBe(1);
});

contract('A part of a list that is refused says where in the list, and what was done', async (subject) => {
  const client = new EndpointsClient(`${subject.url}/api`);
  const notes = await client.records('tags');
  const list = Array.from({ length: 150 }, (_, index) => ({
    code: `${index}`,
    count: index === 119 ? 'x' : 1,
  }));
  const error = await refusal(notes.createMany(list));
  expect([...error.inputErrors.keys()]).toEqual(['records.119.count']);
  expect(error.message).toMatch(/^records\.119\.count: .* \(100 of 150 were created before\)$/);
});

contract('A path that leads past the service is asked nowhere', async ({ url }) => {
  const client = new EndpointsClient({ url: `${url}/api`, token: 'secret' });
  for (const path of ['../trouble', '%2e%2e/trouble', 'notes/../../trouble', 'a\\..\\..\\trouble'])
    await expect(client.send({ method: 'GET', path })).rejects.toThrow(TypeError);
  expect((await client.send({ method: 'GET', path: 'crates/../notes' })).data).toEqual([]);
});

contract(
  'What the service cannot be asked says so; columns are selected where clients may',
  async (subject) => {
    await notes(subject, 'a');
    const client = new EndpointsClient(`${subject.url}/api`);
    const records = await client.records('notes');
    const any: RecordCondition = { any: [{ column: 'text', operator: '=', value: 'a' }] };
    const asked = [
      [{ conditions: [any] }, 'notes: it has no conditions with groups'],
      [
        { conditions: [{ column: 'rank', operator: '=', value: 1 }] },
        "notes: it cannot be searched by 'rank' with '='",
      ],
      [{ sorts: [{ column: 'rank', direction: 'asc' }] }, "notes: it cannot be sorted by 'rank'"],
      [{ fields: ['text'] }, 'notes: clients do not select its columns'],
    ] as const;
    for (const [query, message] of asked) expect((await refusal(records.list(query))).message).toBe(message);
    const below = await client.records('shelves/{shelfCode}/crates');
    expect((await refusal(below.list())).message).toBe(
      "/api/shelves/{shelfCode}/crates: the value of 'shelfCode' is missing",
    );
  },
);

test('A query key is that of openapi-react-query', () => {
  const input = { params: { query: { limit: 1 } } };
  expect(queryKey('GET /cities', input)).toEqual(['get', '/cities', input]);
  expect(queryKeyOf()('get /cities' as never)).toEqual(['get', '/cities']);
});

test('An option of a client that cannot be right is refused at once', () => {
  expect(() => new EndpointsClient('/api')).toThrow("url: '/api' is no address");
  const url = 'https://atlas.example';
  expect(() => new EndpointsClient({ url, retries: -1 })).toThrow('retries: must be a whole number from 0');
  expect(() => new EndpointsClient({ url, maximumWait: Number.NaN })).toThrow(
    'maximumWait: must be a number from 0',
  );
});
