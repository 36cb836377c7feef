import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi, softDelete } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';

const columns = {
  id: p.integer().primary().autoincrement(false),
  deletedAt: p.datetime(3).nullable(),
} as const;

const Pot = defineEntity({ name: 'Pot', properties: columns });

const Vine = defineEntity({
  name: 'Vine',
  properties: {
    ...columns,
    version: p.integer().version(),
    pot: () => p.manyToOne(Pot).nullable().deleteRule('restrict'),
    stem: () => p.manyToOne(Vine).nullable(),
    shoots: () => p.oneToMany(Vine).mappedBy('stem'),
  },
});

/** Is led by one of its own members. */
const Club = defineEntity({
  name: 'Club',
  properties: {
    ...columns,
    chair: () => p.manyToOne(Member).nullable().deleteRule('restrict'),
    members: () => p.oneToMany(Member).mappedBy('club'),
  },
});

const Member = defineEntity({
  name: 'Member',
  properties: {
    ...columns,
    club: () => p.manyToOne(Club),
    pot: () => p.manyToOne(Pot).nullable().deleteRule('restrict'),
    friend: () => p.manyToOne(Member).nullable().deleteRule('restrict'),
  },
});

const mark = { columnName: 'deletedAt' } as const;

softDelete(Pot, mark);
softDelete(Vine, { ...mark, children: { shoots: 'cascade' } });
softDelete(Club, { ...mark, children: { members: 'cascade' } });
softDelete(Member, mark);

const api = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  trash: true,
  bulk: true,
} as const;

const { contract } = service(
  {
    entities: [Pot, Vine, Club, Member],
    endpoints: [
      new RestfulApi({
        ...api,
        url: 'pots',
        modelClass: Pot,
        readableColumnNames: ['id'],
        writeableColumnNames: ['id'],
      }),
      new RestfulApi({
        ...api,
        url: 'vines',
        modelClass: Vine,
        readableColumnNames: ['id', 'stemId', 'potId'],
        writeableColumnNames: ['id', 'stemId', 'potId'],
      }),
      new RestfulApi({
        ...api,
        url: 'clubs',
        modelClass: Club,
        readableColumnNames: ['id', 'chairId'],
        writeableColumnNames: ['id', 'chairId'],
      }),
      new RestfulApi({
        ...api,
        url: 'members',
        modelClass: Member,
        readableColumnNames: ['id', 'clubId'],
        writeableColumnNames: ['id', 'clubId'],
      }),
    ],
  },
  everyDatabase,
);

const missing = 'the given record does not exist';

const statusOf = async (answer: PromiseLike<{ readonly status: number }>) => (await answer).status;

const liveIn = async ({ request }: Subject, path: string): Promise<readonly number[]> => {
  const { body } = await request().get(path);
  return body.data.map(({ id }: { readonly id: number }) => id);
};

/** Three vines, each of which grows from the one before, and the first from the last. */
const circle = async ({ request }: Subject) => {
  for (const [id, stem_id] of [
    [1, null],
    [2, 1],
    [3, 2],
  ])
    expect(await statusOf(request().post('/vines').send({ id, stem_id }))).toBe(201);
  expect(await statusOf(request().patch('/vines/1').send({ stem_id: 3 }))).toBe(200);
};

contract('Records that refer to each other in a circle go along, and come back together', async (subject) => {
  const { request, em } = subject;
  const versions = async () => {
    const vines = await em()
      .fork()
      .find(Vine, {}, { orderBy: { id: 'asc' } });
    return vines.map(({ version }) => version);
  };
  await circle(subject);
  expect(await versions()).toEqual([2, 1, 1]);
  for (const [deleted, restored] of [
    [1, 1],
    [2, 3],
  ]) {
    expect(await statusOf(request().delete(`/vines/${deleted}`))).toBe(200);
    expect(await liveIn(subject, '/vines')).toEqual([]);
    expect(await statusOf(request().post(`/vines/trash/${restored}/restore`))).toBe(200);
    expect(await liveIn(subject, '/vines')).toEqual([1, 2, 3]);
  }
  expect(await versions()).toEqual([6, 5, 5]);
  const many = await request()
    .delete('/vines/bulk')
    .send({ ids: [1, 3] });
  expect([many.status, await liveIn(subject, '/vines')]).toEqual([200, []]);
});

contract('A record that refers to itself comes back', async (subject) => {
  const { request } = subject;
  await request().post('/vines').send({ id: 1 });
  expect(await statusOf(request().patch('/vines/1').send({ stem_id: 1 }))).toBe(200);
  expect(await statusOf(request().delete('/vines/1'))).toBe(200);
  expect(await statusOf(request().post('/vines/trash/1/restore'))).toBe(200);
  expect(await liveIn(subject, '/vines')).toEqual([1]);
});

contract(
  'A circle stays in the trash as a whole while another parent of one of them does',
  async (subject) => {
    const { request } = subject;
    await circle(subject);
    await request().post('/pots').send({ id: 1 });
    await request().patch('/vines/3').send({ pot_id: 1 });
    await request().delete('/vines/1');
    expect(await statusOf(request().delete('/pots/1'))).toBe(200);
    for (const [id, input_errors] of [
      [1, { stem_id: missing }],
      [3, { pot_id: missing }],
    ] as const) {
      const { status, body } = await request().post(`/vines/trash/${id}/restore`);
      expect([status, body.input_errors]).toEqual([400, input_errors]);
    }
    expect(await liveIn(subject, '/vines')).toEqual([]);
    expect(await statusOf(request().post('/pots/trash/1/restore'))).toBe(200);
    expect(await statusOf(request().post('/vines/trash/2/restore'))).toBe(200);
    expect(await liveIn(subject, '/vines')).toEqual([1, 2, 3]);
  },
);

contract('A record stays in the trash while one that it refers to does', async (subject) => {
  const { request, save } = subject;
  await save(Pot, { id: 1 });
  await save(Club, { id: 1 });
  await save(Member, { id: 2, club: 1, pot: 1 });
  await save(Member, { id: 1, club: 1, friend: 2 });
  await save(Member, { id: 3, club: 1 });
  for (const path of ['/clubs/1', '/pots/1']) expect(await statusOf(request().delete(path))).toBe(200);
  expect(await statusOf(request().post('/clubs/trash/1/restore'))).toBe(200);
  expect(await liveIn(subject, '/members')).toEqual([3]);
  for (const path of ['/pots/trash/1', '/members/trash/2', '/members/trash/1'])
    expect(await statusOf(request().post(`${path}/restore`))).toBe(200);
  expect(await liveIn(subject, '/members')).toEqual([1, 2, 3]);
});

contract('A record that goes along does not keep the one that it refuses to lose', async (subject) => {
  const { request } = subject;
  await request().post('/clubs').send({ id: 1 });
  for (const id of [1, 2]) await request().post('/members').send({ id, club_id: 1 });
  expect(await statusOf(request().patch('/clubs/1').send({ chair_id: 2 }))).toBe(200);
  expect(await statusOf(request().delete('/members/2'))).toBe(409);
  expect(await statusOf(request().delete('/clubs/1'))).toBe(200);
  expect(await liveIn(subject, '/members')).toEqual([]);
  expect(await statusOf(request().post('/clubs/trash/1/restore'))).toBe(200);
  expect(await liveIn(subject, '/members')).toEqual([1, 2]);
});

contract('A record that would go along is not taken for one that was sent', async ({ request, save }) => {
  for (const id of [1, 2]) await request().post('/clubs').send({ id });
  await save(Member, { id: 1, club: 1 });
  await save(Member, { id: 2, club: 2, friend: 1 });
  const { status, body } = await request()
    .delete('/clubs/bulk')
    .send({ ids: [1] });
  expect([status, body.error]).toEqual([409, 'Other records still refer to this record']);
});
