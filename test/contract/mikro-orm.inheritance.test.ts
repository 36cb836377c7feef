import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, List, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';

const Work = defineEntity({
  name: 'Work',
  discriminatorColumn: 'kind',
  discriminatorValue: 'work',
  properties: {
    id: p.integer().primary().autoincrement(),
    kind: p.string().length(20),
    title: p.string(),
  },
});

const Novel = defineEntity({
  name: 'Novel',
  extends: Work,
  discriminatorValue: 'novel',
  properties: { pages: p.integer().nullable(), sequelOf: () => p.manyToOne(Work).nullable() },
});

const Crime = defineEntity({
  name: 'Crime',
  extends: Novel,
  discriminatorValue: 'crime',
  properties: { culprit: p.string().nullable() },
});

const Review = defineEntity({
  name: 'Review',
  properties: {
    id: p.integer().primary().autoincrement(),
    novel: () => p.manyToOne(Novel).nullable(),
  },
});

/** Says nothing of other entities. */
class TitledA extends Authorization<{ title: string }> {
  override filterModel() {
    return { title: { $like: 'A%' } };
  }
}

const titled = {
  readableColumnNames: ['title'],
  writeableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service(
  {
    entities: [Work, Novel, Crime, Review],
    endpoints: [
      new RestfulApi({ ...titled, url: 'works', modelClass: Work, readableColumnNames: ['kind', 'title'] }),
      new RestfulApi({
        ...titled,
        url: 'novels',
        modelClass: Novel,
        readableColumnNames: ['title', 'pages'],
        writeableColumnNames: ['title', 'pages'],
      }),
      new RestfulApi({
        ...titled,
        url: 'crimes',
        modelClass: Crime,
        outputMap: ({ entity }) => entity.title,
      }),
      new List({
        url: 'sequels',
        modelClass: Novel,
        readableColumnNames: ['title', 'sequelOf.title'],
        sortableColumnNames: ['title'],
        defaultSortColumnName: 'title',
        authorization: new TitledA(),
      }),
      new RestfulApi({
        url: 'reviews',
        modelClass: Review,
        readableColumnNames: ['novel.title'],
        writeableColumnNames: ['novelId'],
        sortableColumnNames: ['id'],
        searchableColumnNames: ['novel.title'],
        defaultSortColumnName: 'id',
      }),
    ],
  },
  everyDatabase,
);

const titlesOf = ({ body }: { body: { data: { title: string }[] } }): string =>
  body.data.map(({ title }) => title).join(' ');

contract('Create of a child entity stores its kind', async ({ request, em }) => {
  const answer = await request().post('/novels').send({ title: 'Emma', pages: 474 });
  expectAnswer(answer, 201, success({ title: 'Emma', pages: 474 }));
  expect(await em().findAll(Work)).toMatchObject([{ kind: 'novel', title: 'Emma', pages: 474 }]);
  const root = await request().post('/works').send({ title: 'Ode' });
  expectAnswer(root, 201, success({ kind: 'work', title: 'Ode' }));
});

contract('A list of a child entity has its records and those of its children', async ({ request, save }) => {
  await save(Work, { title: 'A', kind: 'work' });
  await save(Novel, { title: 'B' });
  await save(Crime, { title: 'C' });
  expect(titlesOf(await request().get('/works'))).toBe('A B C');
  const { body } = await request().get('/novels?limit=1');
  const pagination = { number_results: 2, limit: 1, next_page: { start: 1 } };
  expect(body).toEqual(success([{ title: 'B', pages: null }], pagination));
  expect((await request().get('/crimes')).body.data).toEqual(['C']);
  expect(titlesOf(await request().get('/novels?title=A'))).toBe('');
});

contract('A record of another kind is Not Found', async ({ request, save, em }) => {
  const { id } = await save(Work, { title: 'A', kind: 'work' });
  const other = await save(Novel, { title: 'B' });
  for (const path of [`/novels/${id}`, `/crimes/${id}`, `/crimes/${other.id}`]) {
    expectAnswer(await request().get(path), 404, notFound);
    expectAnswer(await request().patch(path).send({ title: 'C' }), 404, notFound);
    expectAnswer(await request().delete(path), 404, notFound);
  }
  expect(await em().findAll(Work, { orderBy: { id: 'asc' } })).toMatchObject([
    { title: 'A' },
    { title: 'B' },
  ]);
});

contract(
  'A record of a child entity is read and written through its parents',
  async ({ request, save, em }) => {
    const { id } = await save(Crime, { title: 'A', culprit: 'the gardener' });
    expectAnswer(await request().get(`/novels/${id}`), 200, success({ title: 'A', pages: null }));
    const answer = await request().patch(`/works/${id}`).send({ title: 'B' });
    expectAnswer(answer, 200, success({ kind: 'crime', title: 'B' }));
    expect(await em().findAll(Crime)).toMatchObject([{ title: 'B', culprit: 'the gardener' }]);
    expectAnswer(await request().delete(`/works/${id}`), 200, success({}));
  },
);

contract('A relation takes records of its own kind only', async ({ request, save }) => {
  const { id } = await save(Work, { title: 'A', kind: 'work' });
  const novel = await save(Novel, { title: 'B' });
  const crime = await save(Crime, { title: 'C' });
  const refusal = inputErrors({ novel_id: 'the given record does not exist' });
  expectAnswer(await request().post('/reviews').send({ novel_id: id }), 400, refusal);
  for (const { id: key, title } of [novel, crime])
    expectAnswer(
      await request().post('/reviews').send({ novel_id: key }),
      201,
      success({ novel: { title } }),
    );
  const { body } = await request().get('/reviews?novel.title=C');
  expect(body.data).toEqual([{ novel: { title: 'C' } }]);
});

contract('A rule about an entity holds for all records of its table', async ({ request, save }) => {
  const { id: ours } = await save(Work, { title: 'A', kind: 'work' });
  const { id: others } = await save(Work, { title: 'B', kind: 'work' });
  await save(Novel, { title: 'A 2', sequelOf: ours });
  await save(Novel, { title: 'A 3', sequelOf: others });
  await save(Novel, { title: 'C', sequelOf: ours });
  const { body } = await request().get('/sequels');
  expect(body.data).toEqual([
    { title: 'A 2', sequel_of: { title: 'A' } },
    { title: 'A 3', sequel_of: null },
  ]);
});
