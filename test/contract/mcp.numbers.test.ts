import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { Mcp } from '@nest-endpoints/mcp';
import { once, service, type Subject } from '../support/contract.js';
import { failureOf, modern } from './mcp.fleet.js';

/** A record whose key may be beyond 2^53. */
const Crate = defineEntity({
  name: 'Crate',
  properties: {
    id: p.bigint('string').primary(),
    lot: p.bigint('string'),
    load: p.double(),
  },
});

const { contract } = service(
  {
    entities: [Crate],
    endpoints: [
      new EndpointGroup({
        endpoints: [
          new Mcp({ url: 'mcp', tools: 'all' }),
          new RestfulApi({
            url: 'crates',
            modelClass: Crate,
            readableColumnNames: ['id', 'lot', 'load'],
            writeableColumnNames: ['id', 'lot', 'load'],
            sortableColumnNames: ['id'],
            searchableColumnNames: ['lot', 'load'],
            defaultSortColumnName: 'id',
          }),
        ],
      }),
    ],
  },
  once,
);

const [even, odd] = ['9007199254740992', '9007199254740993'] as const;

/** Calls a tool with arguments whose numbers are written as they are. */
const called = ({ request }: Subject, name: string, given: string) => {
  const { headers, body } = modern('tools/call', { name, arguments: {} });
  const text = JSON.stringify(body).replace('"arguments":{}', `"arguments":${given}`);
  return request().post('/mcp').set(headers).type('json').send(text);
};

contract(
  'A number that JSON does not carry exactly reaches no other record: it is to be a text',
  async (subject) => {
    for (const id of [even, odd]) await subject.save(Crate, { id, lot: id, load: 2 ** 60 });
    const told = (name: string) =>
      `400 client_error: '${name}' is beyond 2^53, where numbers are not exact: give it as text`;
    for (const id of [odd, `-${odd}`, '1e30'])
      expect(failureOf(await called(subject, 'delete_crates_by_id', `{"id":${id}}`))).toBe(told('id'));
    expect(failureOf(await called(subject, 'list_crates', `{"lot":${odd}}`))).toBe(told('lot'));
    expect(await subject.count(Crate)).toBe(2);
    const found = async (given: string): Promise<unknown> => {
      const { body } = await called(subject, 'list_crates', given);
      const { data } = body.result.structuredContent as { data: readonly { id: unknown }[] };
      return data.map(({ id }) => id);
    };
    expect(await found(`{"lot":"${odd}"}`)).toEqual([odd]);
    // A number that is none of them exactly, anyway.
    expect(await found(`{"load":${String(2 ** 60)}}`)).toEqual([even, odd]);
    await called(subject, 'delete_crates_by_id', `{"id":"${odd}"}`);
    expect(await subject.em().find(Crate, {})).toMatchObject([{ id: even }]);
  },
);
