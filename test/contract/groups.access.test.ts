import { expect } from '@jest/globals';
import {
  Authorization,
  Create,
  EndpointGroup,
  List,
  NotAuthenticated,
  Public,
  type Authentication,
  type AuthorizationRequest,
  type Credentials,
} from '@nest-endpoints/core';
import { clientError, expectAnswer, notFound } from '../support/answers.js';
import { service } from '../support/contract.js';
import { libraryWith } from '../support/endpoints.js';
import { Book } from '../support/entities/library.js';

/** Believes whoever names the secret, and knows nothing else of them. */
class Secret implements Authentication {
  readonly allowedHeaders = ['Authorization'];

  constructor(private readonly secret: string) {}

  authenticate({ headers }: Credentials): string {
    if (headers.authorization === this.secret) return this.secret;
    throw new NotAuthenticated();
  }
}

/** Lets those in who say so in a header. */
class Header extends Authorization {
  constructor(private readonly name: string) {
    super();
  }

  override gate(_identity: unknown, { headers }: AuthorizationRequest): boolean {
    return headers[this.name] === 'yes';
  }
}

const titles = { modelClass: Book, readableColumnNames: ['title'] } as const;
const listed = { ...titles, sortableColumnNames: ['title'], defaultSortColumnName: 'title' } as const;

const { contract } = service(
  libraryWith([
    new EndpointGroup({
      url: 'group',
      authentication: new Secret('group'),
      responseHeaders: ['X-Group: yes'],
      endpoints: [
        new List({ ...listed, url: 'books' }),
        new Create({ ...titles, url: 'books', writeableColumnNames: ['title'] }),
        new List({ ...listed, url: 'own', authentication: new Secret('own') }),
        new List({ ...listed, url: 'public', authentication: new Public() }),
      ],
    }),
    new EndpointGroup({
      url: 'outer',
      authorization: new Header('x-outer'),
      endpoints: [
        new EndpointGroup({
          authorization: new Header('x-inner'),
          endpoints: [new List({ ...listed, url: 'books', authorization: new Header('x-member') })],
        }),
      ],
    }),
  ]),
);

contract('The authentication of a group holds for its members', async ({ request }) => {
  const refused = await request().get('/group/books');
  expectAnswer(refused, 401, clientError('Not Authenticated'));
  expect([refused.headers['www-authenticate'], refused.headers['x-group']]).toEqual(['Bearer', 'yes']);
  expect((await request().get('/group/books').set('Authorization', 'group')).status).toBe(200);
});

contract('The authentication of a member replaces that of its group', async ({ request }) => {
  const statuses = [
    (await request().get('/group/own').set('Authorization', 'group')).status,
    (await request().get('/group/own').set('Authorization', 'own')).status,
    (await request().get('/group/public')).status,
  ];
  expect(statuses).toEqual([401, 200, 200]);
});

contract('The authorization of groups and member must all allow a request', async ({ request }) => {
  const names = ['X-Outer', 'X-Inner', 'X-Member'];
  const ask = (allowing: readonly string[]) =>
    request()
      .get('/outer/books')
      .set(Object.fromEntries(allowing.map((name) => [name, 'yes'])));
  expect((await ask(names)).status).toBe(200);
  for (const missing of names)
    expectAnswer(await ask(names.filter((name) => name !== missing)), 403, clientError('Not Authorized'));
});

contract('A miss under an authenticated group is Not Found', async ({ request }) => {
  expectAnswer(await request().get('/group/nowhere'), 404, notFound);
  expectAnswer(await request().delete('/group/books'), 404, notFound);
});

contract('A bad body without the credentials of the group is Not Authenticated', async ({ raw }) => {
  const headers = { 'content-type': 'text/plain' };
  for (const body of ['{', Buffer.alloc(1_048_577)])
    expectAnswer(await raw('POST', '/group/books', { body, headers }), 401, clientError('Not Authenticated'));
});
