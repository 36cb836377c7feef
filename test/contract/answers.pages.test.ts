import { expect } from '@jest/globals';
import { AdvancedSearch, Cors, EndpointGroup, List, PlainAnswers, SimpleSearch } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const listed = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title', 'pages'],
  searchableColumnNames: ['title', 'pages'],
  defaultSortColumnName: 'title',
} as const;

const answers = new PlainAnswers();

const { contract } = service(
  libraryWith([
    new EndpointGroup({
      answers,
      endpoints: [
        new SimpleSearch({ ...listed, url: 'books' }),
        new SimpleSearch({ ...listed, url: 'keyset', pagination: 'keyset' }),
        new AdvancedSearch({ ...listed, url: 'search' }),
        new AdvancedSearch({ ...listed, url: 'search/keyset', pagination: 'keyset' }),
        new List({ ...listed, url: 'uncounted', count: 'none' }),
        new List({ ...listed, url: 'by/:shelf/titles', externalCasing: 'TitleCase' }),
        new List({
          ...listed,
          url: 'linked',
          responseHeaders: ['Link: </style.css>; rel="preload"'],
          securityHeaders: [new Cors('https://app.example')],
        }),
      ],
    }),
    new AdvancedSearch({ ...listed, url: 'standard/search' }),
  ]),
);

const titles = ['Emma', 'Lady Susan', 'Mansfield Park', 'Persuasion', 'Sanditon'];

const fill = async ({ save }: Subject): Promise<void> => {
  for (const [index, title] of titles.entries()) await save(Book, { title, pages: 100 + index });
};

/** The targets of `Link` by their relations. */
const linksIn = (header: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(header ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target = '', relation = '']) => [
      relation,
      target,
    ]),
  );

/** Walks from page to page with the same method and body, as `Link` says. */
const walked = async ({ raw }: Subject, method: string, path: string, body?: object): Promise<unknown[]> => {
  const found: unknown[] = [];
  let target: string | undefined = path;
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  for (let page = 0; target !== undefined && page < 10; page += 1) {
    const answer = await raw(method, target, sent);
    expect(answer.status).toBe(200);
    found.push(...(answer.body as { title: string }[]).map(({ title }) => title));
    target = linksIn(String(answer.headers['link']))['next'];
  }
  return found;
};

contract('Link has the first page and the next, and the one before', async (subject) => {
  await fill(subject);
  const links = async (path: string) => (await subject.request().get(path)).headers['link'];
  expect(await links('/books?limit=2')).toBe(
    '</books?limit=2>; rel="first", </books?limit=2&start=2>; rel="next"',
  );
  expect(await links('/books?start=2&limit=2')).toBe(
    '</books?limit=2>; rel="first", </books?limit=2&start=0>; rel="prev", </books?limit=2&start=4>; rel="next"',
  );
  expect(await links('/books?limit=2&start=4')).toBe(
    '</books?limit=2>; rel="first", </books?limit=2&start=2>; rel="prev"',
  );
  expect(await links('/books?limit=3&start=1')).toContain('</books?limit=3&start=0>; rel="prev"');
  expect(await links('/books')).toBe('</books>; rel="first"');
});

contract('Following Link shows every record once, by offset and by keyset', async (subject) => {
  await fill(subject);
  for (const path of ['/books?limit=2', '/keyset?limit=2', '/keyset?limit=1&sort=pages'])
    expect(await walked(subject, 'GET', path)).toEqual(titles);
});

contract('A search by a body goes on at the url of Link with the same body', async (subject) => {
  await fill(subject);
  const where = [{ column: 'pages', operator: '>', value: 100 }];
  for (const path of ['/search', '/search/keyset'])
    for (const method of ['POST', 'QUERY'])
      expect(await walked(subject, method, path, { limit: 2, where })).toEqual(titles.slice(1));
  expect(await walked(subject, 'POST', '/books', { limit: 2 })).toEqual(titles);
  expect(await walked(subject, 'GET', '/search')).toEqual(titles);
});

contract(
  'An AdvancedSearch with plain answers takes the words for pages from the query string alone',
  async (subject) => {
    await fill(subject);
    const { request } = subject;
    const { body } = await request().get('/search?start=3');
    expect(body).toEqual(titles.slice(3).map((title) => ({ title })));
    const refused = async (path: string, sent: object) => (await request().post(path).send(sent)).body.detail;
    expect(await refused('/search?start=3', { start: 1 })).toBe(
      "'start' is given in both the body and the query string",
    );
    expect(await refused('/search?start=x', {})).toBe("'start' must be a whole number from 0");
    for (const name of ['limit', 'sort', 'after'])
      expect(await refused(`/search?${name}=1`, {})).toBe(
        `Unknown parameter '${name}' in the query string: this search takes a JSON body`,
      );
    expectAnswer(
      await request().get('/standard/search?start=3'),
      400,
      clientError("Unknown parameter 'start' in the query string: this search takes a JSON body"),
    );
  },
);

contract('Link keeps what was asked for, with nothing in it that a header must not have', async (subject) => {
  await subject.save(Book, { title: 'a "<b>" & c' });
  await subject.save(Book, { title: 'a "<b>" & c' });
  const answer = await subject.raw('GET', `/books?title=a+"<b>"+%26+c&limit=1&direction=desc`);
  expect(answer.headers['link']).toBe(
    '</books?title=a+%22%3Cb%3E%22+%26+c&limit=1&direction=desc>; rel="first", ' +
      '</books?title=a+%22%3Cb%3E%22+%26+c&limit=1&direction=desc&start=1>; rel="next"',
  );
  const { next = '' } = linksIn(String(answer.headers['link']));
  expect((await subject.raw('GET', next)).body).toEqual([{ title: 'a "<b>" & c' }]);
});

contract('Of a very long query string Link has the next page alone', async (subject) => {
  await fill(subject);
  const { headers } = await subject.request().get(`/books?limit=2${'&'.repeat(1000)}`);
  expect(Object.keys(linksIn(headers['link']))).toEqual(['next']);
});

contract('Link uses the words and the path as the client writes them', async (subject) => {
  await fill(subject);
  const { headers, body } = await subject.request().get('/by/a%20b/titles?Limit=2&start=2');
  expect(headers['link']).toBe(
    '</by/a%20b/titles?Limit=2>; rel="first", </by/a%20b/titles?Limit=2&Start=0>; rel="prev", ' +
      '</by/a%20b/titles?Limit=2&Start=4>; rel="next"',
  );
  expect(body[0]).toEqual({ Title: 'Mansfield Park' });
});

contract('A list that does not count has no X-Total-Count', async (subject) => {
  await fill(subject);
  const { headers } = await subject.request().get('/uncounted?limit=2');
  expect(headers['x-total-count']).toBeUndefined();
  expect(linksIn(headers['link'])['next']).toBe('/uncounted?limit=2&start=2');
});

contract(
  'Links of responseHeaders stay, and scripts of other origins may read both headers',
  async (subject) => {
    await fill(subject);
    const { headers } = await subject.request().get('/linked');
    expect(headers['link']).toBe('</style.css>; rel="preload", </linked>; rel="first"');
    expect(headers['access-control-expose-headers']).toBe('Link, X-Total-Count');
  },
);
