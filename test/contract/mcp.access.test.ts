import { afterAll, expect } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { everyPlatform, service } from '../support/contract.js';
import {
  call,
  failureOf,
  fleet,
  issuer,
  keyServer,
  modern,
  resource,
  send,
  Ship,
  shownTo,
  strangers,
  token,
  waiting,
} from './mcp.fleet.js';

afterAll(() => keyServer.close());

const { contract } = service(fleet, everyPlatform);

const all = { path: '/agents/all' };
const registry = { path: '/agents/registry' };
const metadataUrl = 'https://fleet.example/.well-known/oauth-protected-resource/agents/mcp';

contract('Who has no good token is told by HTTP where to get one', async (subject) => {
  const challenge = `Bearer scope="fleet", resource_metadata="${metadataUrl}"`;
  for (const bearer of [
    undefined,
    'nonsense',
    await strangers.token({ sub: 'eve', tenant: 'a' }),
    await token({ aud: 'elsewhere' }),
    await issuer.token({ sub: 'ann', tenant: 'a' }, { expiresIn: -3600 }),
  ]) {
    const { status, headers } = await send(subject, 'tools/list', {}, { bearer });
    expect([status, headers['www-authenticate']]).toEqual([401, challenge]);
  }
  const untold =
    "Mcp 'agents/all': AdvancedSearch 'agents/ships/search' needs a token, and agents are not told where to get one";
  expect(subject.startLog).toContain(untold);
  expect(subject.startLog).not.toMatch(/Mcp 'agents\/mcp': .* needs a token/);
  const { status, body, headers } = await subject.request().get(new URL(metadataUrl).pathname);
  expect([status, headers['access-control-allow-origin'], body]).toEqual([
    200,
    '*',
    {
      resource,
      authorization_servers: ['https://issuer.test/'],
      scopes_supported: ['fleet'],
      bearer_methods_supported: ['header'],
    },
  ]);
});

contract('A tool that needs a token is shown to who has none, and its call is a 401', async (subject) => {
  const anonymous = await send(subject, 'tools/call', { name: 'call_open_log' }, { path: '/open/mcp' });
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers['www-authenticate']).toBe('Bearer');
  const known = await call(subject, 'call_open_log', {}, { path: '/open/mcp' });
  expect(known.body.result.structuredContent.data).toBe('log');
});

contract('A tool that a scope keeps somebody from is not shown, and its call is a 403', async (subject) => {
  const admin = await token({ scope: 'fleet fleet:admin' });
  expect(await shownTo(subject, { bearer: admin })).toContain('list_agents_guarded');
  expect(await shownTo(subject, { bearer: await token() })).not.toContain('list_agents_guarded');
  const refused = await call(subject, 'list_agents_guarded');
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="fleet", resource_metadata="${metadataUrl}"`,
  ]);
  expect((await call(subject, 'list_agents_guarded', {}, { bearer: admin })).status).toBe(200);
  const sunday = { headers: { 'X-Day': 'sunday' } };
  expect(await shownTo(subject, { bearer: admin, ...sunday })).toContain('list_agents_weekdays');
  expect((await call(subject, 'list_agents_weekdays', {}, sunday)).status).toBe(403);
});

contract('What is wrong with a call is told to who may make it', async (subject) => {
  const admin = await token({ scope: 'fleet fleet:admin' });
  const get = 'get_agents_guarded_by_id';
  for (const given of [{}, { id: null }, { id: 1 }, { id: {} }])
    expect([given, (await call(subject, get, given)).status]).toEqual([given, 403]);
  expect(failureOf(await call(subject, get, {}, { bearer: admin }))).toBe(
    "400 client_error: 'id' is required.",
  );
  for (const [tool, values] of [
    ['call_read_endpoint', {}],
    ['call_endpoint', {}],
  ] as const) {
    const given = { name: get, arguments: values };
    expect([tool, (await call(subject, tool, given, registry)).status]).toEqual([tool, 403]);
    expect(failureOf(await call(subject, tool, given, { bearer: admin, ...registry }))).toContain(
      "'id' is required",
    );
  }
});

contract('A record of another tenant is as one that is not there', async (subject) => {
  const { id } = await subject.save(Ship, { name: 'Argo', tenant: 'b' });
  const missing = failureOf(await call(subject, 'get_agents_ships_by_id', { id: 99 }));
  expect(failureOf(await call(subject, 'get_agents_ships_by_id', { id }))).toBe(missing);
  expect(failureOf(await call(subject, 'scrap_ship', { id }, all))).toBe(missing);
  expect((await call(subject, 'list_agents_ships')).body.result.structuredContent.data).toEqual([]);
  expect(await subject.count(Ship)).toBe(1);
});

contract('An argument of a path leads to no other endpoint', async (subject) => {
  await subject.save(Ship, { name: 'Argo', tenant: 'a' });
  for (const id of [
    '',
    '.',
    '..',
    '../weather',
    'search',
    'bulk',
    '1/../2',
    '1?limit=1',
    '1#x',
    '%2e%2e',
    '\ud800',
  ])
    expect([id, failureOf(await call(subject, 'get_agents_ships_by_id', { id }))]).toEqual([
      id,
      expect.stringMatching(/^40[04] /),
    ]);
  for (const id of ['bulk', '', 'search'])
    expect(failureOf(await call(subject, 'scrap_ship', { id }, all))).toMatch(/^40[04] /);
  expect(await subject.count(Ship)).toBe(1);
});

contract('A page of a stranger is refused, by whatever name it reaches the service', async (subject) => {
  const bearer = await token();
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'http://evil.example', Host: 'evil.example' },
    { Origin: 'null' },
    { Origin: 'https://agents.example.evil.example' },
  ]) {
    const { status, body } = await send(subject, 'tools/list', {}, { bearer, headers });
    expect([status, body.error.message]).toEqual([403, 'The origin is not allowed']);
  }
  const own = { Origin: 'https://agents.example' };
  expect((await send(subject, 'tools/list', {}, { bearer, headers: own })).status).toBe(200);
});

contract('What is no message, or of no tool, is refused in words of the protocol', async (subject) => {
  const bearer = await token();
  const authorization = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' };
  const raw = async (method: string, body?: string, headers = {}) => {
    const answer = await subject.raw(method, '/agents/mcp', {
      headers: { ...authorization, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return [answer.status, (answer.body as { error?: { code: number } } | undefined)?.error?.code];
  };
  expect(await raw('POST', '{')).toEqual([400, -32_700]);
  expect(await raw('POST', '[]')).toEqual([400, -32_700]);
  expect(await raw('POST', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`)).toEqual([400, -32_700]);
  expect(await raw('POST', '{}', { 'Content-Type': 'text/plain' })).toEqual([415, -32_700]);
  expect(await raw('GET')).toEqual([405, -32_000]);
  expect(await raw('DELETE')).toEqual([405, -32_000]);
  const { body, headers } = modern('tools/call', { name: 'list_agents_ships', arguments: {} });
  const sent = { ...headers, 'Mcp-Name': 'get_agents_ships_by_id' };
  expect((await raw('POST', JSON.stringify(body), sent))[0]).toBe(400);
  for (const name of [
    'no_such_tool',
    'call_agents_kept',
    'call_agents_undocumented',
    'call_outside',
    'constructor',
  ]) {
    const { error } = (await call(subject, name)).body;
    expect([name, error]).toEqual([name, { code: -32_602, message: `Unknown tool: ${name}` }]);
  }
  const write = await call(subject, 'create_agents_ships', { name: 'x' });
  expect(write.body.error.code).toBe(-32_602);
  expect((await send(subject, 'resources/list', {}, { bearer })).status).toBe(404);
  const listening = await send(subject, 'subscriptions/listen', { notifications: {} }, { bearer });
  expect(listening.headers['content-type']).toMatch(/^application\/json/);
  expect(listening.body.error).toBeDefined();
});

contract('An agent that goes away ends the call, and its endpoint learns of it', async (subject) => {
  const { body, headers } = modern('tools/call', { name: 'call_agents_waits', arguments: {} });
  const authorization = { Authorization: `Bearer ${await token()}`, 'Content-Type': 'application/json' };
  const begun = new Promise<void>((resolve) => (waiting.begun = resolve));
  const left = new Promise<void>((resolve) => (waiting.left = resolve));
  const sent = httpRequest(`${subject.url}/agents/mcp`, {
    method: 'POST',
    headers: { ...headers, ...authorization },
  });
  sent.on('error', () => undefined).end(JSON.stringify(body));
  await begun;
  sent.destroy();
  await left;
  expect((await call(subject, 'call_agents_weather')).status).toBe(200);
  expect(subject.log.text('error')).toBe('');
});

contract('A call is a request of its sender, and takes of the limits of its endpoint', async (subject) => {
  const headers = { 'X-Request-Id': 'mine-7', 'Accept-Language': 'de' };
  const who = await call(subject, 'call_agents_who', {}, { headers });
  expect(who.body.result.structuredContent.data).toEqual({
    ip: expect.stringContaining('127.0.0.1'),
    requestId: 'mine-7',
    language: 'de',
    accept: 'application/json',
  });
  const once = { headers: { 'X-Request-Id': subject.platform } };
  const first = await call(subject, 'call_agents_limited', {}, once);
  expect(first.body.result.structuredContent.data).toBe('once');
  expect(failureOf(await call(subject, 'call_agents_limited', {}, once))).toMatch(
    /^429 client_error: Too Many Requests; try again in \d+ seconds$/,
  );
});
