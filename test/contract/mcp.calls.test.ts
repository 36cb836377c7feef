import { afterAll, expect } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import {
  Authorization,
  Callable,
  EndpointGroup,
  ServiceUnavailable,
  Update,
  type Authentication,
} from '@nest-endpoints/core';
import { Mcp, type ToolCandidate } from '@nest-endpoints/mcp';
import { HttpException } from '@nestjs/common';
import { everyDatabase, everyPlatform, once, service, type Subject } from '../support/contract.js';
import { books, libraryWith } from '../support/endpoints.js';
import { everyKind } from '../support/every.kind.js';
import { library } from '../support/entities/library.js';
import { call, failureOf, keyServer, modern, send, Ship } from './mcp.fleet.js';

afterAll(() => keyServer.close());

const sent = { path: '/mcp' };

const named = service(
  {
    entities: [Ship],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Mcp({ url: 'mcp', tools: 'all' }),
          new Mcp({ url: 'registry', tools: 'all', mode: 'registry' }),
          new Callable({
            url: 'towns',
            readOnly: true,
            tool: { name: 'towns', title: 'Города мира', description: 'नमस्ते, Tōkyō' },
            toCall: () => [],
          }),
          new Update({
            url: 'ships/:name',
            modelClass: Ship,
            recordLookupColumnName: 'name',
            readableColumnNames: ['name', 'tons'],
            writeableColumnNames: ['name', 'tons'],
          }),
          new Callable({
            url: 'post',
            requestMethods: ['POST'],
            tool: {
              name: 'send_a_letter',
              title: 'Send a letter',
              description: 'Sends a letter by mail.',
              destructive: false,
              openWorld: true,
            },
            toCall: () => 'sent',
          }),
        ],
      }),
    ],
  },
  once,
);

/** The definition of a tool. */
const definitionOf = async (subject: Subject, name: string): Promise<unknown> => {
  const { body } = await send(subject, 'tools/list', {}, sent);
  return (body.result.tools as readonly { readonly name: string }[]).find((tool) => tool.name === name);
};

named.contract('A member of a body whose name the path has goes into body', async (subject) => {
  await subject.save(Ship, { name: 'Argo', tons: 7, tenant: 'a' });
  expect(await definitionOf(subject, 'update_ships_by_name')).toMatchObject({
    inputSchema: {
      properties: {
        name: { type: 'string' },
        tons: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        body: { type: 'object', properties: { name: { type: 'string' } } },
      },
      required: ['name'],
      additionalProperties: false,
    },
  });
  const given = { name: 'Argo', tons: 9, body: { name: 'Batavia' } };
  const { body } = await call(subject, 'update_ships_by_name', given, sent);
  expect(body.result.structuredContent.data).toEqual({ name: 'Batavia', tons: 9 });
  const gone = await call(subject, 'update_ships_by_name', given, sent);
  expect(failureOf(gone)).toBe('404 client_error: Not Found');
});

named.contract('A number that JSON cannot hold is refused as its endpoint refuses it', async (subject) => {
  await subject.save(Ship, { name: 'Argo', tons: 7, tenant: 'a' });
  const { body } = await subject.request().patch('/ships/Argo').type('json').send('{"tons":1e400}');
  const told = `400 input_errors: ${JSON.stringify(body.input_errors)}`;
  for (const tons of ['1e400', '-1e400']) {
    const { headers, body: message } = modern('tools/call', { name: 'update_ships_by_name', arguments: {} });
    const given = `"arguments":{"name":"Argo","tons":${tons}}`;
    const text = JSON.stringify(message).replace('"arguments":{}', given);
    expect(failureOf(await subject.request().post('/mcp').set(headers).type('json').send(text))).toBe(told);
  }
});

named.contract('A registry finds endpoints by words of any language', async (subject) => {
  const found = async (query: string): Promise<readonly string[]> => {
    const { body } = await call(subject, 'search_endpoints', { query }, { path: '/registry' });
    const { endpoints } = body.result.structuredContent as { endpoints: readonly { name: string }[] };
    return endpoints.map(({ name }) => name);
  };
  for (const query of ['города', 'МИРА, города!', 'नमस्ते', 'tōkyō'])
    expect([query, await found(query)]).toEqual([query, ['towns']]);
  for (const query of ['море', '数', 'города море']) expect([query, await found(query)]).toEqual([query, []]);
});

named.contract('An endpoint says of its tool what it is called, and what it does', async (subject) => {
  expect(await definitionOf(subject, 'send_a_letter')).toMatchObject({
    title: 'Send a letter',
    description: 'Sends a letter by mail.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  });
});

/** What is offered at all, by the kinds of endpoints. */
const offered = new Map<string, boolean>();
const noted = ({ kind, readOnly }: ToolCandidate): boolean => {
  offered.set(kind, readOnly);
  return readOnly;
};
const kinds = everyKind.flatMap(({ name, options, make }, index) =>
  // Those that need other worlds are left out.
  ['EndpointGroup', 'Mcp', 'Upsert', 'History', 'Purge', 'Restore'].includes(name)
    ? []
    : [make({ ...options, url: `k${index}/${String(Reflect.get(options, 'url'))}` })],
);
const every = service(
  libraryWith([new EndpointGroup({ endpoints: [new Mcp({ url: 'mcp', tools: noted }), books(), ...kinds] })]),
  once,
);

every.contract('Nothing that answers outside of the envelope is a tool, nor is a Batch', async (subject) => {
  await send(subject, 'tools/list', {}, sent);
  const those = (isRead: boolean) =>
    [...offered].flatMap(([kind, readOnly]) => (readOnly === isRead ? [kind] : [])).toSorted();
  expect(those(true)).toEqual(['AdvancedSearch', 'Aggregate', 'Facets', 'Get', 'List', 'SimpleSearch']);
  expect(those(false)).toEqual([
    'Callable',
    'Create',
    'CreateMany',
    'Delete',
    'DeleteMany',
    'Update',
    'UpdateMany',
  ]);
});

const onPostgres = everyDatabase.filter(({ database }) => database === 'postgresql');
const sleeping = service(
  {
    entities: library,
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Mcp({ url: 'mcp' }),
          new Callable({
            url: 'sleep',
            readOnly: true,
            toCall: ({ em }) => {
              begun.resolve(undefined);
              return em.execute('select pg_sleep(20)');
            },
          }),
          new Callable({ url: 'wake', readOnly: true, toCall: ({ em }) => em.execute('select 7 as n') }),
        ],
      }),
    ],
    orm: { pool: { max: 1 } },
  },
  onPostgres,
);
let begun = Promise.withResolvers<undefined>();

sleeping.contract('The connection of a call whose agent goes away serves the next one', async (subject) => {
  begun = Promise.withResolvers<undefined>();
  const { body, headers } = modern('tools/call', { name: 'call_sleep', arguments: {} });
  const asked = httpRequest(`${subject.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  asked.on('error', () => undefined).end(JSON.stringify(body));
  await begun.promise;
  asked.destroy();
  const since = performance.now();
  const woken = await call(subject, 'call_wake', {}, sent);
  expect(woken.body.result.structuredContent.data).toEqual([{ n: 7 }]);
  expect(performance.now() - since).toBeLessThan(10_000);
});

/** What the rule of an endpoint throws. */
let thrown: unknown;

class Anybody implements Authentication {
  readonly allowedHeaders = [];

  authenticate(): object {
    return { name: 'ann' };
  }
}

class Failing extends Authorization {
  override gate(): boolean {
    throw thrown;
  }
}

const failing = service(
  {
    entities: [Ship],
    endpoints: [
      new EndpointGroup({
        authentication: new Anybody(),
        endpoints: [
          new Mcp({ url: 'mcp' }),
          new Mcp({ url: 'registry', mode: 'registry' }),
          new Callable({ url: 'fails', readOnly: true, authorization: new Failing(), toCall: () => 1 }),
          new Callable({ url: 'parts/:part', readOnly: true, authorization: new Failing(), toCall: () => 1 }),
        ],
      }),
    ],
  },
  everyPlatform,
);

failing.contract('What fails within an Mcp is answered and logged as anywhere else', async (subject) => {
  const { request, log } = subject;
  const unforeseen = new Error('connect ECONNREFUSED secret-host:5432');
  const failures = [
    [unforeseen, 500, 'Internal Server Error', 1],
    [undefined, 500, 'Internal Server Error', 1],
    [new ServiceUnavailable(), 503, 'Service Unavailable', 0],
    [new HttpException('Too Many Requests', 429), 429, 'Too Many Requests', 0],
  ] as const;
  const ways = [
    ['/mcp', 'tools/list', {}],
    ['/mcp', 'tools/call', { name: 'call_parts_by_part', arguments: {} }],
    ['/registry', 'tools/call', { name: 'search_endpoints', arguments: {} }],
    ['/registry', 'tools/call', { name: 'describe_endpoint', arguments: { name: 'call_fails' } }],
    ['/registry', 'tools/call', { name: 'call_endpoint', arguments: { name: 'call_parts_by_part' } }],
  ] as const;
  for (const [error, status, message, lines] of failures)
    for (const [path, method, params] of ways) {
      const { headers } = modern(method, params);
      const legacy = { jsonrpc: '2.0', id: 1, method, params };
      for (const asked of [
        send(subject, method, params, { path }),
        request().post(path).set('Accept', headers.Accept).send(legacy),
      ]) {
        thrown = error;
        log.lines = [];
        const answer = await asked;
        expect([path, method, answer.status, answer.body.error]).toEqual([path, method, status, message]);
        expect(answer.text).not.toContain('secret-host');
        expect(log.text('error').includes('secret-host')).toBe(error === unforeseen);
        if (lines === 1) expect(log.text('error')).toContain(answer.headers['x-request-id']);
      }
    }
  log.lines = [];
});
