import { expect, test } from '@jest/globals';
import { RequireClaims } from '@nest-endpoints/auth';
import {
  AdvancedSearch,
  Authorization,
  Callable,
  Cors,
  Create,
  EndpointGroup,
  HealthCheck,
  List,
  NotAuthenticated,
  Public,
  RestfulApi,
  type Access,
  type Authentication,
  type Credentials,
  type OperationAccess,
} from '@nest-endpoints/core';
import { EndpointKind, TextReply, type Handler } from '@nest-endpoints/core/kinds';
import { openApiDocument, type OpenApiDocument } from '@nest-endpoints/openapi';
import { everyPlatform, service, type Subject } from '../support/contract.js';
import { licensed, operationAt } from '../support/documents.js';
import { books, libraryWith } from '../support/endpoints.js';
import { Author, Book } from '../support/entities/library.js';
import { Claims } from './claims.js';
import { stopped } from './stopped.js';

/** Believes what a request says of itself, in a header that documents name. */
class Named extends Claims {
  readonly securityScheme = { name: 'claims', scheme: { type: 'apiKey', in: 'header', name: 'X-Claims' } };
}

/** Believes whoever has the key. */
class Key implements Authentication {
  readonly allowedHeaders = ['X-Key'];
  readonly securityScheme = { name: 'key', scheme: { type: 'apiKey', in: 'header', name: 'X-Key' } };

  authenticate({ headers }: Credentials): object {
    if (headers['x-key'] === 'good') return { agent: true };
    throw new NotAuthenticated();
  }
}

/** Shows books with more than a hundred pages alone, to everybody. */
class Long extends Authorization {
  override filterModel(): object {
    return { pages: { $gt: 100 } };
  }
}

/** A kind that knows nothing of records. */
class Greeting extends EndpointKind {
  protected override readonly defaultMethods = ['POST'] as const;
  override readonly readsBody = false;

  override compile(): Handler {
    return () => Promise.resolve(new TextReply('"hello"'));
  }
}

const agents = new RequireClaims('agent');
const admins = new RequireClaims('admin');
const members = new RequireClaims('member');
const claims = new Named();
const security = [new Cors('https://app.example')];

const access = { create: agents, delete: admins, list: 'public' } as const satisfies Access;

const listed = {
  modelClass: Author,
  readableColumnNames: ['name'],
  sortableColumnNames: ['name'],
  defaultSortColumnName: 'name',
} as const;
const created = {
  modelClass: Author,
  readableColumnNames: ['name'],
  writeableColumnNames: ['name'],
} as const;

const { contract } = service(
  libraryWith([
    books({ authentication: claims, access, securityHeaders: security }),
    books({ url: 'beside', authentication: claims, authorization: members, access }),
    books({ url: 'keyed', authentication: claims, access: { create: new Key(), update: new Public() } }),
    books({
      url: 'both',
      access: { create: { authentication: claims, authorization: admins }, get: { authentication: claims } },
    }),
    books({ url: 'long', authentication: claims, authorization: new Long(), access: { list: 'public' } }),
    books({
      url: 'replaced',
      authentication: claims,
      createEndpoint: Greeting as never,
      access: { create: 'public' },
    }),
    new EndpointGroup({
      url: 'group',
      authentication: claims,
      access: { list: 'public', create: agents, call: admins },
      endpoints: [
        new List({ ...listed, url: 'authors' }),
        new AdvancedSearch({ ...listed, url: 'search', searchableColumnNames: ['name'] }),
        new Create({ ...created, url: 'authors' }),
        new Create({ ...created, url: 'own', authentication: new Key() }),
        new Create({ ...created, url: 'more', authorization: members }),
        new Callable({ url: 'called', toCall: () => 'called' }),
        new Greeting({ url: 'greeting' }),
        new HealthCheck({ url: 'health' }),
        books({ url: 'books', access: { create: 'public' } }),
        books({ url: 'closed', authentication: new Key() }),
        books({ url: 'replaced', createEndpoint: Greeting as never }),
        new EndpointGroup({
          url: 'inner',
          access: { create: admins },
          endpoints: [new Create({ ...created, url: 'authors' })],
        }),
      ],
    }),
  ]),
  everyPlatform,
);

/** The headers of somebody with these claims. */
const by = (...names: readonly string[]): Record<string, string> => ({
  'X-Claims': JSON.stringify(Object.fromEntries(names.map((name) => [name, true]))),
});

const nobody = {};
const key = { 'X-Key': 'good' };

type Sender = Readonly<Record<string, string>>;

const statusOf = async (
  { request }: Subject,
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  sender: Sender,
): Promise<number> => {
  const asked = request()[method](path).set(sender);
  return (await (method === 'post' || method === 'patch' ? asked.send({}) : asked)).status;
};

// A body without members is a 400, but only to those who get so far.

contract('An operation has its own access, the others have that of the API', async (subject) => {
  const { id } = await subject.save(Book, { title: 'Emma' });
  const of = (method: 'get' | 'post' | 'patch' | 'delete', path: string, sender: Sender) =>
    statusOf(subject, method, path, sender);
  expect([await of('get', '/books', nobody)]).toEqual([200]);
  expect([await of('post', '/books', nobody), await of('post', '/books', by())]).toEqual([401, 403]);
  expect([await of('post', '/books', by('agent'))]).toEqual([400]);
  expect([await of('get', `/books/${id}`, nobody), await of('get', `/books/${id}`, by())]).toEqual([
    401, 200,
  ]);
  expect([await of('patch', `/books/${id}`, nobody), await of('patch', `/books/${id}`, by())]).toEqual([
    401, 200,
  ]);
  expect([await of('delete', `/books/${id}`, by('agent'))]).toEqual([403]);
  expect([await of('delete', `/books/${id}`, by('admin'))]).toEqual([200]);
});

contract("An operation's rule holds beside those of the API", async (subject) => {
  expect(await statusOf(subject, 'post', '/beside', by('agent'))).toBe(403);
  expect(await statusOf(subject, 'post', '/beside', by('member'))).toBe(403);
  expect(await statusOf(subject, 'post', '/beside', by('agent', 'member'))).toBe(400);
});

contract('A public operation is asked by nobody whom a rule around it does not let in', async (subject) => {
  expect(await statusOf(subject, 'get', '/beside', by('member'))).toBe(403);
  expect(subject.log.text('debug')).toContain('RequireClaims says no; the request has no identity');
});

contract('A public operation shows what a rule around it lets everybody see', async (subject) => {
  await subject.save(Book, { title: 'Emma', pages: 474 });
  await subject.save(Book, { title: 'Leaflet', pages: 4 });
  const { status, body } = await subject.request().get('/long');
  expect([status, (body as { data: { title: string }[] }).data.map(({ title }) => title)]).toEqual([
    200,
    ['Emma'],
  ]);
});

contract("An authentication of an operation stands in place of the API's", async (subject) => {
  expect(await statusOf(subject, 'post', '/keyed', by())).toBe(401);
  expect(await statusOf(subject, 'post', '/keyed', key)).toBe(400);
  expect(await statusOf(subject, 'get', '/keyed', key)).toBe(401);
  expect(await statusOf(subject, 'patch', '/keyed/1', nobody)).toBe(404);
});

contract('An operation may have an authentication and a rule', async (subject) => {
  const statuses: number[] = [];
  for (const sender of [nobody, by(), by('admin')])
    statuses.push(await statusOf(subject, 'post', '/both', sender));
  expect(statuses).toEqual([401, 403, 400]);
  expect(await statusOf(subject, 'get', '/both/1', nobody)).toBe(401);
  expect(await statusOf(subject, 'get', '/both', nobody)).toBe(200);
});

contract(
  'A class that replaces the kind of an operation has the access of the operation',
  async (subject) => {
    expect(await statusOf(subject, 'post', '/replaced', nobody)).toBe(200);
    // In a group, too: there it creates, and is no call.
    expect(await statusOf(subject, 'post', '/group/replaced', by())).toBe(403);
    expect(await statusOf(subject, 'post', '/group/replaced', by('agent'))).toBe(200);
  },
);

contract('The access of a group holds for operations of its members, by their kinds', async (subject) => {
  const statuses: Record<string, number> = {};
  for (const path of ['authors', 'search', 'called', 'health', 'books'])
    statuses[path] = await statusOf(subject, 'get', `/group/${path}`, nobody);
  expect(statuses).toEqual({ authors: 200, search: 200, called: 401, health: 200, books: 200 });
  expect(await statusOf(subject, 'get', '/group/called', by('agent'))).toBe(403);
  expect(await statusOf(subject, 'get', '/group/called', by('admin'))).toBe(200);
  expect(await statusOf(subject, 'post', '/group/greeting', by('admin'))).toBe(200);
  expect(await statusOf(subject, 'post', '/group/authors', by())).toBe(403);
  expect(await statusOf(subject, 'post', '/group/authors', by('agent'))).toBe(400);
});

contract('The innermost authentication wins, and rules add up', async (subject) => {
  const post = (path: string, sender: Sender) => statusOf(subject, 'post', `/group/${path}`, sender);
  // A member's own authentication wins over the access of its group; the rule of the group holds all the same.
  expect([await post('own', by('agent')), await post('own', key)]).toEqual([401, 400]);
  expect([await post('more', by('agent')), await post('more', by('agent', 'member'))]).toEqual([403, 400]);
  expect([
    await post('inner/authors', by('admin')),
    await post('inner/authors', by('admin', 'agent')),
  ]).toEqual([403, 400]);
  // Nearer than the group: the API's own authentication, and its own access.
  expect(await statusOf(subject, 'get', '/group/closed', nobody)).toBe(401);
  expect(await statusOf(subject, 'get', '/group/closed', key)).toBe(200);
  // A public operation within a rule of the group is for nobody.
  expect(await post('books', by('agent'))).toBe(403);
});

contract('Documents show the security of each operation', ({ app }) => {
  const document: OpenApiDocument = openApiDocument(app, { schemaConfiguration: licensed });
  const shown = (method: string, path: string): unknown => operationAt(document, method, path).security;
  const needsClaims = [{ claims: [] }];
  expect(shown('get', '/books')).toEqual([]);
  for (const [method, path] of [
    ['post', '/books'],
    ['get', '/books/{id}'],
    ['patch', '/books/{id}'],
    ['delete', '/books/{id}'],
  ] as const)
    expect([method, path, shown(method, path)]).toEqual([method, path, needsClaims]);
  expect(shown('post', '/keyed')).toEqual([{ key: [] }]);
  expect(shown('patch', '/keyed/{id}')).toEqual([]);
  expect(shown('get', '/group/authors')).toEqual([]);
  expect(Object.keys(operationAt(document, 'get', '/books').responses)).not.toContain('401');
  expect(Object.keys(operationAt(document, 'delete', '/books/{id}').responses)).toEqual(
    expect.arrayContaining(['401', '403']),
  );
});

contract('A preflight names the headers of each authentication of its path', async ({ request }) => {
  const { headers } = await request().options('/books');
  expect(headers['access-control-allow-headers']).toBe('X-Claims');
});

const stopping = (options: { readonly access: unknown }): Promise<string> =>
  stopped(() => books(options as never));

test.each([
  [{ remove: admins }, /access: 'remove' is unknown; allowed: list, create, get, update, upsert, delete$/],
  [{ lists: 'public' }, /access: 'lists' is unknown \(did you mean 'list'\?\)/],
  [{ call: admins }, /access: 'call' is unknown; allowed: list, create/],
  [{ list: 'open' }, /access: 'list': 'open' is not allowed; allowed: 'public', an authentication/],
  [{ list: null }, /access: 'list': null is not allowed/],
  [{ list: { authorization: 'x' } }, /access: 'list': .*is not allowed/],
  [{ list: {}, create: [admins] }, /access: 'create': .*is not allowed/],
  ['public', /access: 'public' is not allowed; allowed: an object with list, create/],
])('Another access stops the start: %j', async (given, problem) => {
  expect(await stopping({ access: given })).toMatch(problem);
});

test('An operation that a group cannot have stops the start', async () => {
  const group = () => new EndpointGroup({ endpoints: [], access: { search: 'public' } as never });
  expect(await stopped(group)).toMatch(
    /access: 'search' is unknown; allowed: list, get, create, update, upsert, delete, call/,
  );
});

test('An access is a rule, an authentication, both, or public', () => {
  const all: readonly OperationAccess[] = ['public', admins, claims, { authentication: claims }, {}];
  for (const list of all) expect(() => books({ access: { list } })).not.toThrow();
  expect(
    () => new RestfulApi({ ...listed, ...created, searchableColumnNames: [], access: {} }),
  ).not.toThrow();
});
