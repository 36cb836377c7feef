import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, EndpointGroup, SimpleSearch } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Shelf = defineEntity({
  name: 'Shelf',
  filters: { open: { name: 'open', cond: { closed: false }, default: true } },
  properties: { id: p.integer().primary(), name: p.string(), closed: p.boolean().default(false) },
});

const Leaf = defineEntity({
  name: 'Leaf',
  filters: { kept: { name: 'kept', cond: { lost: false }, default: true } },
  properties: {
    id: p.integer().primary(),
    owner: p.string(),
    color: p.string(),
    draft: p.boolean(),
    lost: p.boolean(),
    shelf: () => p.manyToOne(Shelf).nullable(),
  },
});

class Owners extends Authorization<{ owner: string }, { owner: string }> {
  override filterModel(_query: unknown, { owner }: { owner: string }) {
    return { owner };
  }
}

const leaves = {
  modelClass: Leaf,
  readableColumnNames: ['id', 'shelf.name'],
  searchableColumnNames: ['color', 'shelf.name'],
  sortableColumnNames: ['id', 'shelf.name'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Leaf, Shelf],
    endpoints: [
      new SimpleSearch({ ...leaves, url: 'leaves' }),
      new SimpleSearch({ ...leaves, url: 'printed', where: ['draft=false'] }),
      new SimpleSearch({ ...leaves, url: 'bound', where: [({ query }) => query.where({ draft: false })] }),
      new EndpointGroup({
        authentication: new Claims(),
        authorization: new Owners(),
        endpoints: [new SimpleSearch({ ...leaves, url: 'own' })],
      }),
    ],
  },
  everyDatabase,
);

const start = 1000;
const usual = { owner: 'me', color: 'red', draft: false, lost: false };

/** So many leaves that nobody hides, and one behind each that is told from them by `different`. */
const fill = async ({ em }: Subject, different: Partial<typeof usual>, shelf?: number): Promise<void> => {
  const all = Array.from({ length: start + 2 }, (_, index) => [
    { ...usual, id: 2 * index + 1, ...(shelf === undefined ? {} : { shelf }) },
    { ...usual, id: 2 * index + 2, ...different },
  ]);
  await em().insertMany(Leaf, all.flat());
};

/** The keys of the page behind the first thousand, and how many there are of all. */
const behind = async ({ request }: Subject, path: string, query: object = {}): Promise<unknown> => {
  const claims = { 'X-Claims': JSON.stringify({ owner: 'me' }) };
  const { status, body } = await request()
    .get(path)
    .query({ start, ...query })
    .set(claims);
  expect(status).toBe(200);
  return [(body.data as { id: number }[]).map(({ id }) => id), body.pagination.number_results];
};

/** The last two that nobody hides. */
const rest = [[2 * start + 1, 2 * start + 3], start + 2];

contract('A page behind a thousand records holds what was searched for alone', async (subject) => {
  await fill(subject, { color: 'blue' });
  expect(await behind(subject, '/leaves', { color: 'red' })).toEqual(rest);
});

contract('A page behind a thousand records obeys fixed conditions', async (subject) => {
  await fill(subject, { draft: true });
  for (const path of ['/printed', '/bound']) expect(await behind(subject, path)).toEqual(rest);
});

contract('A page behind a thousand records shows what the authorization lets see', async (subject) => {
  await fill(subject, { owner: 'somebody else' });
  expect(await behind(subject, '/own')).toEqual(rest);
});

contract("A page behind a thousand records obeys MikroORM's default filters", async (subject) => {
  await fill(subject, { lost: true });
  for (const path of ['/leaves', '/own']) expect(await behind(subject, path)).toEqual(rest);
});

contract('A page behind a thousand records obeys searches and filters of its parents', async (subject) => {
  await subject.save(Shelf, { id: 1, name: 'top' });
  await fill(subject, {}, 1);
  const search = { 'shelf.name': 'top', sort: 'shelf.name' };
  expect(await behind(subject, '/leaves', search)).toEqual(rest);
  await subject.em().nativeUpdate(Shelf, 1, { closed: true });
  expect(await behind(subject, '/leaves', search)).toEqual([[], 0]);
  const { body } = await subject.request().get('/leaves').query({ start, limit: 1 });
  expect(body.data).toEqual([{ id: start + 1, shelf: null }]);
});
