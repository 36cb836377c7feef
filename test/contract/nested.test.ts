import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { AdvancedSearch, Callable, Create, RestfulApi } from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { clientError, expectAnswer, inputErrors, notFound } from '../support/answers.js';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Project = defineEntity({
  name: 'Project',
  properties: { id: p.integer().primary(), tenant: p.integer(), name: p.string() },
});

const Ticket = defineEntity({
  name: 'Ticket',
  properties: {
    id: p.integer().primary(),
    tenant: p.integer(),
    project: () => p.manyToOne(Project),
    title: p.string(),
  },
});

const Comment = defineEntity({
  name: 'Comment',
  uniques: [{ properties: ['ticket', 'nr'] }],
  properties: {
    id: p.integer().primary(),
    ticket: () => p.manyToOne(Ticket),
    nr: p.integer().nullable(),
    text: p.string(),
  },
});

const tenants = new TenantRecords({ columnName: 'tenant', claim: 'tenant' });

const comments = {
  modelClass: Comment,
  parent: 'ticket',
  readableColumnNames: ['id', 'ticketId', 'text'],
  writeableColumnNames: ['id', 'nr', 'text'],
  searchableColumnNames: ['text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service({
  entities: [Project, Ticket, Comment],
  root: { authentication: new Claims(), authorization: tenants },
  endpoints: [
    new RestfulApi({ ...comments, url: 'tickets/:ticketId/comments' }),
    new RestfulApi({ ...comments, url: 'tickets/:ticketId/hooked', beforeSave: () => undefined }),
    new RestfulApi({ ...comments, url: 'tickets/:ticketId/by-nr', idColumnName: 'nr' }),
    new RestfulApi({
      ...comments,
      url: 'tickets/:ticketId/sent',
      writeableColumnNames: ['id', 'text', 'ticketId'],
    }),
    new RestfulApi({
      ...comments,
      url: 'projects/:projectId/tickets/:ticketId/comments',
      parent: 'ticket.project',
    }),
    new RestfulApi({
      modelClass: Ticket,
      url: 'projects/:projectId/tickets',
      parent: 'project',
      readableColumnNames: ['id', 'title'],
      writeableColumnNames: ['id', 'title'],
      searchableColumnNames: ['title'],
      sortableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
    new AdvancedSearch({
      ...comments,
      url: 'tickets/:ticketId/search',
      pagination: 'keyset',
    }),
    new Create({
      modelClass: Comment,
      parent: 'ticket',
      url: 'tickets/:ticketId/notes',
      readableColumnNames: ['id'],
      writeableColumnNames: ['id', 'text'],
    }),
    new Callable({
      url: 'tickets/:ticketId/called',
      modelClass: Comment,
      parent: 'ticket',
      toCall: ({ ticketId }) => ({ ticketId }),
    }),
    new Schema({ url: 'schema', wholeApplication: true }),
  ],
});

const one = { 'X-Claims': JSON.stringify({ tenant: 1 }) };

/** Two tenants; project 1 of the first has the tickets 1 and 2, project 2 ticket 3, project 101 of the second ticket 101. */
const open = async ({ em }: Subject): Promise<void> => {
  const all = em();
  for (const [id, tenant] of [
    [1, 1],
    [2, 1],
    [101, 2],
  ] as const)
    all.create(Project, { id, tenant, name: `project ${id}` });
  for (const [id, project] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [101, 101],
  ] as const)
    all.create(Ticket, { id, tenant: id > 100 ? 2 : 1, project, title: `ticket ${id}` });
  for (const [id, ticket, nr] of [
    [1, 1, 1],
    [2, 1, 2],
    [3, 2, 1],
    [4, 3, 1],
    [101, 101, 1],
  ] as const)
    all.create(Comment, { id, ticket, nr, text: `comment ${id}` });
  await all.flush();
};

const asked = async (
  subject: Subject,
  method: 'get' | 'patch' | 'delete' | 'post',
  path: string,
  body = {},
) => {
  const request = subject.request()[method](path).set(one);
  const answer = await (method === 'get' || method === 'delete' ? request : request.send(body));
  return [answer.status, answer.body.data] as const;
};

contract('A nested list has the records of the parent that the path names, and no other', async (subject) => {
  await open(subject);
  const answer = await subject.request().get('/tickets/1/comments').set(one);
  expect([answer.status, answer.body.data, answer.body.pagination.number_results]).toEqual([
    200,
    [
      { id: 1, ticket_id: 1, text: 'comment 1' },
      { id: 2, ticket_id: 1, text: 'comment 2' },
    ],
    2,
  ]);
  const [, found] = await asked(subject, 'get', '/tickets/2/comments?text=comment 1');
  expect(found).toEqual([]);
});

for (const url of ['comments', 'hooked'])
  contract(`Records of another parent are not there for Get, Update and Delete (${url})`, async (subject) => {
    await open(subject);
    expect(await asked(subject, 'get', `/tickets/1/${url}/2`)).toEqual([
      200,
      { id: 2, ticket_id: 1, text: 'comment 2' },
    ]);
    for (const path of [`/tickets/2/${url}/1`, `/tickets/1/${url}/4`, `/tickets/101/${url}/101`]) {
      expectAnswer(await subject.request().get(path).set(one), 404, notFound);
      expectAnswer(await subject.request().patch(path).set(one).send({ text: 'x' }), 404, notFound);
      expectAnswer(await subject.request().delete(path).set(one), 404, notFound);
    }
    expect(await subject.count(Comment)).toBe(5);
    expect(await asked(subject, 'patch', `/tickets/1/${url}/2`, { text: 'y' })).toEqual([
      200,
      { id: 2, ticket_id: 1, text: 'y' },
    ]);
    expect((await asked(subject, 'delete', `/tickets/1/${url}/2`))[0]).toBe(200);
    expect(await subject.count(Comment)).toBe(4);
  });

for (const url of ['comments', 'hooked', 'notes'])
  contract(`A new record is of the parent that the path names (${url})`, async (subject) => {
    await open(subject);
    const [status] = await asked(subject, 'post', `/tickets/2/${url}`, { id: 9, text: 'new' });
    const stored = await subject.em().findOneOrFail(Comment, { id: 9 });
    expect([status, stored.ticket.id]).toEqual([201, 2]);
  });

contract('A client cannot write the column of the parent', async (subject) => {
  await open(subject);
  const sent = { id: 9, text: 'x', ticket_id: 2 };
  const answer = await subject.request().post('/tickets/1/comments').set(one).send(sent);
  expect([answer.status, Object.keys(answer.body.input_errors as object)]).toEqual([400, ['ticket_id']]);
  const moved = await subject.request().patch('/tickets/1/sent/1').set(one).send({ ticket_id: 2 });
  expectAnswer(moved, 400, inputErrors({ ticket_id: 'must be your own' }));
  expect((await asked(subject, 'patch', '/tickets/1/sent/1', { ticket_id: 1, text: 'z' }))[0]).toBe(200);
});

for (const ticket of ['999', '101', 'x', '1e400', '%00', '-', '9'.repeat(400)])
  contract(
    `A parent that is not there, hidden, or no value of its column is Not Found: ${ticket.slice(0, 9)}`,
    async (subject) => {
      await open(subject);
      const request = subject.request();
      const url = `/tickets/${ticket}/comments`;
      for (const path of [url, `${url}/1`]) expectAnswer(await request.get(path).set(one), 404, notFound);
      // Whatever else is wrong with it.
      for (const body of [{ id: 9, text: 'x' }, { a: 1 }])
        expectAnswer(await request.post(url).set(one).send(body), 404, notFound);
      expect(await subject.count(Comment)).toBe(5);
    },
  );

contract('Each parent of a path belongs to the one before it', async (subject) => {
  await open(subject);
  const ids = async (path: string) => {
    const { status, body } = await subject.request().get(path).set(one);
    return [status, (body.data as { readonly id: number }[] | undefined)?.length];
  };
  expect(await ids('/projects/1/tickets/1/comments')).toEqual([200, 2]);
  expect(await ids('/projects/2/tickets/3/comments')).toEqual([200, 1]);
  expect(await ids('/projects/1/tickets')).toEqual([200, 2]);
  for (const path of [
    '/projects/2/tickets/1/comments',
    '/projects/1/tickets/3/comments',
    '/projects/101/tickets/101/comments',
    '/projects/x/tickets/1/comments',
    '/projects/101/tickets',
  ])
    expectAnswer(await subject.request().get(path).set(one), 404, notFound);
});

contract('A column that is unique within the parent is a lookup', async (subject) => {
  await open(subject);
  expect(await asked(subject, 'get', '/tickets/2/by-nr/1')).toEqual([
    200,
    { id: 3, ticket_id: 2, text: 'comment 3' },
  ]);
  expectAnswer(await subject.request().get('/tickets/2/by-nr/2').set(one), 404, notFound);
});

contract('A Callable is called for a parent that is there alone', async (subject) => {
  await open(subject);
  expect(await asked(subject, 'get', '/tickets/2/called')).toEqual([200, { ticketId: '2' }]);
  for (const ticket of ['999', '101', 'x'])
    expectAnswer(await subject.request().get(`/tickets/${ticket}/called`).set(one), 404, notFound);
});

contract('A cursor of one parent shows nothing of another', async (subject) => {
  await open(subject);
  const search = (ticket: number, body: object) =>
    subject.request().post(`/tickets/${ticket}/search`).set(one).send(body);
  const first = await search(1, { limit: 1 });
  const { after } = first.body.pagination.next_page as { readonly after: string };
  const second = await search(1, { limit: 1, after });
  expect(second.body.data).toEqual([{ id: 2, ticket_id: 1, text: 'comment 2' }]);
  const refused = "'after' must be what next_page said of this list, for the same sort and direction";
  expectAnswer(await search(2, { limit: 1, after }), 400, clientError(refused));
});

contract(
  'The document tells the types of parents in a path, and that they may be Not Found',
  async (subject) => {
    const { body } = await subject.request().get('/schema').set(one);
    interface Operation {
      readonly parameters: readonly { readonly name: string; readonly schema: { readonly type: string } }[];
      readonly responses: object;
    }
    const paths = body.paths as Readonly<Record<string, { readonly get: Operation }>>;
    for (const [path, parents] of [
      ['/tickets/{ticketId}/comments', ['ticketId']],
      ['/projects/{projectId}/tickets/{ticketId}/comments', ['projectId', 'ticketId']],
    ] as const) {
      const { parameters = [], responses = {} } = paths[path]?.get ?? {};
      const types = new Map(parameters.map(({ name, schema }) => [name, schema.type]));
      for (const parent of parents) expect(types.get(parent)).toBe('integer');
      expect(Object.keys(responses)).toContain('404');
    }
  },
);
