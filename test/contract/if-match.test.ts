import { expect, test } from '@jest/globals';
import { Create, Delete, RestfulApi, Update } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { Statements, verbOf } from '../support/statements.js';
import { stopped } from './stopped.js';
import { Article, articles, Letter, Memo, versioned, Writer } from './versioned.articles.js';

const { contract } = service(versioned());

const failed = clientError('Precondition Failed');
const required = clientError('Precondition Required');

/** Endpoints whose writes are one statement where they can be, and some whose never are. */
const everyWay = ['articles', 'hooked'] as const;

const patch = ({ request }: Subject, path: string, tags: string, values: object = { title: 'Two' }) =>
  request().patch(path).set('If-Match', tags).send(values);

contract('Update writes where If-Match has the ETag', async (subject) => {
  for (const url of everyWay) {
    const { id } = await subject.save(Article, { title: 'One' });
    const answer = await patch(subject, `/${url}/${id}`, '"1"');
    expectAnswer(answer, 200, success({ id, title: 'Two', pages: null }));
    expect(answer.headers['etag']).toBe('"2"');
  }
});

contract('Update is 412, Precondition Failed, where If-Match has only other ETags', async (subject) => {
  for (const url of everyWay) {
    const { id } = await subject.save(Article, { title: 'One' });
    for (const tags of ['"2"', '"0", "x"', 'W/"1"', '""', '"01"', '"1x"', '"99999999999999999999"', '"-1"'])
      expectAnswer(await patch(subject, `/${url}/${id}`, tags), 412, failed);
    expect(await subject.em().findOne(Article, { id })).toMatchObject({ title: 'One', version: 1 });
  }
});

contract('If-Match takes lists and any tag', async (subject) => {
  for (const url of everyWay)
    for (const tags of ['"7", "1"', 'W/"7" ,"1",', '*']) {
      const { id } = await subject.save(Article, { title: 'One' });
      expect((await patch(subject, `/${url}/${id}`, tags)).status).toBe(200);
    }
});

contract('If-Match compares the version alone, whatever hash stands behind it', async (subject) => {
  const { request, save, em } = subject;
  const writer = await save(Writer, { name: 'Ann' });
  const { id } = await save(Article, { title: 'One', writer });
  const etag = String((await request().get(`/written/${id}`)).headers['etag']);
  await em().nativeUpdate(Writer, { id: writer.id }, { name: 'Bea' });
  expect((await patch(subject, `/written/${id}`, etag)).status).toBe(200);
  expect((await patch(subject, `/written/${id}`, etag)).status).toBe(412);
  expect((await patch(subject, `/written/${id}`, '"2"', { title: 'Three' })).status).toBe(200);
  expect((await patch(subject, `/articles/${id}`, `"3-${'x'.repeat(22)}"`, { title: 'Four' })).status).toBe(
    200,
  );
});

contract(
  'An Update with unchanged values and If-Match succeeds, and leaves the version alone',
  async (subject) => {
    for (const url of everyWay) {
      const { id } = await subject.save(Article, { title: 'One' });
      for (const values of [{}, { title: 'One' }]) {
        const answer = await patch(subject, `/${url}/${id}`, '"1"', values);
        expect([answer.status, answer.headers['etag']]).toEqual([200, '"1"']);
        expectAnswer(await patch(subject, `/${url}/${id}`, '"2"', values), 412, failed);
      }
    }
  },
);

contract('Delete removes only the version that If-Match names', async ({ request, save, count }) => {
  for (const url of everyWay) {
    const { id } = await save(Article, { title: 'One' });
    const path = `/${url}/${id}`;
    expectAnswer(await request().delete(path).set('If-Match', '"2"'), 412, failed);
    expect(await count(Article)).toBe(1);
    expectAnswer(await request().delete(path).set('If-Match', '"1"'), 200, success({}));
    expect(await count(Article)).toBe(0);
  }
});

contract('A record that is not there or hidden is Not Found whatever If-Match says', async (subject) => {
  const { id } = await subject.save(Article, { title: 'One', isPublic: false });
  for (const tags of ['"1"', '"2"', '*'])
    for (const path of ['/articles/99', '/hooked/99', `/public/${id}`]) {
      expectAnswer(await patch(subject, path, tags), 404, notFound);
      expectAnswer(await subject.request().delete(path).set('If-Match', tags), 404, notFound);
    }
  expect(await subject.count(Article)).toBe(1);
});

contract(
  'An unreadable If-Match is 400, client_error, with a sentence that names it, and nothing is written',
  async (subject) => {
    const { request, save, em } = subject;
    const sentence = clientError('The header If-Match must be * or a list of entity tags in double quotes');
    const { id } = await save(Article, { title: 'One' });
    const memo = await save(Memo, { text: 'One' });
    for (const tags of ['1', '"1', "'1'", '"1" "2"', '*,"1"', 'w/"1"', '""1""', ',']) {
      for (const path of [`/articles/${id}`, `/hooked/${id}`, `/memos/${memo.id}`]) {
        expectAnswer(await patch(subject, path, tags), 400, sentence);
        expectAnswer(await request().delete(path).set('If-Match', tags), 400, sentence);
      }
    }
    expect(await em().findAll(Article)).toMatchObject([{ title: 'One', version: 1 }]);
  },
);

contract('On a model without a version no listed tag matches, and any tag does', async (subject) => {
  const { request, save, count } = subject;
  const { id } = await save(Memo, { text: 'One' });
  const path = `/memos/${id}`;
  expectAnswer(await patch(subject, path, '"1"', { text: 'Two' }), 412, failed);
  expectAnswer(await request().delete(path).set('If-Match', '"1"'), 412, failed);
  expectAnswer(await patch(subject, '/memos/99', '"1"', { text: 'Two' }), 404, notFound);
  expectAnswer(await patch(subject, path, '*', { text: 'Two' }), 200, success({ text: 'Two' }));
  expectAnswer(await request().delete(path).set('If-Match', '*'), 200, success({}));
  expect(await count(Memo)).toBe(0);
});

contract('What can be said of the input alone is said before If-Match is looked at', async (subject) => {
  const { id } = await subject.save(Article, { title: 'One' });
  const answer = await patch(subject, `/articles/${id}`, '"9"', { pages: 'many' });
  expectAnswer(answer, 400, inputErrors({ pages: 'value should be an integer' }));
});

contract('A stale If-Match is 412 before the database is asked about the input', async (subject) => {
  await subject.save(Article, { title: 'One', slug: 'taken' });
  for (const url of everyWay) {
    const { id } = await subject.save(Article, { title: 'Two' });
    expectAnswer(await patch(subject, `/${url}/${id}`, '"9"', { slug: 'taken' }), 412, failed);
    const taken = "Invalid value for 'slug': the given value already exists, and must be unique.";
    expectAnswer(
      await patch(subject, `/${url}/${id}`, '"1"', { slug: 'taken' }),
      400,
      inputErrors({ slug: taken }),
    );
  }
});

contract('If-Match knows versions that are times', async (subject) => {
  const { request, save, em } = subject;
  const { id } = await save(Letter, { text: 'One' });
  await em().nativeUpdate(Letter, { id }, { version: new Date('2026-01-02T03:04:05.678Z') });
  const etag = String((await request().get(`/letters/${id}`)).headers['etag']);
  const answer = await patch(subject, `/letters/${id}`, etag, { text: 'Two' });
  expectAnswer(answer, 200, success({ text: 'Two' }));
  expect(answer.headers['etag']).not.toBe(etag);
  expectAnswer(await patch(subject, `/letters/${id}`, etag, { text: 'Three' }), 412, failed);
  expectAnswer(await request().delete(`/letters/${id}`).set('If-Match', etag), 412, failed);
});

contract(
  'preconditionRequired makes a write without If-Match 428, Precondition Required',
  async (subject) => {
    const { request, save, em } = subject;
    const { id } = await save(Article, { title: 'One' });
    expectAnswer(await request().patch(`/careful/${id}`).send({ title: 'Two' }), 428, required);
    expectAnswer(await request().delete(`/careful/${id}`), 428, required);
    expect(await em().findAll(Article)).toMatchObject([{ title: 'One' }]);
    expect((await request().get(`/careful/${id}`)).headers['etag']).toBe('"1"');
    expect((await patch(subject, `/careful/${id}`, '"1"')).status).toBe(200);
    expect((await request().delete(`/careful/${id}`).set('If-Match', '"2"')).status).toBe(200);
    expect((await request().post('/careful').send({ title: 'New' })).status).toBe(201);
  },
);

const memos = { modelClass: Memo, readableColumnNames: ['text'], writeableColumnNames: ['text'] } as const;
const given = { entities: [Memo] };

test('preconditionRequired on a model without a version stops the start', async () => {
  const problem = /preconditionRequired: Memo has no version/;
  const update = () => new Update({ ...memos, url: 'memos/:id', preconditionRequired: true });
  expect(await stopped(update, given)).toMatch(problem);
  const remove = () => new Delete({ modelClass: Memo, url: 'memos/:id', preconditionRequired: true });
  expect(await stopped(remove, given)).toMatch(problem);
  const api = () =>
    new RestfulApi({
      ...memos,
      url: 'memos',
      preconditionRequired: true,
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    });
  expect(await stopped(api, given)).toMatch(problem);
});

test('A writeable version column stops the start', async () => {
  const create = () =>
    new Create({ ...articles, url: 'articles', writeableColumnNames: ['title', 'version'] as never });
  expect(await stopped(create, { entities: versioned().entities })).toMatch(
    /writeableColumnNames: 'version' cannot be written: MikroORM counts it/,
  );
});

const direct = service({ ...versioned(), route: 'direct' }, once);

direct.contract('With If-Match an Update is one statement, too', async (subject) => {
  const statements = await Statements.of(subject);
  const { id } = await subject.save(Article, { title: 'One' });
  // The first write asks the catalogue about the table.
  expect((await patch(subject, `/articles/${id}`, '"1"')).status).toBe(200);
  const sent = await statements.during(() => patch(subject, `/articles/${id}`, '"2"', { title: 'Three' }));
  expect(sent.map(verbOf)).toEqual(['update']);
  expect(await subject.em().findOne(Article, { id })).toMatchObject({ title: 'Three', version: 3 });
});
