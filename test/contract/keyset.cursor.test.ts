import { expect } from '@jest/globals';
import { EndpointGroup, EndpointsModule, List, SimpleSearch } from '@nest-endpoints/core';
import { RouterModule } from '@nestjs/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Part, Ware } from '../support/entities/stock.js';
import { stockWith, wares } from './advanced-search.wares.js';
import { cursorOf, listing, searching } from './keyset.walk.js';

const listed = {
  modelClass: Ware,
  readableColumnNames: ['id'],
  sortableColumnNames: ['id', 'label', 'size'],
  searchableColumnNames: ['label', 'size'],
  defaultSortColumnName: 'label',
  defaultLimit: 1,
  pagination: 'keyset',
} as const;

const feature = (name: string) => EndpointsModule.forFeature([new List({ ...listed, url: name })]);
const [north, south] = [feature('twin'), feature('twin')];

const { contract } = service({
  ...stockWith([
    new List({ ...listed, url: 'list' }),
    new List({ ...listed, url: 'other' }),
    new SimpleSearch({ ...listed, url: 'simple' }),
    wares({ url: 'advanced', defaultLimit: 1, pagination: 'keyset' }),
    new EndpointGroup({ url: 'group', endpoints: [new List({ ...listed, url: 'list' })] }),
    new List({ ...listed, url: 'shared' }),
    new List({
      url: 'shared',
      requestMethods: ['POST'],
      modelClass: Part,
      readableColumnNames: ['id'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      columnOverrides: {},
      pagination: 'keyset',
    }),
  ]),
  imports: [
    north,
    south,
    RouterModule.register([
      { path: 'north', module: north.module },
      { path: 'south', module: south.module },
    ]),
  ],
});

const secret = 'a-label-that-nobody-may-see';

const store = ({ em }: Subject) =>
  em().insertMany(
    Ware,
    [1, 2, 3].map((id) => ({ id, label: secret, size: id, weight: 1.5 })),
  );

const refusal = clientError(
  "'after' must be what next_page said of this list, for the same sort and direction",
);

const expectRefused = async ({ request }: Subject, path: string, after: string) =>
  expectAnswer(await request().get(path).query({ after }), 400, refusal);

contract('A cursor of which any bit was changed is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  const bytes = Buffer.from(after, 'base64url');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (bytes[index] ?? 0) ^ (1 << (index % 8));
    await expectRefused(subject, '/list', changed.toString('base64url'));
  }
  expect((await subject.request().get('/list').query({ after })).status).toBe(200);
});

contract('A cursor of which any character was changed is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const index of Array.from(after).keys()) {
    const changed = after[index] === 'A' ? 'B' : 'A';
    await expectRefused(subject, '/list', after.slice(0, index) + changed + after.slice(index + 1));
  }
});

contract('A cursor that was cut or lengthened is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const index of Array.from(after).keys()) await expectRefused(subject, '/list', after.slice(0, index));
  for (const changed of [
    after.slice(1),
    `${after}A`,
    `${after}AAAA`,
    `A${after}`,
    after + after,
    `${after}=`,
  ])
    await expectRefused(subject, '/list', changed);
  for (const changed of [`${after} `, ` ${after}`, `${after}\n`, `${after}\0`, `${after}%`])
    await expectRefused(subject, '/list', changed);
});

contract('What was never a cursor is refused', async (subject) => {
  for (const text of [
    '',
    'x',
    'null',
    '0',
    '[]',
    '["a",1]',
    'e30',
    '😀',
    '../..',
    "' or '1'='1",
    'A'.repeat(5000),
  ])
    await expectRefused(subject, '/list', text);
});

contract('A cursor that is no text is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const value of [null, 1, 0, true, false, [], [after], {}, { after }, [[after]]]) {
    expectAnswer(await subject.request().get('/list').send({ after: value }), 400, refusal);
    expectAnswer(await subject.request().post('/simple').send({ after: value }), 400, refusal);
    expectAnswer(await subject.request().post('/advanced').send({ after: value }), 400, refusal);
  }
});

contract('A cursor of another endpoint is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const path of ['/other', '/simple', '/group/list', '/north/twin'])
    await expectRefused(subject, path, after);
  const other = await cursorOf(listing(subject, '/group/list'));
  await expectRefused(subject, '/list', other);
});

contract('A cursor of an endpoint with the same url in another module is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/north/twin'));
  await expectRefused(subject, '/south/twin', after);
});

contract('A cursor of an endpoint with the same url and another method is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/shared?sort=id'));
  expectAnswer(await subject.request().post('/shared').send({ after }), 400, refusal);
});

contract('A cursor of another sort is refused', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const sort of ['id', 'size']) await expectRefused(subject, `/list?sort=${sort}`, after);
  const bySize = await cursorOf(listing(subject, '/list?sort=size'));
  await expectRefused(subject, '/list', bySize);
  await expectRefused(subject, '/list?sort=label', bySize);
});

contract('A cursor of the other direction is refused', async (subject) => {
  await store(subject);
  await expectRefused(subject, '/list?direction=desc', await cursorOf(listing(subject, '/list')));
  await expectRefused(subject, '/list', await cursorOf(listing(subject, '/list?direction=desc')));
});

contract('A cursor of the same sort, asked for in other words, is accepted', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/list'));
  for (const path of ['/list?sort=label', '/list?direction=ASC', '/list?sort=label&direction=Asc&limit=3'])
    expect((await subject.request().get(path).query({ after })).status).toBe(200);
});

contract('A cursor of other sorts of an AdvancedSearch is refused', async (subject) => {
  await store(subject);
  const [label, size] = ['label', 'size'].map((column) => ({ column, direction: 'asc' }));
  const weight = { column: 'weight', direction: 'desc' };
  const sorts = [[label], [size], [label, size], [size, label], [label, weight], [weight, label], []];
  for (const sort of sorts) {
    const after = await cursorOf(searching(subject, '/advanced', { sort }));
    for (const other of sorts.filter((one) => one !== sort))
      expectAnswer(await subject.request().post('/advanced').send({ sort: other, after }), 400, refusal);
    expect((await subject.request().post('/advanced').send({ sort, after })).status).toBe(200);
  }
});

contract('A cursor does not show the values it was made of', async (subject) => {
  await store(subject);
  const bodies = [
    await cursorOf(listing(subject, '/list')),
    await cursorOf(searching(subject, '/advanced', { sort: [{ column: 'label', direction: 'asc' }] })),
  ];
  for (const after of bodies) {
    expect(after).toMatch(/^[\w-]{20,}$/);
    for (const encoding of ['base64url', 'utf8', 'latin1'] as const) {
      const text = Buffer.from(after, encoding).toString('latin1');
      expect(text).not.toContain(secret);
      expect(text).not.toContain('label');
      expect(text).not.toContain('list');
    }
  }
});

contract('Two cursors of one place are not alike', async (subject) => {
  await store(subject);
  const cursors = new Set<string>();
  for (const _ of Array(20).keys()) cursors.add(await cursorOf(listing(subject, '/list')));
  expect(cursors.size).toBe(20);
});

contract('A cursor goes on under other search terms', async (subject) => {
  await store(subject);
  const after = await cursorOf(listing(subject, '/simple'));
  const { body } = await subject.request().get('/simple').query({ after, size: 3 });
  expect(body.data).toEqual([{ id: 3 }]);
});
