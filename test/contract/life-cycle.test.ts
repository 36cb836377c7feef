import { expect } from '@jest/globals';
import { EntityManager } from '@mikro-orm/core';
import { Conflict, Create, InvalidInput, RestfulApi } from '@nest-endpoints/core';
import {
  BadRequestException,
  ForbiddenException,
  Injectable,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { clientError, expectAnswer, failure, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { heard, Note, shown, Trip, trips } from './life-cycle.trips.js';

@Injectable()
class Notes {
  constructor(private readonly em: EntityManager) {}

  async add(text: string): Promise<void> {
    await this.em.persist(this.em.create(Note, { text })).flush();
  }

  count(): Promise<number> {
    return this.em.count(Note);
  }
}

/** What a hook throws, by the title of the trip. */
const thrown: Readonly<Record<string, () => Error>> = {
  bad: () => new BadRequestException('A trip has a better title'),
  forbidden: () => new ForbiddenException('Not this trip'),
  unknown: () => new UnauthorizedException('secret'),
  busy: () => new ServiceUnavailableException('secret'),
  late: () => new InvalidInput({ endsOn: 'a trip ends after it starts' }),
  taken: () => new Conflict('Somebody else has it'),
  broken: () => new Error('a secret of the hook'),
};

const refuse = (step: string, { title }: Trip): void => {
  const [asked, what = ''] = title.split(' ');
  const error = asked === step ? thrown[what]?.() : undefined;
  if (error !== undefined) throw error;
};

const dated = (value: unknown): unknown => (value instanceof Date ? value.toISOString().slice(0, 10) : value);

const told = (step: string, operation: string, changes: Readonly<Record<string, unknown>>): void => {
  const values = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, dated(value)]));
  heard.push(`${step} ${operation} ${JSON.stringify(values)}`);
};

const { contract } = service({
  entities: [Trip, Note],
  providers: [Notes],
  endpoints: [
    new RestfulApi({
      ...trips,
      url: 'trips',
      inject: { notes: Notes },
      beforeSave: async ({ record, changes, operation, notes, em }) => {
        told('beforeSave', operation, changes);
        refuse('beforeSave', record);
        // A query must not write the record before it is complete.
        expect(await em.count(Trip, { slug: 'unfinished' })).toBe(0);
        if (record.title.startsWith('slugged')) record.slug = record.title.replaceAll(' ', '-');
        if (record.title.includes('noted')) await notes.add(`before ${record.title}`);
      },
      afterSave: async ({ record, changes, operation, notes }) => {
        told('afterSave', operation, changes);
        if (record.title.includes('noted')) await notes.add(`after ${record.title} ${record.id}`);
        if (record.title.startsWith('late')) record.slug = 'set late';
        refuse('afterSave', record);
      },
      beforeDelete: ({ record, changes, operation }) => {
        told('beforeDelete', operation, changes);
        refuse('beforeDelete', record);
      },
      afterDelete: async ({ record, changes, operation, notes }) => {
        told('afterDelete', operation, changes);
        if (record.title.includes('noted')) await notes.add(`deleted ${record.title}`);
        refuse('afterDelete', record);
      },
      afterCommit: async ({ record, changes, operation, requestId, notes, em }) => {
        told('afterCommit', operation, changes);
        heard.push(
          `${requestId}: ${await em.count(Trip, {})} trips, in a transaction: ${em.isInTransaction()}`,
        );
        if (record.title.includes('noted')) await notes.add(`committed ${record.title}`);
        refuse('afterCommit', record);
      },
    }),
    new Create({
      ...trips,
      url: 'mapped',
      afterSave: ({ record }) => {
        record.slug = 'saved';
      },
      outputMap: ({ entity }) => ({ slug: entity.slug }),
    }),
  ],
});

contract('beforeSave, afterSave and afterCommit run in this order around a Create', async ({ request }) => {
  heard.length = 0;
  const id = 'a-request';
  const answer = await request().post('/trips').set('X-Request-Id', id).send({ title: 'Nice' });
  expectAnswer(answer, 201, success(shown('Nice')));
  expect(heard.map((line) => line.replace(/ \{.*/, ''))).toEqual([
    'beforeSave create',
    'afterSave create',
    'afterCommit create',
    `${id}: 1 trips, in a transaction: false`,
  ]);
});

contract('changes holds everything that a new record has', async ({ request }) => {
  heard.length = 0;
  await request().post('/trips').send({ title: 'Nice', starts_on: '2027-05-01' });
  const afterCommit = heard.find((line) => line.startsWith('afterCommit')) ?? '';
  expect(JSON.parse(afterCommit.replace('afterCommit create ', ''))).toMatchObject({
    id: 1,
    title: 'Nice',
    startsOn: '2027-05-01',
    slug: '',
  });
});

contract('changes holds only what an Update changes', async ({ request, save }) => {
  const { id } = await save(Trip, { title: 'Nice', startsOn: '2027-05-01' });
  heard.length = 0;
  const sent = { title: 'slugged trip', starts_on: '2027-05-01', ends_on: '2027-05-03' };
  const answer = await request().patch(`/trips/${id}`).send(sent);
  expectAnswer(answer, 200, success({ ...sent, slug: 'slugged-trip' }));
  const before = JSON.stringify({ title: 'slugged trip', endsOn: '2027-05-03' });
  const after = JSON.stringify({ title: 'slugged trip', endsOn: '2027-05-03', slug: 'slugged-trip' });
  expect(heard.slice(0, 3)).toEqual([
    `beforeSave update ${before}`,
    `afterSave update ${after}`,
    `afterCommit update ${after}`,
  ]);
});

contract('changes is empty on a Delete', async ({ request, save }) => {
  const { id } = await save(Trip, { title: 'Nice' });
  heard.length = 0;
  expectAnswer(await request().delete(`/trips/${id}`), 200, success({}));
  expect(heard.slice(0, 3)).toEqual([
    'beforeDelete delete {}',
    'afterDelete delete {}',
    'afterCommit delete {}',
  ]);
});

contract('What beforeSave changes is written and answered', async ({ request, em }) => {
  const answer = await request().post('/trips').send({ title: 'slugged once' });
  expectAnswer(answer, 201, success(shown('slugged once', { slug: 'slugged-once' })));
  expect(await em().findOneOrFail(Trip, { title: 'slugged once' })).toMatchObject({ slug: 'slugged-once' });
});

contract('What afterSave changes is written and answered', async ({ request, em }) => {
  const answer = await request().post('/trips').send({ title: 'late' });
  expectAnswer(answer, 201, success(shown('late', { slug: 'set late' })));
  expectAnswer(await request().post('/mapped').send({ title: 'mapped' }), 201, success({ slug: 'saved' }));
  expect(await em().count(Trip, { slug: { $in: ['set late', 'saved'] } })).toBe(2);
});

contract('An Update that changes nothing runs beforeSave alone', async ({ request, save }) => {
  const { id } = await save(Trip, { title: 'Nice' });
  for (const body of [{}, { title: 'Nice' }]) {
    heard.length = 0;
    expectAnswer(await request().patch(`/trips/${id}`).send(body), 200, success(shown('Nice')));
    expect(heard).toEqual(['beforeSave update {}']);
  }
});

contract('An Update that only beforeSave makes a change is a change', async ({ request, save }) => {
  const { id } = await save(Trip, { title: 'slugged' });
  heard.length = 0;
  const answer = await request().patch(`/trips/${id}`).send({});
  expectAnswer(answer, 200, success(shown('slugged', { slug: 'slugged' })));
  expect(heard.slice(0, 3)).toEqual([
    'beforeSave update {}',
    'afterSave update {"slug":"slugged"}',
    'afterCommit update {"slug":"slugged"}',
  ]);
});

contract(
  'Functions of the life cycle do not run for a request that its input or its path refuses',
  async ({ request }) => {
    heard.length = 0;
    expect((await request().post('/trips').send({})).status).toBe(400);
    expect((await request().post('/trips').send({ title: 'Nice', other: 1 })).status).toBe(400);
    expectAnswer(await request().patch('/trips/9').send({ title: 'Nice' }), 404, notFound);
    expectAnswer(await request().delete('/trips/9'), 404, notFound);
    expect(heard).toEqual([]);
  },
);

contract('A BadRequestException of a hook is a 400 with its message', async ({ request, count }) => {
  for (const step of ['beforeSave', 'afterSave'])
    expectAnswer(
      await request()
        .post('/trips')
        .send({ title: `${step} bad` }),
      400,
      clientError('A trip has a better title'),
    );
  expect(await count(Trip)).toBe(0);
});

contract('Exceptions of Nest keep their status when a hook throws them', async ({ request, count }) => {
  const answer = (what: string) =>
    request()
      .post('/trips')
      .send({ title: `afterSave ${what}` });
  expectAnswer(await answer('forbidden'), 403, clientError('Not this trip'));
  expectAnswer(await answer('unknown'), 401, clientError('Not Authenticated'));
  expectAnswer(await answer('busy'), 503, failure('Service Unavailable'));
  expectAnswer(await answer('taken'), 409, clientError('Somebody else has it'));
  expect(await count(Trip)).toBe(0);
});

contract('InvalidInput of a hook complains under the names of the client', async ({ request, save, em }) => {
  const answer = inputErrors({ ends_on: 'a trip ends after it starts' });
  expectAnswer(await request().post('/trips').send({ title: 'beforeSave late' }), 400, answer);
  const { id } = await save(Trip, { title: 'Nice' });
  expectAnswer(await request().patch(`/trips/${id}`).send({ title: 'afterSave late' }), 400, answer);
  expect(await em().findAll(Trip)).toMatchObject([{ title: 'Nice' }]);
});

contract('Any other error of a hook is a 500 that says nothing of it', async ({ request, log }) => {
  const answer = await request().post('/trips').send({ title: 'beforeSave broken' });
  expectAnswer(answer, 500, failure('Internal Server Error'));
  expect(log.text('error')).toContain('a secret of the hook');
});

contract('A throwing afterSave leaves no record', async ({ request, count }) => {
  const answer = await request().post('/trips').send({ title: 'afterSave broken' });
  expectAnswer(answer, 500, failure('Internal Server Error'));
  expect(await count(Trip)).toBe(0);
});

contract('A throwing hook of an Update leaves the record as it was', async ({ request, save, em }) => {
  const { id } = await save(Trip, { title: 'Nice' });
  for (const step of ['beforeSave', 'afterSave'])
    expect(
      (
        await request()
          .patch(`/trips/${id}`)
          .send({ title: `${step} broken` })
      ).status,
    ).toBe(500);
  expect(await em().findAll(Trip)).toMatchObject([{ title: 'Nice' }]);
});

contract('A throwing hook of a Delete leaves the record', async ({ request, save, count }) => {
  for (const step of ['beforeDelete', 'afterDelete']) {
    const { id } = await save(Trip, { title: `${step} forbidden` });
    expectAnswer(await request().delete(`/trips/${id}`), 403, clientError('Not this trip'));
  }
  expect(await count(Trip)).toBe(2);
});

contract('What a service writes in a hook is committed with the record', async ({ request, count }) => {
  expect((await request().post('/trips').send({ title: 'noted' })).status).toBe(201);
  expect(await count(Note)).toBe(3);
});

contract('What a service wrote in a hook is undone when a hook throws', async ({ request, save, count }) => {
  expect((await request().post('/trips').send({ title: 'afterSave broken noted' })).status).toBe(500);
  const { id } = await save(Trip, { title: 'afterDelete broken noted' });
  expect((await request().delete(`/trips/${id}`)).status).toBe(500);
  expect(await count(Note)).toBe(0);
});

contract('A throwing afterCommit changes neither record nor answer, and is logged', async (subject) => {
  const { request, count, log } = subject;
  const title = 'afterCommit broken';
  const answer = await request().post('/trips').set('X-Request-Id', 'request-7').send({ title });
  expectAnswer(answer, 201, success(shown(title)));
  expect(await count(Trip)).toBe(1);
  const line = 'POST "/trips" is answered, but afterCommit failed [request-7]: a secret of the hook';
  expect(log.text('error')).toContain(line);
});

contract('afterCommit does not run when the transaction is rolled back', async ({ request }) => {
  heard.length = 0;
  await request().post('/trips').send({ title: 'afterSave broken' });
  expect(heard.filter((line) => line.startsWith('afterCommit'))).toEqual([]);
});

contract('Creates with hooks at the same time keep a unique column unique', async ({ request, count }) => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => request().post('/trips').send({ title: 'Nice' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(400)]);
  expect(await count(Trip)).toBe(1);
});
