import { List } from '@nest-endpoints/core';
import { clientError, expectAnswer } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

const listed = {
  modelClass: Book,
  readableColumnNames: ['title'],
  sortableColumnNames: ['title', 'inPrint', 'author.name'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

const { contract } = service(libraryWith([new List({ ...listed, url: 'books' })]));

contract(
  "A search term on a plain List is refused: Unknown parameter 'x' in the query string",
  async ({ request }) => {
    const answer = await request().get('/books?title=Emma');
    expectAnswer(answer, 400, clientError("Unknown parameter 'title' in the query string"));
  },
);

contract(
  "An unknown parameter is refused: Unknown parameter 'x' in the query string",
  async ({ request }) => {
    for (const name of ['x', 'Limit', 'LIMIT', '__proto__', 'constructor', 'start[]', 'after', 'where'])
      expectAnswer(
        await request().get(`/books?${name}=1`),
        400,
        clientError(`Unknown parameter '${name}' in the query string`),
      );
  },
);

contract(
  "An unknown key of a list's body is refused: Unknown parameter 'x' in the body",
  async ({ request }) => {
    for (const body of ['{"x":1}', '{"__proto__":1}', '{"title":"Emma"}', '{"Sort":"title"}'])
      expectAnswer(
        await request().get('/books').set('Content-Type', 'application/json').send(body),
        400,
        clientError(`Unknown parameter '${String(Object.keys(JSON.parse(body))[0])}' in the body`),
      );
  },
);

contract(
  "A parameter in both places is refused: 'x' is given in both the body and the query string",
  async ({ request }) => {
    const controls = { sort: 'title', direction: 'asc', limit: 1, start: 0 };
    for (const [name, value] of Object.entries(controls))
      expectAnswer(
        await request()
          .get(`/books?${name}=${value}`)
          .send({ [name]: value }),
        400,
        clientError(`'${name}' is given in both the body and the query string`),
      );
  },
);

contract('A repeated query key is refused with a sentence', async ({ request }) => {
  const refusal = clientError("'limit' is given more than once in the query string");
  for (const query of ['limit=1&limit=2', 'limit=1&limit=1', 'limit=1&sort=title&li%6Dit=1'])
    expectAnswer(await request().get(`/books?${query}`), 400, refusal);
});

contract(
  "A sort column that is not sortable is refused: 'sort' must be one of: <sortable columns>",
  async ({ request }) => {
    const refusal = clientError("'sort' must be one of: title, in_print, author.name");
    for (const sort of [
      'pages',
      'inPrint',
      'Title',
      'author',
      '',
      'title%20desc',
      'title,in_print',
      'toString',
    ])
      expectAnswer(await request().get(`/books?sort=${sort}`), 400, refusal);
    for (const sort of ['pages', null, 1, ['title'], { column: 'title' }, true])
      expectAnswer(await request().get('/books').send({ sort }), 400, refusal);
  },
);

contract(
  "A direction that is neither asc nor desc is refused: 'direction' must be asc or desc",
  async ({ request }) => {
    const refusal = clientError("'direction' must be asc or desc");
    for (const direction of ['down', '', 'ascending', 'asc%20', 'de%C5%BFc', '1'])
      expectAnswer(await request().get(`/books?direction=${direction}`), 400, refusal);
    for (const direction of ['down', null, 1, ['asc'], true])
      expectAnswer(await request().get('/books').send({ direction }), 400, refusal);
  },
);

contract("A list's body that is not an object is refused", async ({ request }) => {
  for (const [body, error] of [
    ['[]', 'The request body must be a JSON object'],
    ['null', 'The request body must be a JSON object'],
    ['{', 'The request body is not valid JSON'],
  ] as const) {
    const answer = await request().get('/books').set('Content-Type', 'application/json').send(body);
    expectAnswer(answer, 400, clientError(error));
  }
});

contract('A query string that is not valid UTF-8 is refused with a sentence', async ({ raw }) => {
  for (const query of ['sort=%ff', 'sort=%', '%zz=1', 'sort=%c3%28'])
    expectAnswer(
      await raw('GET', `/books?${query}`),
      400,
      clientError('The query string is not valid percent-encoded UTF-8'),
    );
});
