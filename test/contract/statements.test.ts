import { expect } from '@jest/globals';
import type { EventSubscriber } from '@mikro-orm/core';
import { clientError, expectAnswer, inputErrors, success } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';
import { Statements, verbOf } from '../support/statements.js';

const application = libraryWith([books({ readableColumnNames: ['title', 'author.name'] })], {
  orm: { pool: { min: 1, max: 1 } },
  // What is counted here is what one server is sent; beside replicas, a write asks how far it has come.
  route: 'direct',
});
const { contract } = service(application, once);

const unique = (column: string) =>
  `Invalid value for '${column}': the given value already exists, and must be unique.`;

/** What each statement does that a request sends. */
const sentBy = async (subject: Subject, ask: () => PromiseLike<unknown>) => {
  return (await (await Statements.of(subject)).during(ask)).map(verbOf).join(' ');
};

/** The first write of an endpoint asks the catalogue about its table. */
const warmUp = async (subject: Subject): Promise<Author> => {
  const { request, em } = subject;
  await Statements.of(subject);
  await request().post('/books').send({ title: 'first' });
  const { id } = await em().findOneOrFail(Book, { title: 'first' });
  await request().patch(`/books/${id}`).send({ title: 'second' });
  await request().delete(`/books/${id}`);
  const author = em();
  const jane = author.create(Author, { name: 'Jane' });
  await author.persist(jane).flush();
  return jane;
};

contract(
  'A write of one record is one statement, which answers with the record and its parents',
  async (subject) => {
    const { id: authorId } = await warmUp(subject);
    const posted = await sentBy(subject, async () => {
      const answer = await subject.request().post('/books').send({ title: 'Emma', author_id: authorId });
      expectAnswer(answer, 201, success({ title: 'Emma', author: { name: 'Jane' } }));
    });
    const [{ id }] = (await subject.em().find(Book, {})) as [Book];
    const patched = await sentBy(subject, async () => {
      const answer = await subject
        .request()
        .patch(`/books/${id}`)
        .send({ title: 'Sanditon', author_id: null });
      expectAnswer(answer, 200, success({ title: 'Sanditon', author: null }));
    });
    const deleted = await sentBy(subject, () => subject.request().delete(`/books/${id}`));
    // With a parent in the answer a write stands in a `with`.
    expect([posted, patched, deleted]).toEqual(['select', 'select', 'delete']);
    expect(await subject.count(Book)).toBe(0);
  },
);

contract('An Update without a difference leaves the record and its updated alone', async (subject) => {
  const author = await warmUp(subject);
  const launchAt = new Date('2026-01-02T03:04:05.678Z');
  const values = { title: 'Emma', isbn: '1', author: author.id, launchAt, updated: new Date(0), notes: 'é' };
  const { id } = await subject.save(Book, values);
  const before = await subject.versions('book');
  const same = {
    title: 'Emma',
    isbn: '1',
    author_id: author.id,
    launch_at: '2026-01-02T03:04:05Z',
    pages: null,
    notes: 'é',
  };
  expectAnswer(
    await subject.request().patch(`/books/${id}`).send(same),
    200,
    success({ title: 'Emma', author: { name: 'Jane' } }),
  );
  expectAnswer(
    await subject.request().patch(`/books/${id}`).send({}),
    200,
    success({ title: 'Emma', author: { name: 'Jane' } }),
  );
  expect(await subject.versions('book')).toEqual(before);
});

contract(
  'An Update keeps the finer digits of an instant that is sent back as it was written',
  async (subject) => {
    await warmUp(subject);
    const launchAt = new Date('2026-01-02T03:04:05.678Z');
    const { id } = await subject.save(Book, { title: 'Emma', launchAt });
    await subject
      .request()
      .patch(`/books/${id}`)
      .send({ title: 'Sanditon', launch_at: '2026-01-02T03:04:05Z' });
    expect(await subject.em().findOne(Book, id)).toMatchObject({ title: 'Sanditon', launchAt });
  },
);

contract(
  'A write that the database refuses is answered with every duplicate and missing parent',
  async (subject) => {
    await warmUp(subject);
    await subject.save(Book, { title: 'Emma', isbn: '1' });
    const { id } = await subject.save(Book, { title: 'Sanditon', isbn: '2' });
    const refused = { isbn: '1', author_id: 99 };
    const messages = {
      isbn: unique('isbn'),
      author_id: 'the given record does not exist',
    };
    expectAnswer(
      await subject
        .request()
        .post('/books')
        .send({ title: 'x', ...refused }),
      400,
      inputErrors(messages),
    );
    expectAnswer(await subject.request().patch(`/books/${id}`).send(refused), 400, inputErrors(messages));
    expect(await subject.count(Book)).toBe(2);
  },
);

contract('A write of a record that is not there is Not Found', async ({ request }) => {
  const id = '00000000-0000-4000-8000-000000000000';
  expectAnswer(await request().patch(`/books/${id}`).send({ title: 'x' }), 404, clientError('Not Found'));
  expectAnswer(await request().delete(`/books/${id}`), 404, clientError('Not Found'));
});

contract('A pooler that forgets prepared statements is served without them', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  const read = () => subject.request().get(`/books/${id}`);
  await read();
  await subject.em().getConnection().execute('deallocate all');
  for (const times of [1, 2]) expect([times, (await read()).status]).toEqual([times, 200]);
});

const altered = service(application, once);

altered.contract(
  'A column that changes its type meanwhile does not fail what was prepared before',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma' });
    const read = () => subject.request().get(`/books/${id}`);
    await read();
    await subject.em().getConnection().execute('alter table book alter column title type text');
    for (const times of [1, 2])
      expectAnswer(await read(), 200, success({ title: times > 0 ? 'Emma' : '', author: null }));
  },
);

const watched = service(application, once);

watched.contract(
  'A trigger of the table, whatever it does, has taken part in the answer',
  async (subject) => {
    await subject.em().getConnection().executeDump(`
    create function shout() returns trigger language plpgsql as
      $$ begin update book set title = upper(title) where id = new.id and title <> upper(title); return null; end $$;
    create trigger shouted after insert on book for each row execute function shout();`);
    const answer = await subject.request().post('/books').send({ title: 'Emma' });
    expectAnswer(answer, 201, success({ title: 'EMMA', author: null }));
  },
);

const unguarded = service(application, once);

unguarded.contract('Unique holds where the database has no constraint for it', async (subject) => {
  await subject.em().getConnection().execute('alter table book drop constraint book_isbn_unique');
  await subject.request().post('/books').send({ title: 'Emma', isbn: '1' });
  const second = await subject.request().post('/books').send({ title: 'Sanditon', isbn: '1' });
  expectAnswer(second, 400, inputErrors({ isbn: unique('isbn') }));
});

const joined = service(application, once);

joined.contract(
  "A subscriber that comes after the start moves its entity's writes to MikroORM's way",
  async (subject) => {
    await warmUp(subject);
    const heard: string[] = [];
    const subscriber: EventSubscriber = {
      getSubscribedEntities: () => [Book],
      afterCreate: ({ meta }) => void heard.push(`created ${meta.className}`),
      afterDelete: ({ meta }) => void heard.push(`deleted ${meta.className}`),
    };
    subject.orm.em.getEventManager().registerSubscriber(subscriber);
    await subject.request().post('/books').send({ title: 'Emma' });
    const [{ id }] = (await subject.em().find(Book, {})) as [Book];
    await subject.request().delete(`/books/${id}`);
    expect(heard).toEqual(['created Book', 'deleted Book']);
  },
);

const filtered = service(application, once);

filtered.contract(
  'A filter that is added after the start hides records from the next request on',
  async (subject) => {
    const { id } = await subject.save(Book, { title: 'Emma' });
    expect((await subject.request().get(`/books/${id}`)).status).toBe(200);
    subject.orm.em.addFilter({
      name: 'nothing',
      cond: { title: 'nothing' } as never,
      entity: [Book.name] as never,
    });
    expectAnswer(await subject.request().get(`/books/${id}`), 404, clientError('Not Found'));
    expectAnswer(
      await subject.request().patch(`/books/${id}`).send({ title: 'x' }),
      404,
      clientError('Not Found'),
    );
    expectAnswer(await subject.request().delete(`/books/${id}`), 404, clientError('Not Found'));
  },
);
