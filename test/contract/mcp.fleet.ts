import { defineEntity, p } from '@mikro-orm/core';
import { Jwks, RequireScopes, TenantRecords } from '@nest-endpoints/auth';
import {
  AdvancedSearch,
  Authorization,
  Batch,
  Callable,
  EndpointGroup,
  HealthCheck,
  IdempotencyRecord,
  PlainAnswers,
  RestfulApi,
} from '@nest-endpoints/core';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import { Mcp } from '@nest-endpoints/mcp';
import { Schema } from '@nest-endpoints/openapi';
import { KeyServer, TokenIssuer } from '@nest-endpoints/testing';
import { HttpException } from '@nestjs/common';
import type { Application } from '../support/application.js';

export const Ship = defineEntity({
  name: 'Ship',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(100).unique(),
    tons: p.integer().nullable(),
    note: p.text().nullable(),
    tenant: p.string().length(20),
    version: p.integer().version(),
  },
});

export const issuer = await TokenIssuer.create({ audience: 'fleet' });
export const keyServer = await KeyServer.start(issuer);
export const strangers = await TokenIssuer.create({ audience: 'fleet' });

const crew = new Jwks({ jwksUrl: keyServer.url, audience: 'fleet', claims: ['sub', 'tenant', 'scope'] });

/** A rule that asks about the request, so that no list of tools can tell. */
class OnWeekdays extends Authorization {
  override gate(_who: object, { headers }: { readonly headers: object }): boolean {
    return Reflect.get(headers, 'x-day') !== 'sunday';
  }
}

const ships = {
  modelClass: Ship,
  readableColumnNames: ['id', 'name', 'tons', 'note'],
  writeableColumnNames: ['name', 'tons', 'note'],
  sortableColumnNames: ['id', 'name'],
  searchableColumnNames: ['name', 'tons'],
  defaultSortColumnName: 'id',
} as const;

/** Hears of the endpoint `waits`. */
export const waiting = { begun: (): void => undefined, left: (): void => undefined };

const members = [
  new Schema({ url: 'schema' }),
  new HealthCheck({ url: 'health' }),
  new Batch({ url: 'batch' }),
  new AdvancedSearch({ ...ships, url: 'ships/search' }),
  new RestfulApi({
    ...ships,
    url: 'ships',
    idempotency: true,
    bulk: true,
    clientSelectsColumns: true,
    documentation: { delete: { tool: { name: 'scrap_ship', title: 'Scrap' } } },
  }),
  new RestfulApi({
    ...ships,
    url: 'guarded',
    authorization: new RequireScopes('fleet:admin'),
    readOnly: true,
  }),
  new RestfulApi({ ...ships, url: 'weekdays', authorization: new OnWeekdays(), readOnly: true }),
  new RestfulApi({
    ...ships,
    url: 'plain',
    answers: new PlainAnswers(),
    readOnly: true,
    externalCasing: 'camelCase',
  }),
  new Callable({ url: 'weather', readOnly: true, toCall: () => ({ wind: 7 }) }),
  new Callable({ url: 'undocumented', hidden: true, readOnly: true, toCall: () => 1 }),
  new Callable({ url: 'kept', tool: false, readOnly: true, toCall: () => 1 }),
  new Callable({ url: 'unsaid', toCall: () => 1 }),
  new Callable({ url: 'text', returnStandardResponse: false, readOnly: true, toCall: () => 'text' }),
  new Callable({
    url: 'accepted',
    readOnly: true,
    toCall: () => {
      throw new HttpException('of its own', 202);
    },
  }),
  new Callable({
    url: 'broken',
    readOnly: true,
    toCall: () => {
      throw new Error('a secret of the database');
    },
  }),
  new Callable({ url: 'bytes/:count', readOnly: true, toCall: ({ count }) => 'x'.repeat(Number(count)) }),
  new Callable({
    url: 'limited',
    readOnly: true,
    limits: [
      new RateLimit({
        quota: 1,
        window: 'month',
        by: ({ requestId }) => requestId,
        store: new MemoryLimits(),
      }),
    ],
    toCall: () => 'once',
  }),
  new Callable({
    url: 'who',
    readOnly: true,
    toCall: ({ ip, requestId, requestHeaders }) => ({
      ip,
      requestId,
      language: requestHeaders['accept-language'],
      accept: requestHeaders.accept,
    }),
  }),
  new Callable({
    url: 'waits',
    readOnly: true,
    toCall: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          waiting.left();
          resolve('left');
        });
        waiting.begun();
      }),
  }),
];

export const resource = 'https://fleet.example/agents/mcp';

/** A fleet whose endpoints agents may use, with a token that is for it. */
export const fleet = {
  entities: [Ship, IdempotencyRecord],
  endpoints: [
    new Callable({ url: 'outside', readOnly: true, toCall: () => 'never' }),
    new EndpointGroup({
      url: 'agents',
      authentication: crew,
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      endpoints: [
        new Mcp({
          url: 'mcp',
          resource,
          authorizationServers: ['https://issuer.test/'],
          scopes: ['fleet'],
          origins: ['https://agents.example'],
          instructions: 'Ships and the weather.',
        }),
        new Mcp({ url: 'all', tools: 'all', answerLimit: 65_536, maximumLimit: 2 }),
        new Mcp({ url: 'registry', tools: 'all', mode: 'registry' }),
        new Mcp({ url: 'modern', legacy: 'reject', tools: ['list_agents_ships'] }),
        ...members,
      ],
    }),
    new EndpointGroup({
      url: 'open',
      endpoints: [
        new Mcp({ url: 'mcp', tools: ({ readOnly }) => readOnly }),
        new Callable({ url: 'weather', readOnly: true, toCall: () => ({ wind: 7 }) }),
        new Callable({ url: 'log', readOnly: true, authentication: crew, toCall: () => 'log' }),
      ],
    }),
  ],
};

export const token = (claims: object = {}): Promise<string> =>
  issuer.token({ sub: 'ann', tenant: 'a', scope: 'fleet', ...claims });

/** A message of the revision 2026-07-28, with the headers that go with it. */
export const modern = (method: string, params: object = {}, id: number | string = 1) => {
  const { name } = params as { readonly name?: unknown };
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
    body: {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  };
};

export interface Sent {
  readonly path?: string;
  readonly bearer?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one message. */
export const send = async (
  { request }: Pick<Application, 'request'>,
  method: string,
  params: object = {},
  { path = '/agents/mcp', bearer, headers = {} }: Sent = {},
) => {
  const message = modern(method, params);
  const authorization = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  return request()
    .post(path)
    .set({ ...message.headers, ...authorization, ...headers })
    .send(message.body);
};

/** The names of the tools that somebody is shown. */
export const shownTo = async (
  subject: Pick<Application, 'request'>,
  sent: Sent,
): Promise<readonly string[]> => {
  const { body } = await send(subject, 'tools/list', {}, sent);
  return (body.result.tools as readonly { readonly name: string }[]).map(({ name }) => name);
};

/** Calls a tool. */
export const call = async (
  subject: Pick<Application, 'request'>,
  name: string,
  given: object = {},
  sent: Sent = {},
) => {
  const bearer = sent.bearer ?? (await token());
  return send(subject, 'tools/call', { name, arguments: given }, { ...sent, bearer });
};

/** The text of a call that failed. */
export const failureOf = ({ body }: { readonly body: unknown }): unknown => {
  const { result } = body as {
    readonly result?: { readonly isError?: true; readonly content: { text: string }[] };
  };
  return result?.isError === true ? result.content[0]?.text : body;
};
