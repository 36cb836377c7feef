import { expect } from '@jest/globals';
import { ChangeRecord } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Book, bookOf, linked, Tag, tagsOf } from './nested-writes.books.js';
import { by } from './nested-writes.trips.js';

const { contract } = service(linked);

const missing = 'the given record does not exist';

contract('A record is created with new records that are linked to it', async (subject) => {
  const body = { title: 'Sea', tags: [{ name: 'blue' }, { name: 'salt', rank: 2 }] };
  expectAnswer(await by(subject).post('/books', body), 201, success({ id: 1, title: 'Sea', version: 1 }));
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue', 'salt'] });
});

contract('Linked records are created, changed, deleted, linked and unlinked', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue', 'salt', 'deep', 'cold');
  const air = await bookOf(subject, 'Air', 'thin');
  const [blue, salt, deep, cold] = sea.tags;
  const answer = await by(subject).patch(`/books/${sea.id}`, {
    tags: {
      create: [{ name: 'wet' }],
      update: [{ id: blue, name: 'navy' }],
      delete: [salt],
      link: [...air.tags, cold],
      unlink: [deep],
    },
  });
  expectAnswer(answer, 200, success({ id: sea.id, title: 'Sea', version: 2 }));
  expect(await tagsOf(subject)).toEqual({ Sea: ['cold', 'navy', 'thin', 'wet'], Air: ['thin'] });
  expect((await subject.em().find(Tag, {})).map(({ name }) => name).toSorted()).toEqual([
    'cold',
    'deep',
    'navy',
    'thin',
    'wet',
  ]);
});

contract('A record that is linked already is linked once, and nothing has a new version', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const link = { tags: { link: sea.tags } };
  expectAnswer(
    await by(subject).patch(`/books/${sea.id}`, link),
    200,
    success({ id: sea.id, title: 'Sea', version: 1 }),
  );
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue'] });
});

contract('A record that is not linked is told as a missing one', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const air = await bookOf(subject, 'Air', 'thin');
  for (const id of [...air.tags, 999]) {
    const send = (tags: object) => by(subject).patch(`/books/${sea.id}`, { tags });
    expectAnswer(
      await send({ update: [{ id, name: 'x' }] }),
      400,
      inputErrors({ 'tags.update.0.id': missing }),
    );
    for (const word of ['delete', 'unlink'])
      expectAnswer(
        await send({ [word]: [...sea.tags, id] }),
        400,
        inputErrors({ [`tags.${word}.1`]: missing }),
      );
  }
  expectAnswer(
    await by(subject).patch(`/books/${sea.id}`, { tags: { link: [999, ...sea.tags] } }),
    400,
    inputErrors({ 'tags.link.0': missing }),
  );
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue'], Air: ['thin'] });
});

contract('A deleted record is in no list any more, whoever else had it', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const air = await subject.save(Book, { title: 'Air', tags: sea.tags });
  expect((await by(subject).patch(`/books/${air.id}`, { tags: { delete: sea.tags } })).status).toBe(200);
  expect(await tagsOf(subject)).toEqual({ Sea: [], Air: [] });
  expect(await subject.count(Tag)).toBe(0);
});

contract('The other side of a relation between many is written alike', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const air = await bookOf(subject, 'Air', 'thin');
  const [blue] = sea.tags;
  const books = {
    create: [{ title: 'Fire' }],
    update: [{ id: sea.id, title: 'Ocean' }],
    link: [air.id],
  };
  const answer = await by(subject).patch(`/inverse/${blue}`, { books });
  expectAnswer(answer, 200, success({ id: blue, name: 'blue', version: 2 }));
  expect(await tagsOf(subject)).toEqual({ Ocean: ['blue'], Air: ['blue', 'thin'], Fire: ['blue'] });
  await by(subject).patch(`/inverse/${blue}`, { books: { unlink: [air.id], delete: [sea.id] } });
  expect(await tagsOf(subject)).toEqual({ Air: ['thin'], Fire: ['blue'] });
});

contract('A bare list links what it names, and unlinks what it does not', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue', 'salt', 'deep');
  const air = await bookOf(subject, 'Air', 'thin');
  const [blue, salt] = sea.tags;
  const tags = [{ id: blue }, { id: salt, name: 'salty' }, { id: air.tags[0], rank: 5 }, { name: 'new' }];
  const answer = await by(subject).patch(`/lists/${sea.id}`, { tags });
  expect([answer.status, answer.body.input_errors, answer.body.data.version]).toEqual([200, {}, 2]);
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue', 'new', 'salty', 'thin'], Air: ['thin'] });
  expect(await subject.em().findOneOrFail(Tag, { name: 'thin' })).toMatchObject({ rank: 5 });
  expect(await subject.count(Tag)).toBe(5);
  await by(subject).patch(`/lists/${sea.id}`, { tags: [] });
  expect([await tagsOf(subject), await subject.count(Tag)]).toEqual([{ Sea: [], Air: ['thin'] }, 5]);
});

contract('A bare list deletes what it does not name, where nothing is unlinked', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue', 'salt');
  const air = await bookOf(subject, 'Air', 'thin');
  const strange = { tags: [{ id: sea.tags[0] }, { id: air.tags[0] }] };
  expectAnswer(
    await by(subject).patch(`/purges/${sea.id}`, strange),
    400,
    inputErrors({ 'tags.1.id': missing }),
  );
  expect((await by(subject).patch(`/purges/${sea.id}`, { tags: [{ id: sea.tags[0] }] })).status).toBe(200);
  expect([await tagsOf(subject), await subject.count(Tag)]).toEqual([{ Sea: ['blue'], Air: ['thin'] }, 2]);
});

contract('A bare list replaces 1,000 records at most, and not those that nobody may see', async (subject) => {
  const { em, save } = subject;
  const link = async (book: number, number: number, tenant: string) => {
    const names = Array.from({ length: number }, (_, index) => ({ name: `${tenant}${index}`, tenant }));
    await em().insertMany(Tag, names);
    const rows = `select ${book}, id from tag where tenant = '${tenant}'`;
    await em().getConnection().execute(`insert into book_tags (book_id, tag_id) ${rows}`);
  };
  const sea = await save(Book, { title: 'Sea' });
  await link(sea.id, 1001, 'b');
  const send = () => by(subject).patch(`/lists/${sea.id}`, { tags: [] });
  expect((await send()).status).toBe(200);
  await link(sea.id, 1001, 'a');
  const tooMany = inputErrors({ tags: 'a request must not have more than 1000 related records' });
  expectAnswer(await send(), 400, tooMany);
  const air = await save(Book, { title: 'Air' });
  await link(air.id, 10_001, 'c');
  expectAnswer(await by(subject).patch(`/lists/${air.id}`, { tags: [] }), 400, tooMany);
});

contract('The keys of a list and its records are not sent together', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const both = { tag_ids: [], tags: { link: sea.tags } };
  expectAnswer(
    await by(subject).patch(`/books/${sea.id}`, both),
    400,
    inputErrors({ tags: "'tag_ids' is given as well" }),
  );
  expectAnswer(
    await by(subject).post('/books', { title: 'A', tags: [{ name: 'x', book_ids: [sea.id] }] }),
    400,
    inputErrors({ 'tags.0.book_ids': 'Input column book_ids is not an allowed input column.' }),
  );
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue'] });
});

contract('Records of two levels are linked, and one is changed or deleted in one place', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const air = await subject.save(Book, { title: 'Air', tags: sea.tags });
  const [blue] = sea.tags;
  const shelf = await by(subject).post('/shelves', {
    name: 'top',
    books: [{ title: 'Fire', tags: [{ name: 'hot' }] }],
  });
  expect([shelf.status, (await tagsOf(subject))['Fire']]).toEqual([201, ['hot']]);
  await subject.em().nativeUpdate(Book, { id: { $in: [sea.id, air.id] } }, { shelf: shelf.body.data.id });
  const send = (...some: readonly object[]) =>
    by(subject).patch(`/shelves/${shelf.body.data.id}`, {
      books: { update: some.map((tags, index) => ({ id: [sea.id, air.id][index], tags })) },
    });
  const named = 'the same record is named in books.update.0.tags.update.0';
  const update = { update: [{ id: blue, name: 'x' }] };
  expectAnswer(
    await send(update, { delete: [blue] }),
    400,
    inputErrors({ 'books.update.1.tags.delete.0': named }),
  );
  const hot = (await subject.em().findOneOrFail(Tag, { name: 'hot' })).id;
  expect((await send({ link: [hot] }, { link: [hot], unlink: [blue] })).body.input_errors).toEqual({});
  expect(await tagsOf(subject)).toEqual({ Sea: ['blue', 'hot'], Air: ['hot'], Fire: ['hot'] });
});

contract('A link is told in the log as a new version of the record', async (subject) => {
  const sea = await bookOf(subject, 'Sea', 'blue');
  const air = await bookOf(subject, 'Air', 'thin');
  await subject.em().nativeDelete(ChangeRecord, {});
  const tags = { link: air.tags, update: [{ id: sea.tags[0], name: 'navy' }] };
  await by(subject).patch(`/books/${sea.id}`, { tags });
  await by(subject).patch(`/books/${sea.id}`, { tag_ids: [] });
  const rows = await subject.em().find(ChangeRecord, {}, { orderBy: { id: 'asc' } });
  expect(rows.map(({ model, recordId, after }) => [model, Number(recordId), after])).toEqual([
    ['Tag', sea.tags[0], { name: 'navy', version: 2 }],
    ['Book', sea.id, { version: 2 }],
    ['Book', sea.id, { version: 3 }],
  ]);
});
