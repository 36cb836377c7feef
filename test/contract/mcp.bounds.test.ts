import { afterAll, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Callable, ChangeRecord, EndpointGroup, List, recordChanges } from '@nest-endpoints/core';
import { LiveLists } from '@nest-endpoints/live';
import { Mcp } from '@nest-endpoints/mcp';
import { once, service, type Subject } from '../support/contract.js';
import { call, failureOf, keyServer, send } from './mcp.fleet.js';

afterAll(() => keyServer.close());

const Buoy = defineEntity({
  name: 'Buoy',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

recordChanges(Buoy, { keepFor: 'forever' });

const shown = { modelClass: Buoy, readableColumnNames: ['id', 'name'] } as const;

const { contract } = service(
  {
    entities: [Buoy, ChangeRecord],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Mcp({ url: 'mcp', tools: 'all', maximumLimit: 2 }),
          new Mcp({ url: 'registry', tools: 'all', mode: 'registry', answerLimit: 400 }),
          new List({
            ...shown,
            url: 'buoys',
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
            live: true,
          }),
          new Callable({
            ...shown,
            url: 'found',
            readOnly: true,
            returnRecords: true,
            toCall: ({ em }) => em.createQueryBuilder(Buoy, 'b').orderBy({ id: 'asc' }),
          }),
          new Callable({
            url: 'refused',
            readOnly: true,
            inputValidationCallable: (): Record<string, string> => ({ name: 'no '.repeat(1000) }),
            toCall: () => 'never',
          }),
        ],
      }),
    ],
    root: { live: new LiveLists() },
  },
  once,
);

const sent = { path: '/mcp' };
const registry = { path: '/registry' };

const countOf = async (subject: Subject, name: string, given: object): Promise<unknown> =>
  (await call(subject, name, given, sent)).body.result.structuredContent.data.length;

contract('A tool takes no argument that is about streams alone', async (subject) => {
  await subject.save(Buoy, { name: 'north' });
  const { body } = await send(subject, 'tools/list', {}, sent);
  const tools = body.result.tools as readonly { name: string; inputSchema: { properties: object } }[];
  const list = tools.find(({ name }) => name === 'list_buoys');
  expect(Object.keys(list?.inputSchema.properties ?? {})).toContain('limit');
  expect(Object.keys(list?.inputSchema.properties ?? {})).not.toContain('snapshot');
  expect(await countOf(subject, 'list_buoys', {})).toBe(1);
});

contract('A limit among parameters of any name is not above that of agents', async (subject) => {
  for (const name of ['a', 'b', 'c']) await subject.save(Buoy, { name });
  for (const given of [
    {},
    { limit: 3 },
    { limit: 1, parameters: { limit: 3 } },
    { parameters: { limit: '3' } },
  ])
    expect([given, await countOf(subject, 'call_found', given)]).toEqual([given, 2]);
});

contract('What a registry says has an end, too', async (subject) => {
  const failure = async (name: string, given: object = {}): Promise<unknown> =>
    failureOf(await call(subject, name, given, registry));
  // What the application says of an endpoint is told all the same, without the form of its answers.
  const { body } = await call(subject, 'describe_endpoint', { name: 'list_buoys' }, registry);
  expect(Object.keys(body.result.structuredContent)).toContain('input_schema');
  expect(Object.keys(body.result.structuredContent)).not.toContain('output_schema');
  expect(await failure('search_endpoints')).toMatch(
    /^The answer has [\d,]+ bytes; ask for fewer endpoints \('limit'\)$/,
  );
  const refused = String(await failure('call_read_endpoint', { name: 'call_refused' }));
  expect(refused).toMatch(/^400 input_errors: \{"name":"no no .*…$/);
  expect(refused).toHaveLength(401);
});
