import { describe, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi, Upsert } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { everyDatabase, once, service, type Subject } from '../support/contract.js';
import { Statements, verbOf } from '../support/statements.js';
import { as } from './tenants.js';
import { House, ofTenants, Room, rooms } from './tenants.rooms.js';

const shown = { ...rooms, readableColumnNames: ['id', 'name', 'house.name'] } as const;

const Desk = defineEntity({
  name: 'Desk',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string(),
    code: p.string().length(20).unique(),
    house: () => p.manyToOne(House).nullable(),
  },
});

/** Takes house 1 away from its tenant, once the questions about it are answered. */
const sellsHouse = {
  beforeSave: async ({ em }: { readonly em: { execute(sql: string): Promise<unknown> } }) => {
    await em.execute(`update house set tenant = 'b' where id = 1`);
  },
};

const { contract } = service(
  {
    entities: [House, Room],
    endpoints: [
      ofTenants([
        new RestfulApi({ ...shown, url: 'rooms' }),
        new RestfulApi({ ...shown, url: 'hooked', bulk: true, ...(sellsHouse as object) }),
      ]),
    ],
  },
  everyDatabase,
);

const build = async ({ em }: Subject): Promise<void> => {
  const all = em();
  all.create(House, { id: 1, tenant: 'a', name: 'near' });
  all.create(House, { id: 101, tenant: 'b', name: 'far' });
  all.create(Room, { id: 1, tenant: 'a', name: 'kitchen' });
  all.create(Room, { id: 101, tenant: 'b', name: 'cellar', house: 101 });
  await all.flush();
};

const gone = inputErrors({ house_id: 'the given record does not exist' });

contract(
  'A parent that leaves the tenant after the questions is refused when it is written',
  async (subject) => {
    await build(subject);
    const request = subject.request();
    for (const asked of [
      request.post('/hooked').send({ id: 7, name: 'new', house_id: 1 }),
      request.patch('/hooked/1').send({ house_id: 1 }),
    ])
      expectAnswer(await asked.set(as('a')), 400, gone);
    expect(await subject.em().find(Room, { house: 1 })).toEqual([]);
    // What the function did is undone with it.
    expect(await subject.em().findOne(House, 1)).toMatchObject({ tenant: 'a' });
  },
);

contract(
  'Parents of many that leave the tenant after the questions are refused when they are written',
  async (subject) => {
    await build(subject);
    const request = subject.request();
    for (const asked of [
      request.post('/hooked/bulk').send({ records: [{ id: 7, name: 'new', house_id: 1 }] }),
      request.patch('/hooked/bulk').send({ records: [{ id: 1, house_id: 1 }] }),
    ])
      expectAnswer(
        await asked.set(as('a')),
        400,
        inputErrors({ 'records.0.house_id': 'the given record does not exist' }),
      );
    expect(await subject.em().find(Room, { house: 1 })).toEqual([]);
    expect(await subject.em().findOne(House, 1)).toMatchObject({ tenant: 'a' });
  },
);

const sentBy = async (
  subject: Subject,
  ask: (request: ReturnType<Subject['request']>) => PromiseLike<unknown>,
) => {
  return (await Statements.of(subject)).during(() => ask(subject.request()));
};

/** Listens, and has each endpoint ask the catalogue about the table, as the first write does. */
const warm = async (subject: Subject): Promise<void> => {
  await sentBy(subject, async (request) => {
    await request.post('/rooms').set(as('a')).send({ id: 2, name: 'first', house_id: 1 });
    await request.patch('/rooms/2').set(as('a')).send({ name: 'second' });
    await request.delete('/rooms/2').set(as('a'));
  });
};

describe('on the direct way', () => {
  const direct = service(
    {
      entities: [House, Room, Desk],
      endpoints: [
        ofTenants([
          new RestfulApi({ ...shown, url: 'rooms' }),
          new Upsert({
            modelClass: Desk,
            url: 'desks/:code',
            recordLookupColumnName: 'code',
            readableColumnNames: ['code', 'houseId'],
            writeableColumnNames: ['houseId'],
          }),
        ]),
      ],
    },
    once,
  ).contract;

  direct('Get, Create, Update and Delete of a tenant are one statement each', async (subject) => {
    await build(subject);
    await warm(subject);
    const sent = async (ask: Parameters<typeof sentBy>[1]) =>
      (await sentBy(subject, ask)).map(verbOf).join(' ');
    expect(await sent((request) => request.get('/rooms/1').set(as('a')))).toBe('select');
    const made = { id: 3, name: 'hall', house_id: 1 };
    expect(await sent((request) => request.post('/rooms').set(as('a')).send(made))).toBe('select');
    expect(await sent((request) => request.patch('/rooms/3').set(as('a')).send({ name: 'lobby' }))).toBe(
      'select',
    );
    expect(await sent((request) => request.delete('/rooms/3').set(as('a')))).toBe('delete');
    expect(await subject.em().count(Room)).toBe(2);
  });

  direct('An Upsert whose parent is of another tenant is no record that stays as it is', async (subject) => {
    await build(subject);
    const put = (house_id: number) => subject.request().put('/desks/x').set(as('a')).send({ house_id });
    expect([(await put(1)).status, (await put(1)).status]).toEqual([201, 200]);
    expectAnswer(await put(101), 400, gone);
    expect(await subject.em().findOne(Desk, { code: 'x' })).toMatchObject({ house: { id: 1 } });
  });

  direct('A statement itself refuses a parent that is of another tenant', async (subject) => {
    await build(subject);
    await warm(subject);
    await subject.em().nativeUpdate(House, { id: 1 }, { tenant: 'b' });
    for (const ask of [
      (request: ReturnType<Subject['request']>) =>
        request.post('/rooms').set(as('a')).send({ id: 3, name: 'x', house_id: 1 }),
      (request: ReturnType<Subject['request']>) =>
        request.patch('/rooms/1').set(as('a')).send({ house_id: 1 }),
    ]) {
      const [first = ''] = await sentBy(subject, async (request) => {
        expectAnswer(await ask(request), 400, gone);
      });
      // Nothing was asked before it, so that nothing can change in between.
      expect(first).toMatch(/(?:insert into|update) "room".*exists \(select 1 from "house".*"tenant" = \$\d/);
    }
    expect(await subject.em().find(Room, { house: 1 })).toEqual([]);
  });

  direct(
    'Changing and deleting what another tenant has is one statement that finds nothing',
    async (subject) => {
      await build(subject);
      await warm(subject);
      const statements = await sentBy(subject, async (request) => {
        expectAnswer(await request.delete('/rooms/101').set(as('a')), 404, notFound);
      });
      expect(statements).toEqual([expect.stringMatching(/^delete from "room".*"tenant" = \$/)]);
      expectAnswer(
        await subject.request().patch('/rooms/101').set(as('a')).send({ name: 'x' }),
        404,
        notFound,
      );
      expect(await subject.em().findOne(Room, 101)).toMatchObject({ name: 'cellar' });
    },
  );
});
