import { expect } from '@jest/globals';
import { success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Article, Ledger, Letter, Memo, Topic, versioned, Writer } from './versioned.articles.js';

const { contract } = service(versioned());

const hashed = /^"(\d+)-[\w-]{22}"$/;

contract('Get answers the version of the record as its ETag', async ({ request, save }) => {
  const { id } = await save(Article, { title: 'One' });
  const { headers, body } = await request().get(`/articles/${id}`);
  expect(headers['etag']).toBe('"1"');
  expect(body).toEqual(success({ id, title: 'One', pages: null }));
});

contract('Create answers the ETag of the new record', async ({ request }) => {
  const { status, headers, body } = await request().post('/articles').send({ title: 'One' });
  expect([status, headers['etag']]).toEqual([201, '"1"']);
  expect(body).toEqual(success({ id: 1, title: 'One', pages: null }));
});

contract('Update answers the ETag of the changed record', async ({ request, save }) => {
  const { id } = await save(Article, { title: 'One' });
  const { headers, body } = await request().patch(`/articles/${id}`).send({ pages: 2 });
  expect(headers['etag']).toBe('"2"');
  expect(body).toEqual(success({ id, title: 'One', pages: 2 }));
  expect((await request().get(`/articles/${id}`)).headers['etag']).toBe('"2"');
});

contract(
  'An Update through functions of the life cycle counts the version, too',
  async ({ request, save }) => {
    const { id } = await save(Article, { title: 'One' });
    expect((await request().patch(`/hooked/${id}`).send({ pages: 2 })).headers['etag']).toBe('"2"');
    expect((await request().patch(`/articles/${id}`).send({ pages: 3 })).headers['etag']).toBe('"3"');
  },
);

contract('An Update with unchanged values leaves version and ETag alone', async ({ request, save, em }) => {
  const { id } = await save(Article, { title: 'One', pages: 2 });
  for (const url of ['articles', 'hooked', 'mapped'])
    for (const values of [{}, { title: 'One' }, { title: 'One', pages: 2 }]) {
      const { status, headers } = await request().patch(`/${url}/${id}`).send(values);
      expect([status, headers['etag']?.split('-')[0]?.replaceAll('"', '')]).toEqual([200, '1']);
    }
  expect(await em().findOne(Article, { id })).toMatchObject({ version: 1 });
});

contract(
  'An answer that shows more than columns of the record has a hash of its data in the ETag',
  async ({ request, save }) => {
    const writer = await save(Writer, { name: 'Ann' });
    const { id } = await save(Article, { title: 'One', writer });
    for (const url of ['written', 'mapped', 'topical']) {
      const { headers } = await request().get(`/${url}/${id}`);
      expect(headers['etag']).toMatch(hashed);
    }
  },
);

contract('Other names of the same columns are another answer, which has a hash', async (subject) => {
  const { id } = await subject.save(Article, { title: 'One' });
  for (const query of ['', '?fields=headline']) {
    const asked = () => subject.request().get(`/renamed/${id}${query}`);
    const { headers, body, status } = await asked().set('If-None-Match', '"1"');
    expect([status, body.data.headline, headers['etag']]).toEqual([
      200,
      'One',
      expect.stringMatching(hashed),
    ]);
    expect((await asked().set('If-None-Match', String(headers['etag']))).status).toBe(304);
  }
});

contract('An ETag with a hash differs when a shown parent has changed', async ({ request, save, em }) => {
  const writer = await save(Writer, { name: 'Ann' });
  const { id } = await save(Article, { title: 'One', writer });
  const before = (await request().get(`/written/${id}`)).headers['etag'];
  expect((await request().get(`/written/${id}`)).headers['etag']).toBe(before);
  await em().nativeUpdate(Writer, { id: writer.id }, { name: 'Bea' });
  const after = (await request().get(`/written/${id}`)).headers['etag'];
  expect(after).not.toBe(before);
  expect(hashed.exec(String(after))?.[1]).toBe('1');
});

contract(
  'An ETag with a hash differs when a shown formula gives another value',
  async ({ request, save }) => {
    const { id } = await save(Ledger, { name: 'One' });
    const before = (await request().get(`/ledgers/${id}`)).headers['etag'];
    expect(before).toMatch(hashed);
    await save(Memo, { text: 'One' });
    const { status, body } = await request().get(`/ledgers/${id}`).set('If-None-Match', String(before));
    expect([status, body.data]).toEqual([200, { name: 'One', memos: 1 }]);
  },
);

contract('Create, Update and Get of one endpoint agree on an ETag with a hash', async ({ request, save }) => {
  const writer = await save(Writer, { name: 'Ann' });
  for (const url of ['written', 'mapped']) {
    const created = await request().post(`/${url}`).send({ title: 'One', writer_id: writer.id });
    const id = url === 'mapped' ? created.body.data.id : 1;
    expect(created.headers['etag']).toBe((await request().get(`/${url}/${id}`)).headers['etag']);
    const updated = await request().patch(`/${url}/${id}`).send({ title: 'Two' });
    expect(updated.headers['etag']).toMatch(/^"2-/);
    expect(updated.headers['etag']).toBe((await request().get(`/${url}/${id}`)).headers['etag']);
  }
});

contract('outputMap does not see the version that is read for the ETag', async ({ request, save }) => {
  const { id } = await save(Article, { title: 'One' });
  const { body } = await request().get(`/mapped/${id}`);
  const keys = ['id', 'title', 'pages'];
  expect(body).toEqual(success({ id, title: 'One', pages: null, keys, by: null }));
});

contract('A version column may be shown beside the ETag, in any casing', async ({ request, save }) => {
  const { id } = await save(Article, { title: 'One' });
  const shown = await request().get(`/shown/${id}`);
  expect([shown.headers['etag'], shown.body.data]).toEqual(['"1"', { title: 'One', version: 1 }]);
  const titled = await request().patch(`/titled/${id}`).send({ Pages: 3 });
  expect([titled.headers['etag'], titled.body.Data]).toEqual(['"2"', { Id: id, Title: 'One', Pages: 3 }]);
});

contract('A version that is a time stands in the ETag with all its digits', async ({ request, save }) => {
  const { id } = await save(Letter, { text: 'One' });
  const { etag } = (await request().get(`/letters/${id}`)).headers;
  expect(etag).toMatch(/^"(?:\d{8}T\d{6}(?:\.\d{1,6})?Z|\d{13})"$/);
  expect((await request().get(`/letters/${id}`)).headers['etag']).toBe(etag);
});

contract(
  'Answers about models without a version, lists and refusals have no ETag',
  async ({ request, save }) => {
    const memo = await save(Memo, { text: 'One' });
    await save(Article, { title: 'One' });
    const answers = [
      await request().get(`/memos/${memo.id}`),
      await request().post('/memos').send({ text: 'Two' }),
      await request().patch(`/memos/${memo.id}`).send({ text: 'Three' }),
      await request().get('/articles'),
      await request().get('/articles/99'),
      await request().delete('/articles/1'),
    ];
    expect(answers.map(({ headers }) => headers['etag'])).toEqual(answers.map(() => undefined));
  },
);

contract('A list of records that an Update changes counts the version', async ({ request, save }) => {
  const [one, two] = [await save(Topic, { name: 'a' }), await save(Topic, { name: 'b' })];
  const shelf = await request()
    .post('/shelves')
    .send({ topic_ids: [one.id] });
  expect(shelf.headers['etag']).toBe('"1"');
  const path = `/shelves/${String(shelf.body.data.id)}`;
  expect(
    (
      await request()
        .patch(path)
        .send({ topic_ids: [one.id] })
    ).headers['etag'],
  ).toBe('"1"');
  expect(
    (
      await request()
        .patch(path)
        .send({ topic_ids: [two.id] })
    ).headers['etag'],
  ).toBe('"2"');
  const { id } = await save(Article, { title: 'One' });
  const changed = await request()
    .patch(`/listing/${id}`)
    .send({ topic_ids: [one.id], pages: 1 });
  expect(changed.headers['etag']).toBe('"2"');
  const listed = await request()
    .patch(`/listing/${id}`)
    .send({ topic_ids: [two.id] });
  expect(listed.headers['etag']).toBe('"3"');
});
