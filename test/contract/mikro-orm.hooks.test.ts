import { expect } from '@jest/globals';
import { defineEntity, p, type EventArgs, type EventSubscriber, type FlushEventArgs } from '@mikro-orm/core';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, failure, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

/** What happened, in order. */
const events: string[] = [];

/** A hook that says no to one word. */
const refusing = (word: string) => (args: EventArgs<{ word: string }>) => {
  if (args.entity.word === word) throw new Error(`no ${word}, says a secret hook`);
};

const Term = defineEntity({
  name: 'Term',
  hooks: {
    beforeCreate: [
      (args: EventArgs<{ word: string; slug: string }>) => {
        args.entity.slug = args.entity.word.toLowerCase();
      },
      refusing('beforeCreate'),
    ],
    afterCreate: [refusing('afterCreate')],
    beforeUpdate: [
      (args: EventArgs<{ word: string; slug: string }>) => {
        args.entity.slug = args.entity.word.toLowerCase();
      },
      refusing('beforeUpdate'),
    ],
    afterUpdate: [refusing('afterUpdate')],
    beforeDelete: [refusing('beforeDelete')],
    afterDelete: [refusing('afterDelete')],
  },
  properties: {
    id: p.integer().primary().autoincrement(),
    word: p.string(),
    slug: p.string().default(''),
  },
});

/** Watches every entity, and refuses commits of one word. */
class Watcher implements EventSubscriber {
  afterCreate({ meta }: EventArgs<unknown>): void {
    events.push(`created ${meta.className}`);
  }

  afterUpdate({ meta }: EventArgs<unknown>): void {
    events.push(`updated ${meta.className}`);
  }

  afterDelete({ meta }: EventArgs<unknown>): void {
    events.push(`deleted ${meta.className}`);
  }

  afterFlush({ uow }: FlushEventArgs): void {
    const written = uow.getChangeSets().map(({ entity }) => Reflect.get(entity, 'word') as unknown);
    if (written.includes('afterFlush')) throw new Error('no flush, says a secret subscriber');
  }
}

const { contract } = service(
  {
    entities: [Term],
    orm: { subscribers: [new Watcher()] },
    endpoints: [
      new RestfulApi({
        url: 'terms',
        modelClass: Term,
        readableColumnNames: ['word', 'slug'],
        writeableColumnNames: ['word'],
        sortableColumnNames: ['word'],
        searchableColumnNames: ['word'],
        defaultSortColumnName: 'word',
      }),
    ],
  },
  everyDatabase,
);

const broken = failure('Internal Server Error');

contract('A hook that runs before a Create changes the record', async ({ request }) => {
  const answer = await request().post('/terms').send({ word: 'Emma' });
  expectAnswer(answer, 201, success({ word: 'Emma', slug: 'emma' }));
});

contract('A hook that runs before an Update changes the record', async ({ request, save }) => {
  const { id } = await save(Term, { word: 'Emma' });
  const answer = await request().patch(`/terms/${id}`).send({ word: 'Susan' });
  expectAnswer(answer, 200, success({ word: 'Susan', slug: 'susan' }));
});

contract('Subscribers hear of Create, Update and Delete', async ({ request, em }) => {
  await request().post('/terms').send({ word: 'Emma' });
  const { id } = await em().findOneOrFail(Term, { word: 'Emma' });
  events.length = 0;
  await request().post('/terms').send({ word: 'Susan' });
  await request().patch(`/terms/${id}`).send({ word: 'Jane' });
  await request().patch(`/terms/${id}`).send({ word: 'Jane' });
  await request().delete(`/terms/${id}`);
  expect(events).toEqual(['created Term', 'updated Term', 'deleted Term']);
});

contract('Hooks and subscribers are not run by a refused write', async ({ request, save }) => {
  const { id } = await save(Term, { word: 'Emma' });
  events.length = 0;
  await request().post('/terms').send({ word: '' });
  await request().patch(`/terms/${id}`).send({ word: null });
  await request().delete('/terms/99');
  expect(events).toEqual([]);
});

contract('A Create whose hook throws leaves no record', async ({ request, count, log }) => {
  for (const word of ['beforeCreate', 'afterCreate'])
    expectAnswer(await request().post('/terms').send({ word }), 500, broken);
  expect(await count(Term)).toBe(0);
  expect(log.text('error')).toMatch(/no afterCreate, says a secret hook/);
});

contract('An Update whose hook throws leaves the record as it was', async ({ request, save, em }) => {
  const { id } = await save(Term, { word: 'Emma' });
  for (const word of ['beforeUpdate', 'afterUpdate'])
    expectAnswer(await request().patch(`/terms/${id}`).send({ word }), 500, broken);
  expect(await em().findAll(Term)).toMatchObject([{ word: 'Emma' }]);
});

contract('A Delete whose hook throws leaves the record', async ({ request, save, count }) => {
  for (const word of ['beforeDelete', 'afterDelete']) {
    const { id } = await save(Term, { word });
    expectAnswer(await request().delete(`/terms/${id}`), 500, broken);
  }
  expect(await count(Term)).toBe(2);
});

contract('A write that a subscriber refuses after the flush leaves all as it was', async (subject) => {
  const { id } = await subject.save(Term, { word: 'Emma' });
  const word = 'afterFlush';
  expectAnswer(await subject.request().post('/terms').send({ word }), 500, broken);
  expectAnswer(await subject.request().patch(`/terms/${id}`).send({ word }), 500, broken);
  expect(await subject.em().findAll(Term)).toMatchObject([{ word: 'Emma' }]);
});

contract('After a write whose hook threw the next one succeeds', async ({ request, count }) => {
  for (let round = 0; round < 15; round += 1)
    expect((await request().post('/terms').send({ word: 'afterCreate' })).status).toBe(500);
  expect((await request().post('/terms').send({ word: 'Emma' })).status).toBe(201);
  expect(await count(Term)).toBe(1);
});
