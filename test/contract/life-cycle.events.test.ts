import { expect } from '@jest/globals';
import { RestfulApi, type RecordEvent } from '@nest-endpoints/core';
import { Injectable } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { expectAnswer, success } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Claims } from './claims.js';
import { heard, Note, shown, Trip, trips } from './life-cycle.trips.js';

@Injectable()
class Listener {
  @OnEvent('endpoints.Trip.created')
  created({ record, changes, identity, requestId }: RecordEvent<Trip>): void {
    heard.push(
      `created ${JSON.stringify({ title: record.title, changed: changes['title'], identity, requestId })}`,
    );
  }

  @OnEvent('endpoints.Trip.updated')
  async updated({ record, changes }: RecordEvent<Trip>): Promise<void> {
    await Promise.resolve();
    heard.push(`updated ${record.id} ${JSON.stringify(changes)}`);
  }

  @OnEvent('endpoints.Trip.deleted')
  deleted({ record, changes }: RecordEvent<Trip>): void {
    heard.push(`deleted ${record.title} ${JSON.stringify(changes)}`);
  }

  @OnEvent('endpoints.Trip.*')
  any({ record }: RecordEvent<Trip>): void {
    if (record.title === 'broken') throw new Error('a secret of the listener');
  }
}

const { contract } = service({
  entities: [Trip, Note],
  imports: [EventEmitterModule.forRoot({ wildcard: true })],
  providers: [Listener],
  endpoints: [
    new RestfulApi({
      ...trips,
      url: 'trips',
      authentication: new Claims(),
      afterSave: ({ record }) => {
        if (record.title === 'refused') throw new Error('no');
      },
    }),
  ],
});

const claims = { 'X-Claims': '{"sub":"me"}', 'X-Request-Id': 'r-1' };

contract('Listeners hear of Create, Update and Delete', async ({ request, em }) => {
  heard.length = 0;
  await request().post('/trips').set(claims).send({ title: 'Nice' });
  const { id } = await em().findOneOrFail(Trip, { title: 'Nice' });
  await request().patch(`/trips/${id}`).set(claims).send({ title: 'Rome' });
  await request().delete(`/trips/${id}`).set(claims);
  const facts = { title: 'Nice', changed: 'Nice', identity: { sub: 'me' }, requestId: 'r-1' };
  expect(heard).toEqual([
    `created ${JSON.stringify(facts)}`,
    `updated ${id} {"title":"Rome"}`,
    'deleted Rome {}',
  ]);
});

contract('Listeners hear nothing of what is refused, changes nothing or is rolled back', async (subject) => {
  const { id } = await subject.save(Trip, { title: 'Nice' });
  const { request } = subject;
  heard.length = 0;
  await request().post('/trips').set(claims).send({ title: '' });
  await request().patch(`/trips/${id}`).set(claims).send({ title: 'Nice' });
  expect((await request().post('/trips').set(claims).send({ title: 'refused' })).status).toBe(500);
  expect((await request().delete('/trips/99').set(claims)).status).toBe(404);
  expect(heard).toEqual([]);
});

contract('A listener that throws changes neither record nor answer, and is logged', async (subject) => {
  const { request, count, log } = subject;
  const answer = await request().post('/trips').set(claims).send({ title: 'broken' });
  expectAnswer(answer, 201, success(shown('broken')));
  expect(await count(Trip)).toBe(1);
  expect(log.text('error')).toContain('a secret of the listener');
});

contract('A listener that the emitter calls itself may throw, too', async ({ app, request, count, log }) => {
  const emitter = app.get(EventEmitter2);
  const fail = (): never => {
    throw new Error('a bare listener');
  };
  emitter.on('endpoints.Trip.created', fail);
  try {
    const answer = await request().post('/trips').set(claims).send({ title: 'Nice' });
    expectAnswer(answer, 201, success(shown('Nice')));
  } finally {
    emitter.off('endpoints.Trip.created', fail);
  }
  expect(await count(Trip)).toBe(1);
  expect(log.text('error')).toContain('a listener to endpoints.Trip.created failed [r-1]: a bare listener');
});

const unheard = service(
  {
    entities: [Trip, Note],
    imports: [EventEmitterModule.forRoot()],
    endpoints: [new RestfulApi({ ...trips, url: 'trips' })],
    // Beside replicas, a write also asks how far it has come.
    route: 'direct',
  },
  once,
);

unheard.contract(
  'Without a listener writes are one statement, and one that comes later hears',
  async (subject) => {
    const { app, request } = subject;
    await request().post('/trips').send({ title: 'Nice' });
    const statements = await Statements.of(subject);
    const sent = await statements.during(() => request().post('/trips').send({ title: 'Rome' }));
    expect(sent).toHaveLength(1);
    const titles: string[] = [];
    app.get(EventEmitter2).once('endpoints.Trip.created', ({ record }: RecordEvent<Trip>) => {
      titles.push(record.title);
    });
    await request().post('/trips').send({ title: 'Oslo' });
    await request().post('/trips').send({ title: 'Bonn' });
    expect(titles).toEqual(['Oslo']);
  },
);
