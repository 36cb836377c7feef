import { expect } from '@jest/globals';
import { RequireClaims, TenantRecords } from '@nest-endpoints/auth';
import { Authorization, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { by, entities, Guide, nested, Photo, Stop, stored, Trip, trips } from './nested-writes.trips.js';

/** Shows stops whose position is below that of the sender, by a query that is no plain condition. */
class Below extends Authorization {
  override concerns(): boolean {
    return false;
  }

  override filterModel(query: never, claims: unknown): never {
    const { below = 1000 } = claims as { readonly below?: number };
    return (query as unknown as { andWhere(condition: object): never }).andWhere({
      $or: [{ position: { $lt: below } }, { title: 'everybody' }],
    });
  }
}

const { stops: ruled } = trips.writeableRelations;

/** The trips again, whose stops only some may create, and only some see. */
const guarded = new EndpointGroup({
  url: 'guarded',
  authentication: nested.endpoints[0]?.options.authentication ?? new Claims(),
  authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
  endpoints: [
    new RestfulApi({
      ...trips,
      url: 'trips',
      writeableRelations: { stops: { ...ruled, through: 'stops', writeableRelations: {} } },
    }),
    new RestfulApi({
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
      url: 'stops',
      modelClass: Stop,
      writeableColumnNames: ['title', 'position', 'place', 'code', 'tripId'],
      readableColumnNames: ['id'],
      authorization: new Below(),
      access: { create: new RequireClaims('maker') },
    }),
  ],
});

const { contract } = service({ entities, endpoints: [...nested.endpoints, guarded] }, bothPostgresql);

const missing = 'the given record does not exist';

/** A trip of each tenant with a stop that has a photo; stops of nobody. */
const world = async ({ save }: Subject) => {
  const made = async (tenant: string) => {
    const guide = await save(Guide, { name: `guide of ${tenant}`, tenant });
    const trip = await save(Trip, { title: `trip of ${tenant}`, tenant, guide });
    const stop = await save(Stop, { title: `stop of ${tenant}`, tenant, trip });
    const photo = await save(Photo, { name: `photo of ${tenant}`, tenant, stop });
    const free = await save(Stop, { title: `free of ${tenant}`, tenant });
    return { guide, trip, stop, photo, free };
  };
  return { a: await made('a'), b: await made('b') };
};

contract('A tenant reaches no related record of another one, whatever it sends', async (subject) => {
  const { em } = subject;
  const { a, b } = await world(subject);
  const before = await em().getConnection().execute('select * from stop order by id');
  const stopsOf = (body: object) => by(subject).patch(`/trips/${a.trip.id}`, { stops: body });
  const nowhere = 4_000_000;
  for (const id of [b.stop.id, b.free.id, nowhere]) {
    expectAnswer(
      await stopsOf({ update: [{ id, title: 'mine' }] }),
      400,
      inputErrors({ 'stops.update.0.id': missing }),
    );
    for (const word of ['delete', 'link', 'unlink'])
      expectAnswer(await stopsOf({ [word]: [id] }), 400, inputErrors({ [`stops.${word}.0`]: missing }));
    const replaced = await by(subject).patch(`/lists/${a.trip.id}`, { stops: [{ id, title: 'mine' }] });
    expectAnswer(replaced, 400, inputErrors({ 'stops.0.id': missing }));
  }
  const photo = { update: [{ id: a.stop.id, photos: { update: [{ id: b.photo.id, name: 'mine' }] } }] };
  expectAnswer(await stopsOf(photo), 400, inputErrors({ 'stops.update.0.photos.update.0.id': missing }));
  expectAnswer(
    await by(subject).patch(`/trips/${b.trip.id}`, { stops: { delete: [a.stop.id] } }),
    404,
    notFound,
  );
  expectAnswer(
    await stopsOf({ create: [{ title: 'x', tenant: 'b' }] }),
    400,
    inputErrors({ 'stops.create.0.tenant': 'Input column tenant is not an allowed input column.' }),
  );
  expect(await em().getConnection().execute('select * from stop order by id')).toEqual(before);
});

contract('A record of a hidden one cannot be taken away from it', async (subject) => {
  const { em } = subject;
  const { a, b } = await world(subject);
  // The stop is visible to tenant a, its trip is not.
  await em().nativeUpdate(Stop, { id: b.stop.id }, { tenant: 'a' });
  const link = { stops: { link: [b.stop.id] } };
  expectAnswer(
    await by(subject).patch(`/trips/${a.trip.id}`, link),
    400,
    inputErrors({ 'stops.link.0': missing }),
  );
  expect(await em().findOneOrFail(Stop, { id: b.stop.id })).toMatchObject({ trip: { id: b.trip.id } });
  // Nor is a hidden record changed through one that refers to it.
  await em().nativeUpdate(Trip, { id: a.trip.id }, { guide: b.guide });
  expectAnswer(
    await by(subject).patch(`/trips/${a.trip.id}`, { guide: { update: { name: 'mine' } } }),
    400,
    inputErrors({ 'guide.update': missing }),
  );
  expect(await em().findOneOrFail(Guide, { id: b.guide.id })).toMatchObject({ name: 'guide of b' });
});

contract('Replacing a list leaves what another tenant has at the same record', async (subject) => {
  const { em } = subject;
  const { a } = await world(subject);
  await em().nativeDelete(Photo, {});
  await em().insert(Stop, { title: 'hidden', tenant: 'b', trip: a.trip.id, version: 1, position: 0 });
  expect((await by(subject).patch(`/lists/${a.trip.id}`, { stops: [] })).status).toBe(200);
  const left = await stored(subject);
  expect(left.filter(([, , trip]) => trip === a.trip.id)).toEqual([['hidden', 0, a.trip.id]]);
});

contract('Who may not create, change or see related records there may not here', async (subject) => {
  const { em, request } = subject;
  const { a } = await world(subject);
  const send = (claims: object, body: object) =>
    request()
      .patch(`/guarded/trips/${a.trip.id}`)
      .set('X-Claims', JSON.stringify({ tenant: 'a', ...claims }))
      .send({ stops: body });
  const create = { create: [{ title: 'new' }] };
  expect((await send({}, create)).status).toBe(403);
  expect((await send({ maker: true }, create)).status).toBe(200);
  // A gate is asked before anybody is told what is wrong with a body.
  expect((await send({}, { create: [{ title: 7 }] })).status).toBe(403);
  await em().nativeUpdate(Stop, { id: a.stop.id }, { position: 50 });
  const update = { update: [{ id: a.stop.id, title: 'seen' }] };
  expectAnswer(await send({ below: 50 }, update), 400, inputErrors({ 'stops.update.0.id': missing }));
  expectAnswer(
    await send({ below: 50 }, { delete: [a.stop.id] }),
    400,
    inputErrors({ 'stops.delete.0': missing }),
  );
  expect((await send({ below: 51 }, update)).status).toBe(200);
});

contract('Nobody waits for related records of a record that is refused', async (subject) => {
  const { a } = await world(subject);
  const statements = await Statements.of(subject);
  const body = { stops: { update: [{ id: a.stop.id, title: 'x' }], delete: [a.free.id] } };
  const sent = await statements.during(() => by(subject).patch(`/trips/${a.trip.id}`, body, '"9"'));
  expect(sent.filter((text) => /"stop"|"photo"/.test(text))).toEqual([]);
  expect(sent.some((text) => text.includes('for update') && text.includes('"trip"'))).toBe(true);
});

contract('Each entity is located, inserted, changed and deleted with one statement each', async (subject) => {
  const { a } = await world(subject);
  const more = await Promise.all(
    [0, 1].map((index) => subject.save(Stop, { title: `s${index}`, tenant: 'a', trip: a.trip })),
  );
  const statements = await Statements.of(subject);
  const ids = more.map(({ id }) => id);
  const body = {
    stops: {
      create: [{ title: 'n1' }, { title: 'n2' }],
      update: [{ id: a.stop.id, title: 'u' }],
      delete: ids,
      link: [a.free.id],
    },
  };
  const sent = await statements.during(() => by(subject).patch(`/trips/${a.trip.id}`, body));
  const about = (pattern: RegExp) => sent.filter((text) => pattern.test(text)).length;
  expect({
    inserts: about(/^insert into "stop"/),
    // One deletes by the mark.
    updates: about(/^update "stop"/),
    // One for all of them in the order of their keys.
    locks: about(/from "stop".*for update/s),
  }).toEqual({ inserts: 1, updates: 2, locks: 3 });
});
