import { expect } from '@jest/globals';
import { Create, Delete, Update } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { once, service } from '../support/contract.js';
import { Statements, verbOf } from '../support/statements.js';
import { Note, shown, Trip, trips } from './life-cycle.trips.js';

const look = (): void => undefined;
const own = { ...trips, recordLookupColumnName: 'title' } as const;

const { contract } = service(
  {
    entities: [Trip, Note],
    endpoints: [
      new Create({ ...trips, url: 'created', beforeSave: look, afterSave: look }),
      new Update({ ...own, url: 'updated/:title', beforeSave: look, afterSave: look }),
      new Delete({
        modelClass: Trip,
        url: 'deleted/:title',
        recordLookupColumnName: 'title',
        beforeDelete: look,
        afterDelete: look,
      }),
      new Create({
        ...trips,
        url: 'by-sql',
        afterSave: async ({ em, record }) => {
          await em.execute('update trip set slug = ? where id = ?', ['by sql', record.id]);
        },
      }),
      new Create({
        ...trips,
        url: 'first-others',
        beforeSave: async ({ em, record }) => {
          em.create(Trip, { title: `before ${record.title}`, slug: 'other' });
          await em.flush();
        },
      }),
      new Update({
        ...own,
        url: 'again/:title',
        afterSave: ({ record }) => {
          record.slug = 'again';
        },
      }),
    ],
  },
  once,
);

contract('A Create with hooks asks, writes and commits, and reads nothing back', async (subject) => {
  const statements = await Statements.of(subject);
  const create = (title: string) => subject.request().post('/created').send({ title });
  expectAnswer(await create('warm'), 201, success(shown('warm')));
  const sent = await statements.during(() => create('Rome'));
  expect(sent.map(verbOf)).toEqual(['select', 'begin', 'insert', 'commit']);
});

contract('An Update with hooks locks, writes and commits, and reads nothing back', async (subject) => {
  const statements = await Statements.of(subject);
  await subject.save(Trip, { title: 'Oslo' });
  const update = (slug: string) => subject.request().patch('/updated/Oslo').send({ ends_on: slug });
  expectAnswer(await update('2026-01-01'), 200, success(shown('Oslo', { ends_on: '2026-01-01' })));
  const sent = await statements.during(() => update('2026-01-02'));
  expect(sent.map(verbOf)).toEqual(['begin', 'lock', 'update', 'commit']);
});

contract('A Delete with hooks locks, deletes and commits', async (subject) => {
  const statements = await Statements.of(subject);
  await subject.save(Trip, { title: 'Bern' });
  const sent = await statements.during(() => subject.request().delete('/deleted/Bern'));
  expect(sent.map(verbOf)).toEqual(['begin', 'lock', 'delete', 'commit']);
});

contract('What a hook writes by SQL of its own is answered', async (subject) => {
  expectAnswer(
    await subject.request().post('/by-sql').send({ title: 'Kyiv' }),
    201,
    success(shown('Kyiv', { slug: 'by sql' })),
  );
});

contract('Another record that a hook writes before is not the one that is answered', async (subject) => {
  expectAnswer(
    await subject.request().post('/first-others').send({ title: 'Riga' }),
    201,
    success(shown('Riga')),
  );
});

contract('What a hook changes in a record that is written is answered', async (subject) => {
  await subject.save(Trip, { title: 'Wien' });
  const answer = await subject.request().patch('/again/Wien').send({ ends_on: '2026-02-02' });
  expectAnswer(answer, 200, success(shown('Wien', { ends_on: '2026-02-02', slug: 'again' })));
});

const triggered = service(
  { entities: [Trip, Note], endpoints: [new Create({ ...trips, url: 'created', beforeSave: look })] },
  once,
);

triggered.contract('What a trigger of the table changes afterwards is answered', async (subject) => {
  await subject.em().getConnection().executeDump(`
    create function slugged() returns trigger language plpgsql as $$
      begin update trip set slug = 'by trigger' where id = new.id; return null; end $$;
    create trigger slugged after insert on trip for each row execute function slugged();`);
  expectAnswer(
    await subject.request().post('/created').send({ title: 'Bonn' }),
    201,
    success(shown('Bonn', { slug: 'by trigger' })),
  );
});
