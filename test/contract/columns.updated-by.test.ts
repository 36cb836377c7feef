import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  Create,
  CreatedByAuthorizationDataColumn,
  CreatedByColumn,
  RestfulApi,
  Update,
  UpdatedByAuthorizationDataColumn,
  UpdatedByHeaderColumn,
  UpdatedByIpColumn,
  UpdatedByRoutingDataColumn,
  UpdatedByUserAgentColumn,
  Upsert,
  defineColumns,
  type RequestFacts,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { once, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { StationList } from './station.list.js';

/** The method of the request that changed the record last. */
class UpdatedByMethodColumn extends CreatedByColumn {
  readonly name = 'UpdatedByMethod';
  override readonly isSetOnUpdate = true;

  protected valueIn({ request }: RequestFacts): unknown {
    return (request as { readonly method: string }).method;
  }
}

const Label = defineEntity({
  name: 'Label',
  properties: { id: p.integer().primary(), text: p.string() },
});

const Entry = defineEntity({
  name: 'Entry',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string(),
    mood: p.string().nullable(),
    labels: () => p.manyToMany(Label),
    author: p.string().nullable(),
    editor: p.string().nullable(),
    channel: p.string().nullable(),
    desk: p.string().nullable(),
    ip: p.string().nullable(),
    agent: p.string().length(6).nullable(),
    method: p.string().nullable(),
    changes: p.integer().version(),
  },
});

defineColumns(Entry, {
  author: { type: new CreatedByAuthorizationDataColumn('sub') },
  editor: { type: new UpdatedByAuthorizationDataColumn('sub') },
  channel: { type: new UpdatedByHeaderColumn('X-Channel') },
  desk: { type: new UpdatedByRoutingDataColumn('desk') },
  ip: { type: new UpdatedByIpColumn() },
  agent: { type: new UpdatedByUserAgentColumn() },
  method: { type: new UpdatedByMethodColumn() },
});

const Person = defineEntity({
  name: 'Person',
  properties: { id: p.integer().primary(), name: p.string() },
});

/** A record whose last editor must be known. */
const Memo = defineEntity({
  name: 'Memo',
  properties: {
    id: p.integer().primary().autoincrement(false),
    text: p.string(),
    editor: () => p.manyToOne(Person),
  },
});

defineColumns(Memo, { editorId: { type: new UpdatedByAuthorizationDataColumn('sub') } });

const entries = {
  modelClass: Entry,
  readableColumnNames: ['id', 'text', 'mood', 'author', 'editor', 'channel', 'desk', 'agent', 'method'],
  writeableColumnNames: ['text', 'mood'],
  searchableColumnNames: ['editor'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  authentication: new Claims(),
} as const;

const memos = {
  modelClass: Memo,
  readableColumnNames: ['text', 'editorId'],
  writeableColumnNames: ['text'],
  authentication: new Claims(),
} as const;

const heard: unknown[] = [];

const { contract } = service({
  entities: [Label, Entry, Person, Memo],
  endpoints: [
    new RestfulApi({ ...entries, url: 'entries' }),
    new Update({ ...entries, url: 'desks/:desk/entries/:id' }),
    new Update({ ...entries, url: 'listed/:id', writeableColumnNames: ['text', 'labelIds'] }),
    new Update({
      ...entries,
      url: 'hooked/:id',
      beforeSave: ({ record, changes }) => {
        heard.push({ ...changes });
        if (record.text === 'cheer up') record.mood = 'gay';
      },
      afterSave: ({ changes }) => {
        heard.push(Object.keys(changes).sort());
      },
    }),
    new Create({ ...memos, url: 'memos', writeableColumnNames: ['id', 'text'] }),
    new Update({ ...memos, url: 'memos/:id' }),
    new Upsert({ ...memos, url: 'put', writeableColumnNames: ['id', 'text'], conflictColumnNames: ['id'] }),
  ],
});

const as = (subject: Subject, sub: unknown, method: 'post' | 'patch' | 'put', path: string, body: object) => {
  const claims = JSON.stringify(sub === undefined ? {} : { sub });
  const request = subject.request();
  return request[method](path).set({ 'X-Claims': claims, 'User-Agent': 'curl/8.1' }).send(body);
};

const written = async (sent: ReturnType<typeof as>) => {
  const { status, body } = await sent;
  return [status, body.data as Record<string, unknown>] as const;
};

contract('UpdatedBy is set on Create', async (subject) => {
  const [status, data] = await written(as(subject, 'ann', 'post', '/entries', { text: 'a' }));
  const set = { author: 'ann', editor: 'ann', channel: null, desk: null, agent: 'curl/8', method: 'POST' };
  expect([status, data]).toEqual([201, { id: 1, text: 'a', mood: null, ...set }]);
});

for (const url of ['entries', 'hooked'])
  contract(
    `An Update that changes something sets UpdatedBy, and leaves CreatedBy alone (${url})`,
    async (subject) => {
      await as(subject, 'ann', 'post', '/entries', { text: 'a' });
      const sent = as(subject, 'bob', 'patch', `/${url}/1`, { text: 'b' }).set('X-Channel', 'radio');
      const [status, data] = await written(sent);
      const set = { author: 'ann', editor: 'bob', channel: 'radio', agent: 'curl/8', method: 'PATCH' };
      expect([status, data]).toEqual([200, { id: 1, text: 'b', mood: null, desk: null, ...set }]);
      expect(await subject.em().findOne(Entry, 1)).toMatchObject({
        editor: 'bob',
        ip: '127.0.0.1',
        changes: 2,
      });
    },
  );

for (const url of ['entries', 'hooked', 'listed'])
  contract(`An Update that changes nothing leaves UpdatedBy alone (${url})`, async (subject) => {
    await as(subject, 'ann', 'post', '/entries', { text: 'a' });
    for (const body of [{}, { text: 'a' }]) {
      const [status, data] = await written(as(subject, 'bob', 'patch', `/${url}/1`, body));
      expect([status, data['editor'], data['method']]).toEqual([200, 'ann', 'POST']);
    }
    expect(await subject.em().findOne(Entry, 1)).toMatchObject({ editor: 'ann', changes: 1 });
  });

contract('UpdatedByRoutingData takes a path parameter', async (subject) => {
  await as(subject, 'ann', 'post', '/entries', { text: 'a' });
  const [, data] = await written(as(subject, 'bob', 'patch', '/desks/news%201/entries/1', { text: 'b' }));
  expect(data['desk']).toBe('news 1');
});

contract('What the request of an Update does not say becomes null in a nullable column', async (subject) => {
  await as(subject, 'ann', 'post', '/entries', { text: 'a' }).set('X-Channel', 'radio');
  const [status, data] = await written(as(subject, undefined, 'patch', '/entries/1', { mood: 'b' }));
  expect([status, data['author'], data['editor'], data['channel']]).toEqual([200, 'ann', null, null]);
});

contract('A client cannot send what UpdatedBy sets', async (subject) => {
  await as(subject, 'ann', 'post', '/entries', { text: 'a' });
  const refused = inputErrors({ editor: 'Input column editor is not an allowed input column.' });
  expectAnswer(await as(subject, 'bob', 'post', '/entries', { text: 'b', editor: 'cid' }), 400, refused);
  expectAnswer(await as(subject, 'bob', 'patch', '/entries/1', { text: 'b', editor: 'cid' }), 400, refused);
  expect(await subject.em().findOne(Entry, 1)).toMatchObject({ text: 'a', editor: 'ann' });
});

contract('UpdatedBy is judged as input is, whatever else an Update or Upsert says', async (subject) => {
  await subject.save(Person, { id: 1, name: 'Ann' });
  await subject.save(Person, { id: 2, name: 'Bob' });
  expectAnswer(
    await as(subject, undefined, 'post', '/memos', { id: 5, text: 'a' }),
    400,
    inputErrors({ editor_id: "'editor_id' is required." }),
  );
  expectAnswer(
    await as(subject, 1, 'post', '/memos', { id: 5, text: 'a' }),
    201,
    success({ text: 'a', editor_id: 1 }),
  );
  expectAnswer(
    await as(subject, '2', 'patch', '/memos/5', { text: 'b' }),
    200,
    success({ text: 'b', editor_id: 2 }),
  );
  for (const body of [{}, { text: 'b' }, { text: 'c' }]) {
    const required = inputErrors({ editor_id: "'editor_id' is required." });
    expectAnswer(await as(subject, undefined, 'patch', '/memos/5', body), 400, required);
    const mistyped = inputErrors({ editor_id: 'value should be an integer' });
    expectAnswer(await as(subject, 'bob', 'patch', '/memos/5', body), 400, mistyped);
    const unknown = inputErrors({ editor_id: 'the given record does not exist' });
    expectAnswer(await as(subject, 3, 'patch', '/memos/5', body), 400, unknown);
    if ('text' in body) expectAnswer(await as(subject, 3, 'put', '/put', { id: 5, ...body }), 400, unknown);
  }
  // One that may be it, and changes nothing.
  expectAnswer(await as(subject, 1, 'patch', '/memos/5', {}), 200, success({ text: 'b', editor_id: 2 }));
  const stored = await subject.em().findOneOrFail(Memo, 5);
  expect([stored.text, stored.editor.id]).toEqual(['b', 2]);
});

contract('A change that a function makes sets UpdatedBy, which shows when it is written', async (subject) => {
  heard.length = 0;
  await as(subject, 'ann', 'post', '/entries', { text: 'cheer up' });
  const [, data] = await written(as(subject, 'bob', 'patch', '/hooked/1', {}));
  expect([data['mood'], data['editor']]).toEqual(['gay', 'bob']);
  expect(heard).toEqual([{}, expect.arrayContaining(['editor', 'method', 'mood'])]);
});

contract('A list of keys that changes sets UpdatedBy', async (subject) => {
  await subject.save(Label, { id: 1, text: 'new' });
  await as(subject, 'ann', 'post', '/entries', { text: 'a' });
  const [status, data] = await written(as(subject, 'bob', 'patch', '/listed/1', { label_ids: [1] }));
  expect([status, data['editor']]).toEqual([200, 'bob']);
  const [, same] = await written(as(subject, 'cid', 'patch', '/listed/1', { label_ids: [1] }));
  expect(same['editor']).toBe('bob');
});

contract(
  'An Update of the version that a client knows sets UpdatedBy, and no other does',
  async (subject) => {
    const { headers } = await as(subject, 'ann', 'post', '/entries', { text: 'a' });
    const stale = await as(subject, 'bob', 'patch', '/entries/1', { text: 'b' }).set('If-Match', '"7"');
    expect(stale.status).toBe(412);
    expect(await subject.em().findOne(Entry, 1)).toMatchObject({ editor: 'ann' });
    const known = as(subject, 'bob', 'patch', '/entries/1', { text: 'b' }).set(
      'If-Match',
      headers['etag'] ?? '',
    );
    expect((await written(known))[1]).toMatchObject({ text: 'b', editor: 'bob' });
  },
);

const Buoy = defineEntity({
  name: 'Buoy',
  properties: {
    id: p.integer().primary().autoincrement(),
    callSign: p.string(),
    editor: p.string().nullable(),
  },
});

defineColumns(Buoy, { editor: { type: new UpdatedByAuthorizationDataColumn('sub') } });

const list = new StationList();
const buoys = {
  modelClass: Buoy,
  readableColumnNames: ['id', 'callSign', 'editor'],
  writeableColumnNames: ['callSign'],
  authentication: new Claims(),
} as const;

const backed = service(
  {
    entities: [Buoy],
    root: { backends: [{ modelClass: Buoy, backend: list }] },
    endpoints: [
      new Create({ ...buoys, url: 'buoys' }),
      new Update({ ...buoys, url: 'buoys/:id' }),
      new Update({ ...buoys, url: 'hooked/:id', beforeSave: () => undefined }),
    ],
  },
  once,
);

for (const url of ['buoys', 'hooked'])
  backed.contract(`Records of a backend have UpdatedBy, too (${url})`, async (subject) => {
    list.clear();
    await as(subject, 'ann', 'post', '/buoys', { call_sign: 'A' });
    for (const [sub, body, editor] of [
      ['bob', {}, 'ann'],
      ['bob', { call_sign: 'A' }, 'ann'],
      ['bob', { call_sign: 'B' }, 'bob'],
    ] as const) {
      const [status, data] = await written(as(subject, sub, 'patch', `/${url}/1`, body));
      expect([status, data['editor']]).toEqual([200, editor]);
    }
    expect(list.records).toEqual([{ id: 1, callSign: 'B', editor: 'bob' }]);
  });
