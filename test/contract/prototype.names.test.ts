import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { AdvancedSearch, Batch, EndpointGroup, Import, RestfulApi } from '@nest-endpoints/core';
import { Mcp } from '@nest-endpoints/mcp';
import { once, service, type Subject } from '../support/contract.js';
import { modern } from './mcp.fleet.js';

const Note = defineEntity({
  name: 'PrototypeNote',
  properties: { id: p.integer().primary().autoincrement(), text: p.string().nullable() },
});
const notes = {
  modelClass: Note,
  readableColumnNames: ['id', 'text'],
  writeableColumnNames: ['text'],
  searchableColumnNames: ['text'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Note],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Mcp({ url: 'mcp', tools: 'all' }),
          new Mcp({ url: 'registry', tools: 'all', mode: 'registry' }),
          new Batch({ url: 'batch' }),
          new AdvancedSearch({ ...notes, url: 'notes/search' }),
          new Import({ modelClass: Note, url: 'notes/import', writeableColumnNames: ['text'] }),
          new RestfulApi({ ...notes, url: 'notes', bulk: true }),
        ],
      }),
    ],
  },
  once,
);

/** Sends a text that no code of the test has read as an object. */
const post = async ({ request }: Subject, path: string, body: string, type = 'application/json') =>
  (await request().post(path).set('Content-Type', type).send(body)).text;

/** Calls a tool in either generation of the protocol. */
const tool = async (
  subject: Subject,
  path: string,
  name: string,
  given: string,
  isModern = true,
): Promise<string> => {
  const { headers, body } = modern('tools/call', { name, arguments: '*' });
  const legacy = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: '*' } };
  const { text } = await subject
    .request()
    .post(path)
    .set(isModern ? headers : { Accept: headers.Accept })
    .set('Content-Type', 'application/json')
    .send(JSON.stringify(isModern ? body : legacy).replace('"*"', given));
  return text;
};

/** Every way in which a request names something that there may not be. */
const ways: Readonly<Record<string, (subject: Subject, name: string) => Promise<string>>> = {
  body: (subject, name) => post(subject, '/notes', `{"text":"t","${name}":{"tenant":"b"}}`),
  bulk: (subject, name) => post(subject, '/notes/bulk', `{"records":[{"text":"t","${name}":1}]}`),
  query: async ({ request }, name) => (await request().get(`/notes?${name}=1`)).text,
  sort: async ({ request }, name) => (await request().get(`/notes?sort=${name}`)).text,
  search: (subject, name) => post(subject, '/notes/search', `{"${name}":1}`),
  where: (subject, name) =>
    post(subject, '/notes/search', `{"where":[{"column":"${name}","operator":"=","value":1}]}`),
  csv: (subject, name) => post(subject, '/notes/import', `text,${name}\r\nt,1\r\n`, 'text/csv'),
  ndjson: (subject, name) =>
    post(subject, '/notes/import', `{"text":"t","${name}":1}\n`, 'application/x-ndjson'),
  operation: (subject, name) =>
    post(subject, '/batch', `{"operations":[{"method":"POST","path":"/notes","body":{"${name}":1}}]}`),
  with: (subject, name) =>
    post(
      subject,
      '/batch',
      `{"operations":[{"method":"POST","path":"/notes","body":{"text":"t"},"as":"n"},
        {"method":"POST","path":"/notes","body":{"text":"t"},"with":{"${name}":"n.id"}}]}`,
    ),
  step: (subject, name) =>
    post(
      subject,
      '/batch',
      `{"operations":[{"method":"POST","path":"/notes","body":{"text":"t"},"as":"n"},
        {"method":"POST","path":"/notes","body":{},"with":{"text":"n.${name}"}}]}`,
    ),
  mcp: (subject, name) => tool(subject, '/mcp', 'create_notes', `{"text":"t","${name}":{"tenant":"b"}}`),
  legacy: (subject, name) => tool(subject, '/mcp', 'create_notes', `{"text":"t","${name}":1}`, false),
  registry: (subject, name) =>
    tool(
      subject,
      '/registry',
      'call_endpoint',
      `{"name":"create_notes","arguments":{"text":"t","${name}":{"tenant":"b"}}}`,
    ),
  registered: (subject, name) => tool(subject, '/registry', 'search_endpoints', `{"${name}":{"tenant":"b"}}`),
  tool: (subject, name) => tool(subject, '/mcp', name, '{}'),
  endpoint: (subject, name) => tool(subject, '/registry', 'call_endpoint', `{"name":"${name}"}`),
};

/** The words that differ from one answer to the next. */
const withoutIds = (text: string): string => text.replaceAll(/"request_id":"[^"]*"/g, '');

for (const name of Object.getOwnPropertyNames(Object.prototype))
  contract(`The name ${name} is as unknown as any other`, async (subject) => {
    const answers: Record<string, string> = {};
    const expected: Record<string, string> = {};
    for (const [way, send] of Object.entries(ways)) {
      answers[way] = withoutIds(await send(subject, name));
      const unknown = withoutIds(await send(subject, 'nothing'));
      expect([way, unknown]).not.toEqual([
        way,
        expect.stringMatching(/"status":"success"|^{"result":(?!.*isError)/),
      ]);
      expected[way] = unknown.replaceAll('nothing', name);
    }
    expect(answers).toEqual(expected);
    expect(await subject.count(Note)).toBe(0);
  });
