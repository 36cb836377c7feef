import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import {
  AdvancedSearch,
  Create,
  defineColumns,
  Export,
  Get,
  Import,
  VectorColumn,
  type EmbedContext,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, failure, inputErrors } from '../support/answers.js';
import { pgliteOnly, service, type Subject } from '../support/contract.js';
import { Statements } from '../support/statements.js';
import { told } from './import.rows.js';
import { OfFirstTenant, withExtensions } from './searched.articles.js';

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary(),
    tenant: p.integer().default(1),
    title: p.string().default(''),
    embedding: p.string().columnType('vector(3)').nullable(),
    place: p.string().columnType('vector(2)').nullable(),
  },
});

/** What `embed` was asked. */
const asked: [text: string, context: EmbedContext][] = [];

const embed = (text: string, context: EmbedContext): Promise<number[]> => {
  asked.push([text, context]);
  if (text === 'fails') return Promise.reject(new Error('no model'));
  return Promise.resolve(text === 'odd' ? [1, 2] : [text.length, 1, 0]);
};

defineColumns(Note, {
  embedding: { type: new VectorColumn(3, { embed }) },
  place: { type: new VectorColumn(2, { metric: 'l2' }) },
});

const searched = {
  modelClass: Note,
  readableColumnNames: ['id'],
  searchableColumnNames: ['id', 'title', 'embedding', 'place'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Note],
    endpoints: [
      new AdvancedSearch({ ...searched, url: 'notes' }),
      new AdvancedSearch({ ...searched, url: 'keyset', pagination: 'keyset' }),
      new AdvancedSearch({ ...searched, url: 'own', authorization: new OfFirstTenant() }),
      new AdvancedSearch({
        ...searched,
        url: 'chosen',
        clientSelectsColumns: true,
        readableColumnNames: ['id', 'title'],
      }),
      new Get({ url: 'notes/:id', modelClass: Note, readableColumnNames: ['id', 'embedding'] }),
      new Create({
        url: 'new',
        modelClass: Note,
        readableColumnNames: ['id', 'embedding'],
        writeableColumnNames: ['id', 'embedding'],
      }),
      new Export({ url: 'table', modelClass: Note, readableColumnNames: ['id', 'embedding'] }),
      new Import({ url: 'table', modelClass: Note, writeableColumnNames: ['id', 'embedding'] }),
    ],
    providers: [withExtensions('vector')],
  },
  pgliteOnly,
);

interface Answered {
  readonly status: number;
  readonly body: {
    readonly data: readonly { readonly id: number; readonly distance: number | null }[];
    readonly pagination: object;
  };
}

const near = async (subject: Subject, body: object, url = '/notes'): Promise<Answered['body']> => {
  const answer = (await subject.request().post(url).send(body)) as Answered;
  expect(answer).toMatchObject({ status: 200, body: { error: '' } });
  return answer.body;
};

const ids = ({ data }: Answered['body']): number[] => data.map(({ id }) => id);

const vectors = ['[1,0,0]', '[0,1,0]', '[0.9,0.1,0]', null, '[-1,0,0]', '[2,0,0]', '[0,0,0]'];

const store = ({ em }: Subject): Promise<unknown> =>
  em().insertMany(
    Note,
    vectors.map((embedding, index) => ({
      id: index + 1,
      embedding,
      place: `[${index},0]`,
      tenant: 1 + (index % 2),
    })),
  );

const to = (value: unknown, more: object = {}) => ({ near: { column: 'embedding', value, ...more } });

contract('near sorts by the distance from a vector, and tells it of each record', async (subject) => {
  await store(subject);
  const body = await near(subject, to([1, 0, 0]));
  // What has no vector is near to nothing; what has no direction has no distance.
  expect(ids(body)).toEqual([1, 6, 3, 2, 5, 7]);
  expect(body.data[0]).toEqual({ id: 1, distance: 0 });
  expect(body.data[2]?.distance).toBeCloseTo(0.00612, 4);
  expect(body.data.at(-1)).toEqual({ id: 7, distance: null });
  expect(body.pagination).toEqual({ limit: 50, next_page: {} });
  expect(ids(await near(subject, to([1, 0, 0], { maximum_distance: 0.5 })))).toEqual([1, 6, 3]);
  const ends = await near(subject, { near: { column: 'place', value: [2.2, 0] }, limit: 3 });
  expect(ids(ends)).toEqual([3, 4, 2]);
  expect(ends.pagination).toEqual({ limit: 3, next_page: { start: 3 } });
  const next = await near(subject, { near: { column: 'place', value: [2.2, 0] }, limit: 3, start: 3 });
  expect(ids(next)).toEqual([5, 1, 6]);
  const kept = { where: [{ column: 'id', operator: 'in', value: [2, 5] }], ...to([0, 1, 0]) };
  expect(ids(await near(subject, kept))).toEqual([2, 5]);
  expect(await near(subject, { ...kept, fields: ['title'] }, '/chosen')).toMatchObject({
    data: [{ title: '', distance: 0 }, { title: '' }],
  });
  expect(ids(await near(subject, { ...to([1, 0, 0]), limit: 2 }, '/keyset'))).toEqual([1, 6]);
});

contract('A record that is looked for by its key has its distance, too', async (subject) => {
  await store(subject);
  const whose = (operator: string, value: unknown) => ({ where: [{ column: 'id', operator, value }] });
  for (const asked of [whose('=', 3), whose('in', [3])]) {
    const { data } = await near(subject, { ...asked, ...to([1, 0, 0]) });
    expect(data).toEqual([{ id: 3, distance: expect.closeTo(0.00612, 4) }]);
  }
});

contract('A distance tells nothing of a record that is hidden', async (subject) => {
  await store(subject);
  const body = await near(subject, { ...to([1, 0, 0]), limit: 2 }, '/own');
  expect(body).toMatchObject({ data: [{ id: 1 }, { id: 3 }], pagination: { next_page: { start: 2 } } });
  expect(ids(await near(subject, to([1, 0, 0]), '/own'))).toEqual([1, 3, 5, 7]);
});

contract('A search near to something refuses what does not go with it', async ({ request }) => {
  const list = 'near: value should be a list of 3 finite numbers';
  for (const [body, problem] of [
    [{ near: 5 }, 'near must be an object with column, value, text, maximum_distance'],
    [{ near: {} }, 'near: column is missing'],
    [{ near: { column: 'title', value: [1] } }, 'near: column must be one of: embedding, place'],
    [{ near: { column: 'embedding' } }, 'near: give one of value, text'],
    [to([1, 0, 0], { text: 'a' }), 'near: give one of value, text'],
    [to([1, 0]), list],
    [to([1, 0, '0']), list],
    [to([1, 0, null]), list],
    [to([1, 0, 1e39]), list],
    [to('[1,0,0]'), list],
    [to({ length: 3 }), list],
    [to([0, 0, 0]), 'near: value should have a number other than 0'],
    [to([1, 0, 0], { maximum_distance: '1' }), 'near: maximum_distance should be a finite number'],
    [
      to([1, 0, 0], { metric: 'l2' }),
      `near: 'metric' is unknown; allowed: column, value, text, maximum_distance`,
    ],
    [{ near: { column: 'place', text: 'a' } }, 'near: text is not possible for this column'],
    [{ near: { column: 'embedding', text: '' } }, 'near: text should be between 1 and 1000 characters long'],
    [{ ...to([1, 0, 0]), sort: [] }, `'sort' and 'near' cannot be given together`],
    [{ ...to([1, 0, 0]), limit: 101 }, `'limit' must be between 1 and 100 beside 'near'`],
    [
      { ...to([1, 0, 0]), start: 951 },
      `'start' and 'limit' must not reach beyond 1000 records beside 'near'`,
    ],
  ] as const)
    expectAnswer(await request().post('/notes').send(body), 400, clientError(problem));
  const { body } = await request().post('/keyset').send({ limit: 1 });
  expect(body.status).toBe('success');
  expectAnswer(
    await request()
      .post('/keyset')
      .send({ ...to([1, 0, 0]), after: 'x' }),
    400,
    clientError(`'after' and 'near' cannot be given together`),
  );
  // NaN is no JSON.
  const sent = '{"near":{"column":"embedding","value":[1,0,NaN]}}';
  expect((await request().post('/notes').type('json').send(sent)).status).toBe(400);
});

contract('embed makes the vector of a text before anything is asked of the database', async (subject) => {
  await store(subject);
  asked.length = 0;
  const statements = await Statements.of(subject);
  const sent = await statements.during(async () => {
    expect(ids(await near(subject, { near: { column: 'embedding', text: 'xxxx' }, limit: 2 }))).toEqual([
      3, 1,
    ]);
  });
  expect(
    sent.filter((one) => one.includes('hnsw.iterative_scan') || one.includes('set_config')),
  ).toHaveLength(1);
  expect(asked).toMatchObject([['xxxx', { signal: { aborted: false }, routingData: {} }]]);
  const { request } = subject;
  for (const text of ['fails', 'odd']) {
    const none = await statements.during(async () => {
      const answer = await request()
        .post('/notes')
        .send({ near: { column: 'embedding', text } });
      expectAnswer(answer, 500, failure('Internal Server Error'));
    });
    expect(none).toEqual([]);
  }
  expect(subject.log.text('error')).toContain('value should be a list of 3 finite numbers');
});

contract('A page near to a vector has no record twice and none that a filter hides', async (subject) => {
  const em = subject.em() as SqlEntityManager;
  await em.execute(`insert into note (id, title, tenant, embedding)
    select n, case when n % 100 = 0 then 'rare' else '' end, 1 + n % 2,
      array[sin(n), cos(n * 7), sin(n * 13)]::vector from generate_series(1, 5000) n`);
  await em.execute('create index near_note on note using hnsw (embedding vector_cosine_ops)');
  await em.execute('analyze note');
  // PGlite has one session: the index is used, however few records there are.
  await em.execute('set enable_seqscan = off');
  const where = [{ column: 'title', operator: '=', value: 'rare' }];
  const seen: number[] = [];
  let last = 0;
  for (const start of [0, 10, 20, 30, 40]) {
    const { data } = await near(subject, { ...to([0.3, -0.2, 0.9]), where, limit: 10, start });
    expect(data).toHaveLength(10);
    for (const { id, distance } of data) {
      expect(id % 100).toBe(0);
      expect(distance).toBeGreaterThanOrEqual(last);
      last = Number(distance);
      seen.push(id);
    }
  }
  expect(new Set(seen).size).toBe(50);
  // Those of another tenant have odd numbers.
  const own = await near(subject, { ...to([0.3, -0.2, 0.9]), limit: 100 }, '/own');
  expect(ids(own)).toHaveLength(100);
  expect(ids(own).every((id) => id % 2 === 0)).toBe(true);
  await em.execute('reset enable_seqscan');
  await em.execute('drop index near_note');
});

contract(
  'A Vector column takes a list of so many numbers, and is shown where it is named',
  async ({ request }) => {
    expect(
      (
        await request()
          .post('/new')
          .send({ id: 1, embedding: [1, 0.5, -2] })
      ).body.data,
    ).toEqual({
      id: 1,
      embedding: [1, 0.5, -2],
    });
    expect((await request().get('/notes/1')).body.data).toEqual({ id: 1, embedding: [1, 0.5, -2] });
    expectAnswer(
      await request()
        .post('/new')
        .send({ id: 2, embedding: [1, 2] }),
      400,
      inputErrors({ embedding: 'value should be a list of 3 finite numbers' }),
    );
    expect(
      (
        await request()
          .post('/notes')
          .send({ where: [{ column: 'embedding', operator: 'is null' }] })
      ).body.data,
    ).toEqual([]);
  },
);

contract('What is exported as a table and imported again is the same: vectors', async (subject) => {
  await store(subject);
  const got = async () => (await subject.raw('GET', '/table?format=csv')).text;
  const before = await got();
  await subject.em().nativeDelete(Note, { id: { $ne: 7 } });
  const table = before.replace(/7,.*\r\n/, '');
  expect(await told(subject, '/table', table)).toMatchObject([{ data: { created: 6, failed: 0 } }]);
  expect(await got()).toBe(before);
});
