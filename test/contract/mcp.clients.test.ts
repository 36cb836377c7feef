import { afterAll, expect } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { once, service } from '../support/contract.js';
import { fleet, keyServer, Ship, token } from './mcp.fleet.js';

afterAll(() => keyServer.close());

const { contract } = service(fleet, once);

const info = { name: 'test', version: '1' };

contract('The official clients of both generations list tools and call them', async (subject) => {
  await subject.save(Ship, { name: 'Argo', tons: 7, tenant: 'a' });
  const options = { requestInit: { headers: { Authorization: `Bearer ${await token()}` } } };
  const url = new URL(`${subject.url}/agents/mcp`);
  const clients = [
    [
      new Client(info, { versionNegotiation: { mode: 'auto' } }),
      new StreamableHTTPClientTransport(url, options),
    ],
    [new Client(info), new StreamableHTTPClientTransport(url, options)],
    [new EarlierClient(info), new EarlierTransport(url, options)],
  ] as const;
  for (const [client, transport] of clients) {
    await client.connect(transport);
    expect(client.getInstructions()).toBe('Ships and the weather.');
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('list_agents_ships');
    // The client judges the result by the tool's schema.
    const result = await client.callTool({ name: 'list_agents_ships', arguments: { limit: 1 } });
    expect(result.structuredContent).toEqual({
      data: [{ id: 1, name: 'Argo', tons: 7, note: null }],
      pagination: { number_results: 1, limit: 1, next_page: {} },
    });
    const missing = await client.callTool({ name: 'get_agents_ships_by_id', arguments: { id: 9 } });
    expect(missing).toMatchObject({ isError: true, content: [{ text: '404 client_error: Not Found' }] });
    await expect(client.callTool({ name: 'nowhere', arguments: {} })).rejects.toThrow(/Unknown tool/);
    await client.close();
  }
});

contract('An Mcp that refuses earlier protocols serves the current one alone', async (subject) => {
  const options = { requestInit: { headers: { Authorization: `Bearer ${await token()}` } } };
  const url = new URL(`${subject.url}/agents/modern`);
  const current = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await current.connect(new StreamableHTTPClientTransport(url, options));
  expect((await current.listTools()).tools).toHaveLength(1);
  await current.close();
  const earlier = new EarlierClient(info);
  await expect(earlier.connect(new EarlierTransport(url, options) as never)).rejects.toThrow(/400|version/i);
  await earlier.close();
});
