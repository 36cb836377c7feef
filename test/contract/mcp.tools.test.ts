import { afterAll, expect, test } from '@jest/globals';
import { Callable, EndpointGroup, type ObservedRequest } from '@nest-endpoints/core';
import { Mcp } from '@nest-endpoints/mcp';
import { Schema } from '@nest-endpoints/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { startApplication, startUpError } from '../support/application.js';
import { once, service } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { everyKind } from '../support/every.kind.js';
import { Statements } from '../support/statements.js';
import { call, failureOf, fleet, keyServer, send, Ship, shownTo, token } from './mcp.fleet.js';

afterAll(() => keyServer.close());

let told: ObservedRequest[] = [];
const observers = [{ requestEnded: (request: ObservedRequest) => void told.push(request) }];
const seen = service({ ...fleet, root: { observers } }, once);

seen.contract(
  'A call sends the statements of its endpoint, and is told of as any request',
  async (subject) => {
    await subject.save(Ship, { name: 'Argo', tons: 7, tenant: 'a' });
    const bearer = await token();
    const statements = await Statements.of(subject);
    const asked = (method: 'get' | 'patch', path: string, body?: object) =>
      statements.during(() => {
        const request = subject.request()[method](`/agents/${path}`).set('Authorization', `Bearer ${bearer}`);
        return body === undefined ? request : request.send(body);
      });
    const called = (name: string, given: object) =>
      statements.during(() => call(subject, name, given, { bearer, path: '/agents/all' }));
    for (const [name, given, method, path, body] of [
      ['list_agents_ships', { limit: 2, name: 'Argo' }, 'get', 'ships?limit=2&name=Argo', undefined],
      ['get_agents_ships_by_id', { id: 1 }, 'get', 'ships/1', undefined],
      ['update_agents_ships_by_id', { id: 1, tons: 8 }, 'patch', 'ships/1', { tons: 8 }],
    ] as const) {
      await asked(method, path, body);
      expect(await called(name, given)).toEqual(await asked(method, path, body));
    }
    told = [];
    await call(subject, 'get_agents_ships_by_id', { id: 1 }, { bearer, headers: { 'X-Request-Id': 'mine' } });
    expect(told.map(({ route, requestId, statements: sent }) => [route, requestId, sent])).toEqual([
      ['/agents/ships/:id', 'mine', 1],
      ['/agents/mcp', 'mine', 0],
    ]);
  },
);

const endpoints = Array.from(
  { length: 600 },
  (_, index) => new Callable({ url: `things-${index}`, readOnly: true, toCall: () => index }),
);
const many = service(
  {
    entities: [Ship],
    endpoints: [
      new EndpointGroup({
        endpoints: [new Mcp({ url: 'mcp' }), new Mcp({ url: 'all', mode: 'tools' }), ...endpoints],
      }),
    ],
  },
  once,
);

many.contract(
  'Where there are many endpoints, a registry stands for them; either list has always the same bytes',
  async (subject) => {
    const names = await shownTo(subject, { path: '/mcp' });
    expect(names).toEqual(['search_endpoints', 'describe_endpoint', 'call_read_endpoint', 'call_endpoint']);
    expect(await shownTo(subject, { path: '/all' })).toHaveLength(600);
    for (const path of ['/mcp', '/all']) {
      const lists = new Set<string>();
      for (let time = 0; time < 5; time += 1)
        lists.add((await send(subject, 'tools/list', {}, { path })).text);
      expect([path, lists.size]).toEqual([path, 1]);
    }
    const found = await call(subject, 'search_endpoints', { query: 'things 599' }, { path: '/mcp' });
    expect(found.body.result.structuredContent.total).toBe(1);
    const long = await call(subject, 'search_endpoints', { query: 's '.repeat(40_000) }, { path: '/mcp' });
    expect(failureOf(long)).toContain('at most 1,000 characters');
  },
);

/** A kind that is told of at a url of its own; those that need other worlds are left out. */
const kinds = everyKind.flatMap(({ name, options, make }, index) =>
  [
    'EndpointGroup',
    'Migrations',
    'DocsPage',
    'Schema',
    'Mcp',
    'Upsert',
    'History',
    'Purge',
    'Restore',
    'Import',
    'Export',
  ].includes(name)
    ? []
    : [make({ ...options, url: `k${index}/${String(Reflect.get(options, 'url'))}` })],
);
const shown = service(
  libraryWith([
    new EndpointGroup({
      endpoints: [
        new Mcp({ url: 'mcp', tools: 'all', mode: 'tools' }),
        new Schema({ url: 'schema' }),
        books(),
        ...kinds,
      ],
    }),
  ]),
  once,
);

shown.contract(
  'The schemas of all tools compile strictly, without references and lists of types',
  async (subject) => {
    const { body } = await send(subject, 'tools/list', {}, { path: '/mcp' });
    const { tools } = body.result as { tools: { name: string; inputSchema: object; outputSchema: object }[] };
    expect(tools.length).toBeGreaterThan(15);
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true });
    addFormats.default(ajv);
    for (const { name, inputSchema, outputSchema } of tools) {
      for (const schema of [inputSchema, outputSchema]) {
        expect(() => ajv.compile(schema)).not.toThrow();
        const text = JSON.stringify(schema);
        expect([
          name,
          text.includes('"$ref"'),
          text.includes('"type":['),
          text.includes('"nullable"'),
        ]).toEqual([name, false, false, false]);
      }
    }
  },
);

shown.contract('Documents do not list an Mcp', async ({ request }) => {
  const { body } = await request().get('/schema');
  expect(Object.keys(body.paths)).not.toContain('/mcp');
});

/** The message with which an application does not start. */
const errorOf = (...listed: ConstructorParameters<typeof EndpointGroup>[0]['endpoints']): Promise<unknown> =>
  startApplication('express', 'sqlite', {
    entities: [Ship],
    endpoints: [new EndpointGroup({ endpoints: listed })],
  }).then(
    (started) => started.close(),
    (error: unknown) => (error as Error).message,
  );
const weather = new Callable({ url: 'weather', readOnly: true, toCall: () => 7 });

test('Names of tools that are taken, too long or of nothing stop the start', async () => {
  const same = new Callable({ url: 'x', readOnly: true, tool: { name: 'call_weather' }, toCall: () => 7 });
  expect(await errorOf(new Mcp({ url: 'mcp' }), weather, same)).toBe(
    "Mcp 'mcp': tools: Callable 'weather' and Callable 'x' are both 'call_weather'; name one of them with tool: { name }",
  );
  expect(await errorOf(new Mcp({ url: 'mcp', tools: ['get_x'] }), weather)).toBe(
    "Mcp 'mcp': tools: 'get_x' is the name of no endpoint here",
  );
  const long = new Callable({ url: 'a'.repeat(70), readOnly: true, toCall: () => 7 });
  expect(await errorOf(new Mcp({ url: 'mcp' }), long)).toContain('is longer than 64 characters');
  const resource = 'https://x.example/mcp';
  expect(await errorOf(new Mcp({ url: 'a', resource }), new Mcp({ url: 'b', resource }))).toContain(
    "Mcp 'b': resource: /.well-known/oauth-protected-resource/mcp is served by another Mcp already",
  );
  const alone = await startUpError({ entities: [], endpoints: [new Mcp({ url: 'mcp' })] });
  expect(alone).toContain('put it into an EndpointGroup');
});

test('Options of an Mcp and of a tool that are wrong stop the start', () => {
  for (const [options, message] of [
    [{ tools: 'writes' }, "tools: 'writes' is not allowed"],
    [{ tools: [1] }, 'tools: '],
    [{ mode: 'some' }, "mode: 'some' is unknown"],
    [{ maximumTools: 513 }, 'maximumTools: 513 is not allowed'],
    [{ answerLimit: 0 }, 'answerLimit: 0 is not allowed'],
    [{ resource: 'fleet' }, "resource: 'fleet' is not allowed"],
    [{ authorizationServers: ['ftp://x'] }, 'authorizationServers: '],
    [{ scopes: ['a b'] }, 'scopes: '],
    [{ scopes: ['a"'] }, 'scopes: '],
    [{ origins: ['https://x.example/'] }, 'origins: '],
    [{ legacy: 'sessions' }, "legacy: 'sessions' is unknown"],
    [{ requestMethods: ['GET'] }, 'requestMethods: '],
    [{ tool: false }, 'tool: '],
  ] as const)
    expect(() => new Mcp({ url: 'mcp', ...(options as object) })).toThrow(message);
  for (const tool of [true, { name: 'A' }, { name: 'x'.repeat(65) }, { names: 'x' }, { destructive: 1 }])
    expect(() => new Callable({ tool: tool as never, toCall: () => 1 })).toThrow('tool: ');
});
