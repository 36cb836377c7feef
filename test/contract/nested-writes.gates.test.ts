import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RequireClaims } from '@nest-endpoints/auth';
import { EndpointGroup, RestfulApi, Update } from '@nest-endpoints/core';
import { once, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Tour = defineEntity({
  name: 'Tour',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    badge: () => p.oneToOne(Badge).mappedBy('tour').nullable(),
    halts: () => p.oneToMany(Halt).mappedBy('tour'),
    labels: () => p.manyToMany(Label).owner(),
  },
});

const Badge = defineEntity({
  name: 'Badge',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    tour: () => p.oneToOne(Tour).owner().nullable(),
  },
});

const Halt = defineEntity({
  name: 'Halt',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    tour: () => p.manyToOne(Tour).nullable(),
  },
});

const Label = defineEntity({
  name: 'Label',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string(),
    tours: () => p.manyToMany(Tour).mappedBy('labels'),
  },
});

const shown = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  readableColumnNames: ['id'],
} as const;
const written = { ...shown, writeableColumnNames: ['title'] } as const;

/** Each operation wants a claim of its own. */
const gates = {
  create: new RequireClaims('create'),
  update: new RequireClaims('update'),
  delete: new RequireClaims('delete'),
};
const gated = { ...written, access: gates } as const;

const tours = { ...written, modelClass: Tour } as const;
const all = ['create', 'update', 'delete', 'link', 'unlink'] as const;

const { contract } = service(
  {
    entities: [Tour, Badge, Halt, Label],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        endpoints: [
          new RestfulApi({ ...gated, url: 'halts', modelClass: Halt }),
          new RestfulApi({ ...gated, url: 'badges', modelClass: Badge }),
          new RestfulApi({ ...gated, url: 'labels', modelClass: Label }),
          new Update({
            ...tours,
            url: 'tours/:id',
            writeableRelations: {
              halts: { through: 'halts', operations: all },
              labels: { through: 'labels', operations: all },
              badge: { through: 'badges', operations: ['create', 'update', 'delete'] },
            },
          }),
          new Update({
            ...tours,
            url: 'lists/:id',
            writeableRelations: {
              halts: { through: 'halts', replace: true },
              labels: { through: 'labels', replace: true },
            },
          }),
          new Update({
            ...tours,
            url: 'kept/:id',
            writeableRelations: {
              halts: { through: 'halts', replace: true, operations: ['create', 'unlink'] },
              labels: { through: 'labels', replace: true, operations: ['link', 'unlink'] },
            },
          }),
          new Update({
            ...tours,
            url: 'linked/:id',
            writeableRelations: {
              labels: { through: 'labels', replace: true, operations: ['link', 'delete'] },
            },
          }),
        ],
      }),
    ],
  },
  once,
);

/** A tour with one of each, and a label that it has not. */
const world = async ({ save, em }: Subject) => {
  const tour = await save(Tour, { title: 'tour' });
  const halt = await save(Halt, { title: 'halt', tour });
  const badge = await save(Badge, { title: 'badge', tour });
  const label = await save(Label, { title: 'label' });
  const free = await save(Label, { title: 'free' });
  const manager = em();
  const loaded = await manager.findOneOrFail(Tour, { id: tour.id }, { populate: ['labels'] });
  loaded.labels.add(manager.getReference(Label, label.id));
  await manager.flush();
  return { tour, halt, badge, label, free };
};

type World = Awaited<ReturnType<typeof world>>;

interface Way {
  readonly what: string;
  readonly url: 'tours' | 'lists' | 'kept' | 'linked';
  readonly body: (world: World) => object;
  readonly claims: readonly string[];
}

const ways: readonly Way[] = [
  ...(['halts', 'labels'] as const).flatMap((name): Way[] => {
    const idOf = ({ halt, label }: World) => (name === 'halts' ? halt.id : label.id);
    const each: Way[] = [
      { what: 'create', url: 'tours', body: () => ({ create: [{ title: 'x' }] }), claims: ['create'] },
      {
        what: 'update',
        url: 'tours',
        body: (of) => ({ update: [{ id: idOf(of), title: 'x' }] }),
        claims: ['update'],
      },
      { what: 'delete', url: 'tours', body: (of) => ({ delete: [idOf(of)] }), claims: ['delete'] },
      { what: 'link', url: 'tours', body: (of) => ({ link: [idOf(of)] }), claims: ['update'] },
      { what: 'unlink', url: 'tours', body: (of) => ({ unlink: [idOf(of)] }), claims: ['update'] },
      { what: 'an empty list', url: 'lists', body: () => [], claims: ['delete'] },
      {
        what: 'a list of another record',
        url: 'lists',
        body: () => [{ title: 'x' }],
        claims: ['create', 'delete'],
      },
      { what: 'an empty list where records are unlinked', url: 'kept', body: () => [], claims: ['update'] },
    ];
    return each.map((way) => ({
      ...way,
      what: `${way.what} of ${name}`,
      body: (of) => ({ [name]: way.body(of) }),
    }));
  }),
  {
    what: 'a link in a list',
    url: 'kept',
    body: ({ label, free }) => ({ labels: [{ id: label.id }, { id: free.id }] }),
    claims: ['update'],
  },
  {
    what: 'a link in a list whose other records are deleted',
    url: 'linked',
    body: ({ label, free }) => ({ labels: [{ id: label.id }, { id: free.id }] }),
    claims: ['update', 'delete'],
  },
  {
    what: 'the end of a single record',
    url: 'tours',
    body: () => ({ badge: { delete: true } }),
    claims: ['delete'],
  },
  {
    what: 'the change of a single record',
    url: 'tours',
    body: () => ({ badge: { update: { title: 'x' } } }),
    claims: ['update'],
  },
];

contract(
  'Whatever a body does to related records asks the gate of the endpoint that does it',
  async (subject) => {
    for (const { what, url, body, claims } of ways) {
      const made = await world(subject);
      const send = (given: readonly string[]) =>
        subject
          .request()
          .patch(`/${url}/${made.tour.id}`)
          .set('X-Claims', JSON.stringify(Object.fromEntries(given.map((name) => [name, true]))))
          .send(body(made));
      const rows = async () => {
        const of = { orderBy: { id: 'asc' } } as const;
        const em = subject.em();
        const labels = (await em.find(Label, {}, { ...of, populate: ['tours'] })).map((label) => [
          label.title,
          label.tours.getIdentifiers(),
        ]);
        const halts = (await em.find(Halt, {}, of)).map(({ title, tour }) => [title, tour?.id]);
        const badges = (await em.find(Badge, {}, of)).map(({ title, tour }) => [title, tour?.id]);
        return [labels, halts, badges];
      };
      const before = await rows();
      for (const claim of claims) {
        const others = Object.keys(gates).filter((name) => name !== claim);
        expect([what, claim, (await send(others)).status]).toEqual([what, claim, 403]);
      }
      expect([what, await rows()]).toEqual([what, before]);
      const sent = await send(claims);
      expect([what, sent.status, sent.body.input_errors]).toEqual([what, 200, {}]);
    }
  },
);
