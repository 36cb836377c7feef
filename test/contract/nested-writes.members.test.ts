import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { Author, Book, bookOf, linked, Share, Tag, tagsOf } from './nested-writes.books.js';
import { by } from './nested-writes.trips.js';

const { contract } = service(linked);

const missing = 'the given record does not exist';

/** The rows between books and authors. */
const shares = async ({ em }: Subject): Promise<readonly object[]> =>
  em().getConnection().execute('select book_id, author_id, percent, note from share order by 1, 2');

const authorOf = ({ save }: Subject, name: string, tenant = 'a') =>
  save(Author, { id: randomUUID(), name, tenant });

contract('Rows of a table between with more columns get what the database gives these', async (subject) => {
  const ann = await authorOf(subject, 'Ann');
  const ben = randomUUID();
  const { body } = await by(subject).post('/books', {
    title: 'Sea',
    authors: [{ id: ben, name: 'Ben' }],
  });
  const book = body.data.id;
  await by(subject).patch(`/books/${book}`, { authors: { link: [ann.id] } });
  const row = { book_id: book, percent: 50, note: null };
  const both = [
    { ...row, author_id: ann.id },
    { ...row, author_id: ben },
  ];
  expect(await shares(subject)).toEqual(expect.arrayContaining(both));
  await subject.em().nativeUpdate(Share, { author: ann.id }, { percent: 70, note: 'kept' });
  await by(subject).patch(`/books/${book}`, { authors: { link: [ann.id], unlink: [ben] } });
  expect(await shares(subject)).toEqual([{ ...row, author_id: ann.id, percent: 70, note: 'kept' }]);
});

contract(
  'A record that goes to the trash keeps its links, and is told as missing from then on',
  async (subject) => {
    const ann = await authorOf(subject, 'Ann');
    const sea = await subject.save(Book, { title: 'Sea', authors: [ann.id] });
    const send = (authors: object) => by(subject).patch(`/books/${sea.id}`, { authors });
    expect((await send({ delete: [ann.id] })).body).toMatchObject({ data: { version: 2 } });
    expect((await shares(subject)).length).toBe(1);
    for (const word of ['link', 'unlink', 'delete'])
      expectAnswer(await send({ [word]: [ann.id] }), 400, inputErrors({ [`authors.${word}.0`]: missing }));
    expectAnswer(
      await send({ update: [{ id: ann.id, name: 'x' }] }),
      400,
      inputErrors({ 'authors.update.0.id': missing }),
    );
  },
);

contract('A record of another tenant is neither linked, unlinked, changed nor deleted', async (subject) => {
  const { em, save } = subject;
  const sea = await bookOf(subject, 'Sea', 'blue');
  const strange = await save(Tag, { name: 'theirs', tenant: 'b' });
  // It is linked, and still nobody's business.
  await em()
    .getConnection()
    .execute('insert into book_tags (book_id, tag_id) values (?, ?)', [sea.id, strange.id]);
  const send = (tags: object) => by(subject).patch(`/books/${sea.id}`, { tags });
  for (const word of ['link', 'unlink', 'delete'])
    expectAnswer(await send({ [word]: [strange.id] }), 400, inputErrors({ [`tags.${word}.0`]: missing }));
  expectAnswer(
    await send({ update: [{ id: strange.id, name: 'mine' }] }),
    400,
    inputErrors({ 'tags.update.0.id': missing }),
  );
  expectAnswer(
    await by(subject, 'b').patch(`/books/${sea.id}`, { tags: { link: [strange.id] } }),
    404,
    notFound,
  );
  const listed = [{ id: sea.tags[0] }, { id: strange.id }];
  expectAnswer(
    await by(subject).patch(`/lists/${sea.id}`, { tags: listed }),
    400,
    inputErrors({ 'tags.1.id': missing }),
  );
  expect((await by(subject).patch(`/lists/${sea.id}`, { tags: [] })).status).toBe(200);
  expect(await tagsOf(subject)).toEqual({ Sea: ['theirs'] });
});

contract('The number of statements does not depend on the number of linked records', async (subject) => {
  const statements = await Statements.of(subject);
  const sent = async (number: number) => {
    const named = (word: string) => Array.from({ length: number }, (_, index) => `${word}${number}-${index}`);
    const { id, tags } = await bookOf(
      subject,
      `B${number}`,
      ...named('own'),
      ...named('left'),
      ...named('bin'),
    );
    const free = await Promise.all(named('free').map((name) => subject.save(Tag, { name })));
    const body = {
      update: tags.slice(0, number).map((tag) => ({ id: tag, rank: tag })),
      unlink: tags.slice(number, 2 * number),
      delete: tags.slice(2 * number),
      link: free.map((tag) => tag.id),
    };
    const texts = await statements.during(async () => {
      const answer = await by(subject).patch(`/books/${id}`, { tags: body });
      expect([answer.status, answer.body.input_errors]).toEqual([200, {}]);
      const create = named('new').map((name) => ({ name }));
      expect((await by(subject).patch(`/books/${id}`, { tags: { create } })).status).toBe(200);
    });
    expect((await tagsOf(subject))[`B${number}`]).toHaveLength(3 * number);
    // The log of SQLite has a statement for each of its rows.
    return texts.filter((text) => !text.includes('change_record')).length;
  };
  const few = await sent(2);
  expect(await sent(25)).toBe(few);
});

contract('A stale version of a linked record lets nothing be written', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue', 'salt');
  const [blue, salt] = sea.tags;
  const send = (tag: string) => ({ update: [{ id: blue, rank: 4, if_match: tag }], unlink: [salt] });
  const stale = await by(subject).patch(`/books/${sea.id}`, { tags: send('7') });
  expect([stale.status, stale.body.error]).toEqual([412, 'tags.update.0: Precondition Failed']);
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue', 'salt'] });
  expect((await by(subject).patch(`/books/${sea.id}`, { tags: send('1') })).status).toBe(200);
  const refused = await by(subject).patch(`/books/${sea.id}`, { tags: { unlink: [blue] } }, '"1"');
  expect([refused.status, await tagsOf(subject)]).toEqual([412, { Sea: ['blue'] }]);
});

contract('A failing function around a linked record undoes all of it', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const tags = { create: [{ name: 'new' }, { name: 'thrown' }], unlink: sea.tags };
  expect((await by(subject).patch(`/books/${sea.id}`, { title: 'X', tags })).status).toBe(500);
  expect([await tagsOf(subject), await subject.count(Tag)]).toEqual([{ Sea: ['blue'] }, 1]);
});

contract('A unique value that another record has is told at its own place', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const create = [{ name: 'new' }, { name: 'blue' }, { name: 'twice' }, { name: 'twice' }];
  const taken = "Invalid value for 'name': the given value already exists, and must be unique.";
  expectAnswer(
    await by(subject).patch(`/books/${sea.id}`, { tags: { create } }),
    400,
    inputErrors({ 'tags.create.1.name': taken, 'tags.create.3.name': taken }),
  );
});
