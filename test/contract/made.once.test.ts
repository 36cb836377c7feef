import { afterAll, expect } from '@jest/globals';
import { Calls } from '../support/calls.js';
import { once, service, type Subject } from '../support/contract.js';
import { Article, versioned } from './versioned.articles.js';

/** What makes each thing. Whoever renames one of these sees no call of it at first, and the sentences below fail. */
const makers = {
  texts: { 'sql/statement.ts': ['finish'] },
  names: { 'database/pool/postgres.pool.ts': ['preparedName'] },
  headers: {
    'http/answers/answer.style.ts': ['headers', 'joined', '#joined'],
    'wire/header.lines.ts': ['ownLines', 'replacedLines'],
  },
} as const;

const none = { texts: 0, names: 0, headers: 0 };

// An application makes its lists of headers when it starts, which is after this.
const calls = await Calls.begin();

afterAll(() => calls.end());

const { contract } = service(versioned(), once);

/** Asks for something with a record, and gives the status code of the answer. */
type Ask = (request: ReturnType<Subject['request']>, id: number) => Promise<{ readonly status: number }>;

/** One request of each sort, which no other one here resembles. */
const asks = {
  Get: [200, async (request, id) => request.get(`/articles/${id}`)],
  'Get that finds nothing': [404, async (request) => request.get('/public/77')],
  'Conditional Get': [304, async (request, id) => request.get(`/careful/${id}`).set('If-None-Match', '"1"')],
  Search: [200, async (request, id) => request.get(`/articles?id=${id}`)],
  Create: [201, async (request) => request.post('/articles').send({ title: 'Two' })],
  Update: [200, async (request, id) => request.patch(`/articles/${id}`).send({ title: 'Three' })],
  'Update with If-Match': [
    200,
    async (request, id) => request.patch(`/careful/${id}`).set('If-Match', '"1"').send({ title: 'Three' }),
  ],
  Delete: [200, async (request, id) => request.delete(`/articles/${id}`)],
} as const satisfies Record<string, readonly [number, Ask]>;

contract('Lists of headers are made when an application starts', async () => {
  expect((await calls.since(makers)).headers).toBeGreaterThan(0);
});

for (const name of Object.keys(asks) as (keyof typeof asks)[])
  contract(
    `${name} makes no text of a statement, no name of one and no list of headers where a request like it came before`,
    async ({ request, save }) => {
      const [status, ask]: readonly [number, Ask] = asks[name];
      const { id } = await save(Article, { title: 'One' });
      const { id: other } = await save(Article, { title: 'Other' });
      await calls.since(makers);
      expect((await ask(request(), id)).status).toBe(status);
      const first = await calls.since(makers);
      expect(Math.min(first.texts, first.names)).toBeGreaterThan(0);
      expect((await ask(request(), other)).status).toBe(status);
      expect(await calls.since(makers)).toEqual(none);
    },
  );
