import { expect, jest } from '@jest/globals';
import { MinimumValue } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';

const titles = { readableColumnNames: ['title'] } as const;
const validate = jest.fn(() => ({ title: 'not this one' }));

const { contract } = service(
  libraryWith(
    [
      books({ ...titles, url: 'put', createRequestMethods: ['PUT'] }),
      books({ ...titles, url: 'several', listRequestMethods: ['POST', 'QUERY'], createEndpoint: null }),
      books({ ...titles, url: 'fetched', getRequestMethods: ['GET', 'QUERY'] }),
      books({ ...titles, url: 'replaced', updateRequestMethods: ['PUT', 'PATCH'] }),
      books({ ...titles, url: 'posted', deleteRequestMethods: ['POST'] }),
      books({ ...titles, url: 'narrowed', requestMethods: ['GET', 'PATCH'] }),
      books({
        ...titles,
        url: 'narrower',
        createRequestMethods: ['POST', 'PUT'],
        requestMethods: ['PUT', 'QUERY'],
      }),
      books({ ...titles, url: 'headed', responseHeaders: ['X-Shelf: 7'] }),
      books({ ...titles, url: 'mapped', outputMap: ({ entity }) => entity.title.toUpperCase() }),
      books({ ...titles, url: 'validated', inputValidationCallable: validate }),
      books({ ...titles, url: 'forced', transformInputTypes: true }),
      books({ ...titles, url: 'paged', defaultLimit: 1, maximumLimit: 2, defaultSortDirection: 'DESC' }),
      books({ ...titles, url: 'accepted', createStatus: 202 }),
      books({
        ...titles,
        url: 'overridden',
        columnOverrides: { pages: { validators: [new MinimumValue(10)] } },
      }),
      books({ ...titles, url: 'unlimited', maximumLimit: 0 }),
      books({ ...titles, url: 'authors/:authorId/books', includeRoutingDataInRequestData: true }),
    ],
    { root: { maximumLimit: 60 } },
  ),
);

const emma = { title: 'Emma', isbn: '42' };

contract('create_request_methods sets the methods of create', async ({ request }) => {
  expectAnswer(await request().put('/put').send(emma), 201, success({ title: 'Emma' }));
  expectAnswer(await request().post('/put').send(emma), 404, notFound);
});

contract('list_request_methods sets the methods of list', async ({ request, query }) => {
  for (const answer of [request().post('/several'), query('/several').send({})])
    expect((await answer).status).toBe(200);
  expectAnswer(await request().get('/several'), 404, notFound);
});

contract('get_request_methods sets the methods of get', async ({ request, query, save }) => {
  const { id } = await save(Book, emma);
  for (const answer of [request().get(`/fetched/${id}`), query(`/fetched/${id}`)])
    expectAnswer(await answer, 200, success({ title: 'Emma' }));
});

contract('update_request_methods sets the methods of update', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  for (const answer of [request().put(`/replaced/${id}`), request().patch(`/replaced/${id}`)])
    expectAnswer(await answer.send({ title: 'Susan' }), 200, success({ title: 'Susan' }));
});

contract('delete_request_methods sets the methods of delete', async ({ request, save, count }) => {
  const { id } = await save(Book, emma);
  expectAnswer(await request().delete(`/posted/${id}`), 404, notFound);
  expectAnswer(await request().post(`/posted/${id}`), 200, success({}));
  expect(await count(Book)).toBe(0);
});

contract(
  'request_methods narrows: an operation none of whose methods is in it is not created',
  async ({ request, save }) => {
    const { id } = await save(Book, emma);
    expect((await request().get('/narrowed')).status).toBe(200);
    expect((await request().get(`/narrowed/${id}`)).status).toBe(200);
    expect((await request().patch(`/narrowed/${id}`).send({})).status).toBe(200);
    expectAnswer(await request().post('/narrowed').send(emma), 404, notFound);
    expectAnswer(await request().delete(`/narrowed/${id}`), 404, notFound);
  },
);

contract('request_methods narrows the methods of an operation', async ({ request, query }) => {
  expectAnswer(await request().put('/narrower').send(emma), 201, success({ title: 'Emma' }));
  expectAnswer(await request().post('/narrower').send(emma), 404, notFound);
  for (const answer of [query('/narrower'), request().get('/narrower')])
    expectAnswer(await answer, 404, notFound);
});

contract('The response headers of a RestfulApi reach every member', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const answers = [
    request().post('/headed').send(emma),
    request().get('/headed'),
    request().get(`/headed/${id}`),
    request().patch(`/headed/${id}`).send({}),
    request().delete(`/headed/${id}`),
    request().put('/headed'),
  ];
  for (const answer of answers) expect((await answer).headers['x-shelf']).toBe('7');
});

contract('Options of a RestfulApi reach every member that knows them', async ({ request, save }) => {
  const { id } = await save(Book, { title: 'Emma' });
  expectAnswer(await request().post('/mapped').send({ title: 'New' }), 201, success('NEW'));
  expectAnswer(await request().get(`/mapped/${id}`), 200, success('EMMA'));
  expectAnswer(await request().patch(`/mapped/${id}`).send({ title: 'Susan' }), 200, success('SUSAN'));
  expect((await request().get('/mapped')).body.data).toEqual(['NEW', 'SUSAN']);
});

contract('input_validation_callable of a RestfulApi reaches create and update', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const refusal = inputErrors({ title: 'not this one' });
  expectAnswer(await request().post('/validated').send({ title: 'Emma' }), 400, refusal);
  expectAnswer(await request().patch(`/validated/${id}`).send({ title: 'Emma' }), 400, refusal);
});

contract('transform_input_types of a RestfulApi reaches every member', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  expectAnswer(
    await request().post('/forced').send({ title: 'A', pages: '5' }),
    201,
    success({ title: 'A' }),
  );
  const answer = await request().patch(`/forced/${id}`).send({ pages: '7' });
  expectAnswer(answer, 200, success({ title: 'Emma' }));
  expect((await request().get('/forced').send({ pages: '7' })).body.data).toEqual([{ title: 'Emma' }]);
  const refusal = inputErrors({ id: 'value should be a UUID' });
  for (const method of ['get', 'delete'] as const)
    expectAnswer(await request()[method]('/forced/x'), 400, refusal);
});

contract('The list options of a RestfulApi reach list', async ({ request, save }) => {
  for (const title of ['A', 'B']) await save(Book, { title });
  const pagination = { number_results: 2, limit: 1, next_page: { start: 1 } };
  expectAnswer(await request().get('/paged'), 200, success([{ title: 'B' }], pagination));
  expectAnswer(await request().get('/paged?limit=3'), 400, clientError("'limit' must be between 1 and 2"));
});

contract('createStatus of a RestfulApi reaches create', async ({ request }) => {
  expectAnswer(await request().post('/accepted').send(emma), 202, success({ title: 'Emma' }));
});

contract('column_overrides of a RestfulApi reach create and update', async ({ request, save }) => {
  const { id } = await save(Book, emma);
  const refusal = inputErrors({ pages: 'value should be at least 10' });
  expectAnswer(await request().post('/overridden').send({ title: 'A', pages: 9 }), 400, refusal);
  expectAnswer(await request().patch(`/overridden/${id}`).send({ pages: 9 }), 400, refusal);
});

contract('Falsy options of a RestfulApi reach its members too', async ({ request }) => {
  expectAnswer(await request().get('/headed?limit=61'), 400, clientError("'limit' must be between 1 and 60"));
  expect((await request().get('/unlimited?limit=1000')).status).toBe(200);
});

contract(
  'include_routing_data_in_request_data of a RestfulApi reaches create',
  async ({ request, save, em }) => {
    const { id } = await save(Author, { name: 'Jane Austen' });
    const answer = await request().post(`/authors/${id}/books`).send({ title: 'Emma' });
    expectAnswer(answer, 201, success({ title: 'Emma' }));
    expect(await em().findAll(Book)).toMatchObject([{ author: { id } }]);
  },
);
