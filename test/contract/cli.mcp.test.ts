import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { once } from 'node:events';
import { command, programOf, startCommand } from '../support/command-line/command.js';

const info = { name: 'test', version: '1' };
const application = 'agents';

test('The word mcp serves agents of both generations on standard input and output, with the token of TOKEN', async () => {
  const [program, ...args] = programOf(['mcp'], { application });
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_OPTIONS: '--experimental-strip-types',
    TOKEN: 's3cret',
  };
  const server = { command: program, args, env, stderr: 'ignore' } as const;
  for (const [client, transport] of [
    [new Client(info, { versionNegotiation: { mode: 'auto' } }), new StdioClientTransport(server)],
    [new EarlierClient(info), new EarlierTransport(server)],
  ] as const) {
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'call_weather',
      'call_secret',
      'call_waits',
      'call_inner_weather',
    ]);
    const { structuredContent } = await client.callTool({ name: 'call_secret', arguments: {} });
    expect(structuredContent).toEqual({ data: 'said', pagination: {} });
    await client.close();
  }
});

const message = (id: number | undefined, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params });

test('A server on standard input answers each line, and ends with its input', async () => {
  const lines = [
    'nonsense',
    '',
    message(undefined, 'notifications/initialized'),
    message(1, 'tools/call', { name: 'call_weather' }),
    message(2, 'tools/call', { name: 'call_secret' }),
  ];
  const { code, output } = await command(['mcp'], { application, input: lines.join('\n') });
  const answers = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number | null })
    .sort((a, b) => Number(a.id) - Number(b.id));
  expect([code, answers]).toEqual([
    0,
    [
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } },
      expect.objectContaining({
        id: 1,
        result: expect.objectContaining({ structuredContent: { data: { wind: 7 }, pagination: {} } }),
      }),
      { jsonrpc: '2.0', id: 2, error: { code: -32_000, message: '401 Not Authenticated' } },
    ],
  ]);
});

test('A request that is taken back ends at its endpoint, and gets no answer', async () => {
  const { child, ended } = startCommand(['mcp', 'mcp'], { application, isInputOpen: true });
  child.stdin?.write(`${message(1, 'tools/call', { name: 'call_waits' })}\n`);
  await once(child.stderr ?? child, 'data');
  child.stdin?.write(`${message(undefined, 'notifications/cancelled', { requestId: 1 })}\n`);
  await once(child.stderr ?? child, 'data');
  child.stdin?.end();
  const { code, output, errors } = await ended;
  expect([code, output, errors]).toEqual([0, '', 'begun\nleft\n']);
});

test('A message with -d is a request to the endpoint; an Mcp that is not there is a usage error', async () => {
  const asked = await command(
    ['mcp', '-H', 'Accept: application/json, text/event-stream', '-d', message(1, 'ping')],
    { application },
  );
  expect([asked.code, JSON.parse(asked.output)]).toEqual([0, { jsonrpc: '2.0', id: 1, result: {} }]);
  const unknown = await command(['mcp', 'nowhere'], { application, input: '' });
  expect([unknown.code, unknown.errors]).toEqual([
    2,
    'Name an Mcp by its path behind the word mcp: mcp, inner agents.\n',
  ]);
});
