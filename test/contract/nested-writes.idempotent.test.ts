import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Create, IdempotencyRecord, RestfulApi, Upsert } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { bothPostgresql, service, type Subject } from '../support/contract.js';

const Guide = defineEntity({
  name: 'Guide',
  properties: { id: p.integer().primary().autoincrement(), name: p.string().unique() },
});

const Trip = defineEntity({
  name: 'Trip',
  properties: {
    id: p.integer().primary().autoincrement(),
    code: p.string().unique(),
    guide: () => p.manyToOne(Guide).nullable(),
    stops: () => p.oneToMany(Stop).mappedBy('trip'),
  },
});

const Stop = defineEntity({
  name: 'Stop',
  checks: [{ name: 'stop_size', expression: 'size < 100' }],
  properties: {
    id: p.integer().primary().autoincrement(),
    slug: p.string().nullable().unique(),
    size: p.integer().default(0),
    trip: () => p.manyToOne(Trip),
  },
});

const writeableRelations = {
  guide: { writeableColumnNames: ['name'], operations: ['create', 'update'], through: 'guides' },
  stops: { writeableColumnNames: ['slug', 'size'], through: 'stops' },
} as const;

const lists = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const trips = {
  modelClass: Trip,
  readableColumnNames: ['id', 'code'],
  writeableRelations,
  idempotency: true,
} as const;

const { contract } = service(
  {
    entities: [Guide, Trip, Stop, IdempotencyRecord],
    endpoints: [
      new RestfulApi({
        ...lists,
        url: 'guides',
        modelClass: Guide,
        readableColumnNames: ['id', 'name'],
        writeableColumnNames: ['name'],
      }),
      new RestfulApi({
        ...lists,
        url: 'stops',
        modelClass: Stop,
        readableColumnNames: ['id', 'slug'],
        writeableColumnNames: ['slug', 'size', 'tripId'],
      }),
      new Create({ ...trips, url: 'trips', writeableColumnNames: ['code'] }),
      new Upsert({
        ...trips,
        url: 'trips-by/:code',
        writeableColumnNames: ['code'],
        conflictColumnNames: ['code'],
      }),
    ],
  },
  bothPostgresql,
);

const seed = async ({ em }: Subject): Promise<void> => {
  const fork = em();
  const guide = fork.create(Guide, { name: 'Ann' });
  fork.create(Guide, { name: 'Bob' });
  const trip = fork.create(Trip, { code: 't1', guide });
  fork.create(Stop, { slug: 's1', size: 1, trip });
  await fork.flush();
};

/** Lists of stops that the database refuses, and the place of what is said against them. */
const refusedStops = [
  [[{ slug: 's1' }], '0.slug'],
  [[{ slug: 'x' }, { slug: 's1' }], '1.slug'],
] as const;

const refusedGuide = [{ guide: { create: { name: 'Ann' } } }, 'guide.create.name'] as const;

const requestsOf = ({ request }: Subject) => ({
  create: (body: object) =>
    request()
      .post('/trips')
      .send({ code: 'new', ...body }),
  upsert: (body: object) => request().put('/trips-by/new').send(body),
});

const bodies = {
  create: [refusedGuide, ...refusedStops.map(([stops, place]) => [{ stops }, `stops.${place}`] as const)],
  upsert: [
    refusedGuide,
    ...refusedStops.map(([create, place]) => [{ stops: { create } }, `stops.create.${place}`] as const),
  ],
} as const;

contract(
  'What the database refuses of a related record is told alike with a key and without one',
  async (subject) => {
    await seed(subject);
    const { count, log } = subject;
    const requests = requestsOf(subject);
    for (const kind of ['create', 'upsert'] as const)
      for (const [index, [body, place]] of bodies[kind].entries()) {
        const alone = await requests[kind](body);
        const kept = await requests[kind](body).set('Idempotency-Key', `${kind}-${index}`);
        expect([kind, kept.status, kept.body]).toEqual([kind, alone.status, alone.body]);
        expect([kept.status, Object.keys(kept.body.input_errors)]).toEqual([400, [place]]);
      }
    const sizes = [{ size: 5 }, { size: 500 }];
    const kept = await requests.create({ stops: sizes }).set('Idempotency-Key', 'sizes');
    expect(kept.body).toEqual((await requests.create({ stops: sizes })).body);
    expectAnswer(kept, 400, inputErrors({ 'stops.1.size': 'value is refused by a rule of the database' }));
    expect([await count(Trip), await count(Guide), await count(Stop)]).toEqual([1, 2, 1]);
    expect(log.text('error')).toBe('');
  },
);

contract(
  'A unique value of a record is told where its related records were written under a key',
  async (subject) => {
    await seed(subject);
    const answer = await subject
      .request()
      .post('/trips')
      .set('Idempotency-Key', 'taken')
      .send({ code: 't1', guide: { create: { name: 'Eve' } } });
    expectAnswer(
      answer,
      400,
      inputErrors({ code: "Invalid value for 'code': the given value already exists, and must be unique." }),
    );
    expect(await subject.count(Guide)).toBe(2);
  },
);

contract(
  'An Upsert under a key that finds its record tells what is wrong with a related one',
  async (subject) => {
    await seed(subject);
    const answer = await subject
      .request()
      .put('/trips-by/t1')
      .set('Idempotency-Key', 'changed')
      .send({ guide: { update: { name: 'Bob' } } });
    expect([answer.status, Object.keys(answer.body.input_errors)]).toEqual([400, ['guide.update.name']]);
  },
);
