import { expect } from '@jest/globals';
import { defineEntity, LockMode, p, type EntityMetadata } from '@mikro-orm/core';
import {
  Authorization,
  Create,
  CreateMany,
  Batch,
  Delete,
  DeleteMany,
  EndpointGroup,
  Get,
  Import,
  softDelete,
  Update,
  UpdateMany,
  Upsert,
} from '@nest-endpoints/core';
import type { Response, Test } from 'supertest';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import type { ApplicationOptions } from '../support/application.js';
import type { service, Subject } from '../support/contract.js';
import { heldUpBy } from '../support/waits.js';
import { Claims } from './claims.js';

const Team = defineEntity({ name: 'Team', properties: { id: p.integer().primary(), lead: p.string() } });

const properties = {
  id: p.integer().primary(),
  code: p.string().unique(),
  name: p.string(),
  rank: p.integer().default(0),
  team: () => p.manyToOne(Team),
};
const Trip = defineEntity({ name: 'Trip', properties });
const Visit = defineEntity({
  name: 'Visit',
  properties: { ...properties, deletedAt: p.datetime().nullable() },
});

/** One that others refer to. */
const Stay = defineEntity({
  name: 'Stay',
  properties: { ...properties, deletedAt: p.datetime().nullable() },
});
const Note = defineEntity({
  name: 'Note',
  properties: { id: p.integer().primary().autoincrement(), stay: () => p.manyToOne(Stay) },
});

for (const entity of [Visit, Stay]) softDelete(entity, { columnName: 'deletedAt' });

type Contract = ReturnType<typeof service>['contract'];

/** Which records there are is no plain condition: who leads their team is in another table. */
class LedTeams extends Authorization<{ team: { lead: string } }, { readonly sub: string }> {
  override filterModel(_query: unknown, { sub }: { readonly sub: string }): never {
    return { team: { lead: sub } } as never;
  }

  override concerns({ className }: EntityMetadata): boolean {
    return ['Trip', 'Visit', 'Stay'].includes(className);
  }

  scopeOf(entity: EntityMetadata) {
    return this.concerns(entity) ? undefined : { conditions: [] };
  }
}

const shown = {
  readableColumnNames: ['id', 'code', 'name'],
  writeableColumnNames: ['id', 'code', 'name', 'teamId'],
} as const;
const found = { searchableColumnNames: ['code'], byConditions: true } as const;

const endpointsOf = (url: string, modelClass: typeof Trip) => [
  new Get({ url: `${url}/:id`, modelClass, readableColumnNames: shown.readableColumnNames }),
  new Update({ ...shown, url: `${url}/:id`, modelClass }),
  new Delete({ url: `${url}/:id`, modelClass }),
  new Upsert({ ...shown, url: `${url}/:code`, modelClass, recordLookupColumnName: 'code' }),
  new UpdateMany({ ...shown, ...found, url, modelClass }),
  new DeleteMany({ ...found, url, modelClass }),
  new Import({
    writeableColumnNames: ['id', 'code', 'name', 'teamId'],
    url,
    modelClass,
    onConflict: 'update',
    conflictColumnNames: ['code'],
  }),
];

const note = {
  modelClass: Note,
  readableColumnNames: ['stayId'],
  writeableColumnNames: ['stayId'],
} as const;

const notes = [new Create({ ...note, url: 'one' }), new CreateMany({ ...note, url: 'many' })];

/** Trips and visits of teams, which their leads may change. */
export const ledTrips: ApplicationOptions = {
  entities: [Team, Trip, Visit, Stay, Note],
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      authorization: new LedTeams(),
      endpoints: [
        new Batch({ url: 'batch' }),
        ...endpointsOf('trips', Trip),
        ...endpointsOf('visits', Visit as never),
        new EndpointGroup({ url: 'notes', endpoints: notes }),
      ],
    }),
  ],
};

const ann = { 'X-Claims': JSON.stringify({ sub: 'ann' }) };

const fill = async ({ save }: Subject): Promise<void> => {
  for (const [id, lead] of [
    [1, 'ann'],
    [2, 'bea'],
  ] as const)
    await save(Team, { id, lead });
  for (const entity of [Trip, Visit, Stay])
    await save(entity as typeof Trip, { id: 1, code: 'A', name: 'Rome', team: 1 });
};

/** Holds the record while `ask` is sent and waits for it, then changes the record and lets go. */
const meanwhile = (
  subject: Subject,
  entity: typeof Trip,
  change: object,
  ask: () => PromiseLike<Response>,
): Promise<Response> =>
  heldUpBy(
    subject,
    async (em) => {
      const record = await em.findOneOrFail(entity, 1, { lockMode: LockMode.PESSIMISTIC_WRITE });
      return () => em.assign(record, change as never);
    },
    ask,
  );

type Ask = (request: ReturnType<Subject['request']>, url: string) => Test;

const changes = { name: 'Oslo' };
const named = { id: 1, name: 'Oslo', team_id: 1 };
const where = [{ column: 'code', operator: '=', value: 'A' }];

const writes: Readonly<Record<string, Ask>> = {
  'An Update': (request, url) => request.patch(`${url}/1`).send(changes),
  // What was read before it is no reason to write by what was there then.
  'An Update of a Batch': (request, url) =>
    request.post('/batch').send({
      operations: [
        { method: 'GET', path: `${url}/1` },
        { method: 'PATCH', path: `${url}/1`, body: changes },
      ],
    }),
  'A Delete': (request, url) => request.delete(`${url}/1`),
  'An Upsert': (request, url) => request.put(`${url}/A`).send(named),
  'An UpdateMany': (request, url) => request.patch(url).send({ ids: [1], changes }),
  'An UpdateMany by conditions': (request, url) => request.patch(url).send({ where, changes, maximum: 5 }),
  'A DeleteMany': (request, url) => request.delete(url).send({ ids: [1] }),
  'A DeleteMany by conditions': (request, url) => request.delete(url).send({ where, maximum: 5 }),
  'An Import': (request, url) =>
    request
      .post(url)
      .set('Content-Type', 'application/x-ndjson')
      .send(JSON.stringify({ ...named, code: 'A' })),
};

/** What says on its own which records it is about, and leaves those alone that are none by now. */
const leavesAlone = (name: string): boolean => name.endsWith(' by conditions');

/** The sentences of writes that wait while what they are about changes. */
export const expectRule = (contract: Contract): void => {
  for (const [url, entity] of [
    ['/trips', Trip],
    ['/visits', Visit as unknown as typeof Trip],
  ] as const)
    for (const [name, ask] of Object.entries(writes)) {
      contract(
        `${name} under a rule about other tables leaves what leaves it meanwhile: ${url}`,
        async (subject) => {
          await fill(subject);
          const answer = await meanwhile(subject, entity, { team: 2 }, () =>
            ask(subject.request(), url).set(ann),
          );
          if (leavesAlone(name))
            expect(answer.body).toEqual(
              expect.objectContaining({ status: 'success', data: name.startsWith('A Delete') ? {} : [] }),
            );
          else if (name === 'An Import') expect(answer.text).toContain('"status":"input_errors"');
          else expect([400, 404]).toContain(answer.status);
          expect(answer.text).not.toContain('Rome');
          const left = await subject.em().findOne(entity, 1);
          expect(left).toMatchObject({ name: 'Rome', team: { id: 2 } });
          expect(left).not.toMatchObject({ deletedAt: expect.any(Date) });
        },
      );

      contract(
        `${name} under a rule about other tables writes what is changed meanwhile and stays: ${url}`,
        async (subject) => {
          await fill(subject);
          const answer = await meanwhile(subject, entity, { rank: 7 }, () =>
            ask(subject.request(), url).set(ann),
          );
          expect(Math.floor(answer.status / 100)).toBe(2);
          const left = await subject.em().findOne(entity, 1);
          if (!name.includes('Delete')) expect(left).toMatchObject({ name: 'Oslo', rank: 7 });
          else if (entity === Trip) expect(left).toBeNull();
          else expect(left).toMatchObject({ rank: 7, deletedAt: expect.any(Date) });
        },
      );
    }

  for (const [url, body, place] of [
    ['/notes/one', { stay_id: 1 }, 'stay_id'],
    ['/notes/many', { records: [{ stay_id: 1 }] }, 'records.0.stay_id'],
  ] as const)
    contract(`Nobody refers to a parent that leaves such a rule meanwhile: ${url}`, async (subject) => {
      await fill(subject);
      const stays = Stay as unknown as typeof Trip;
      const answer = await meanwhile(subject, stays, { team: 2 }, () =>
        subject.request().post(url).set(ann).send(body),
      );
      expectAnswer(answer, 400, inputErrors({ [place]: 'the given record does not exist' }));
      expect(await subject.count(Note)).toBe(0);
    });

  contract('What a rule about other tables shows is answered though nothing changes', async (subject) => {
    await fill(subject);
    const same = await subject.request().patch('/trips/1').set(ann).send({ name: 'Rome' });
    expectAnswer(same, 200, success({ id: 1, code: 'A', name: 'Rome' }));
    const bea = { 'X-Claims': JSON.stringify({ sub: 'bea' }) };
    expectAnswer(await subject.request().patch('/trips/1').set(bea).send({ name: 'Rome' }), 404, notFound);
    expectAnswer(await subject.request().delete('/trips/1').set(bea), 404, notFound);
  });
};
