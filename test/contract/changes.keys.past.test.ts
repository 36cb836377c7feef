import { expect } from '@jest/globals';
import { ChangeRecord } from '@nest-endpoints/core';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { connectionOf } from '../support/catalogue.js';
import { now } from './changes.clock.js';
import { Triggers } from './changes.fields.js';
import { Memo, Note, keyedBy, of, pastOf } from './changes.keys.js';
import { toldBy } from './changes.town.js';

const { contract } = service(
  {
    entities: [Note, Memo, ChangeRecord],
    providers: [Triggers],
    endpoints: [
      keyedBy(Note, 'notes'),
      keyedBy(Memo as never, 'memos'),
      pastOf(Note, 'past/notes'),
      pastOf(Memo as never, 'past/memos'),
      pastOf(Note, 'open/notes', true),
    ],
  },
  bothPostgresql,
);

interface Told {
  readonly operation: string;
  readonly changes: object;
}

const history = async ({ request }: Subject, path: string, tenant: string): Promise<readonly Told[]> => {
  const { status, body } = await request().get(`${path}/history`).set(of(tenant));
  expect([path, status]).toEqual([path, 200]);
  return (body.data as readonly Told[]).map(({ operation, changes }) => ({ operation, changes }));
};

const works = ({ request }: Subject) => ({
  post: async (url: string, tenant: string, body: object) =>
    expect((await request().post(url).set(of(tenant)).send(body)).status).toBe(201),
  patch: async (url: string, tenant: string, body: object) =>
    expect((await request().patch(url).set(of(tenant)).send(body)).status).toBe(200),
  remove: async (url: string, tenant: string) =>
    expect((await request().delete(url).set(of(tenant))).status).toBe(200),
});

contract('A record that takes the key of another one shows nothing of that one', async (subject) => {
  const { request } = subject;
  const { post, patch, remove } = works(subject);
  for (const url of ['/notes', '/memos']) {
    await post(url, 'b', { id: 2, text: 'of b' });
    await post(url, 'a', { id: 3, text: 'SECRET' });
    await patch(`${url}/3`, 'a', { text: 'SECRET, too' });
    const time = await now(subject);
    await patch(`${url}/3`, 'a', { id: 1003 });
    await patch(`${url}/2`, 'b', { id: 3 });
    const path = `/past${url}/3`;
    const begun = { operation: 'created', changes: { id: { after: 3 }, text: { after: 'of b' } } };
    expect(await history(subject, path, 'b')).toEqual([begun]);
    expect((await request().get(`${path}?as_of=${time}`).set(of('b'))).status).toBe(404);
    expect(await history(subject, `/past${url}/1003`, 'a')).toEqual([
      { operation: 'created', changes: { id: { after: 1003 }, text: { after: 'SECRET, too' } } },
    ]);
    // What another one deletes for good leaves its key as well.
    await post(url, 'a', { id: 5, text: 'SECRET' });
    const last = await now(subject);
    await remove(`${url}/5`, 'a');
    await patch(`${url}/3`, 'b', { id: 5 });
    expect(await history(subject, `/past${url}/5`, 'b')).toEqual([
      { operation: 'created', changes: { id: { after: 5 }, text: { after: 'of b' } } },
    ]);
    expect((await request().get(`/past${url}/5?as_of=${last}`).set(of('b'))).status).toBe(404);
  }
});

contract('A record that was made again under a key begins there, whoever asks', async (subject) => {
  const { post, patch, remove } = works(subject);
  await post('/notes', 'a', { id: 1, text: 'one' });
  await remove('/notes/1', 'a');
  await post('/notes', 'a', { id: 1, text: 'two' });
  await patch('/notes/1', 'a', { text: 'three' });
  const told = [
    { operation: 'updated', changes: { text: { before: 'two', after: 'three' } } },
    { operation: 'created', changes: { id: { after: 1 }, text: { after: 'two' } } },
  ];
  for (const path of ['/past/notes/1', '/open/notes/1'])
    expect(await history(subject, path, 'a')).toEqual(told);
});

contract('What nobody recorded of a key gives away nothing of a record that had it', async (subject) => {
  const { post, patch, remove } = works(subject);
  await post('/notes', 'a', { id: 1, text: 'SECRET' });
  await remove('/notes/1', 'a');
  await connectionOf(subject.orm).execute(
    `insert into keyed_note (id, code, tenant, text) values (1, 'b', 'b', 'of b')`,
  );
  expect(await history(subject, '/past/notes/1', 'b')).toEqual([]);
  await patch('/notes/1', 'b', { text: 'still of b' });
  for (const path of ['/past/notes/1', '/open/notes/1'])
    expect(JSON.stringify(await history(subject, path, 'b'))).not.toContain('SECRET');
  expect(await history(subject, '/past/notes/1', 'b')).toMatchObject([{ operation: 'updated' }]);
});

contract('A log that has a change of the key among the values is read as safely', async (subject) => {
  const { request } = subject;
  const { post, patch } = works(subject);
  await post('/notes', 'b', { id: 2, text: 'of b' });
  await post('/notes', 'a', { id: 3, text: 'SECRET' });
  const time = await now(subject);
  await patch('/notes/3', 'a', { id: 1003 });
  await patch('/notes/2', 'b', { id: 3 });
  // As it was written before ends and beginnings were told.
  const run = (sql: string) => connectionOf(subject.orm).execute(sql);
  await run(`delete from change_record where operation = 'deleted'`);
  await run(
    `update change_record set operation = 'updated', before = '{"id": 2}', after = '{"id": 3}' where record_id = '3' and id = (select max(id) from change_record)`,
  );
  expect(await history(subject, '/past/notes/3', 'b')).toEqual([
    { operation: 'updated', changes: { id: { after: 3 } } },
  ]);
  expect((await request().get(`/past/notes/3?as_of=${time}`).set(of('b'))).status).toBe(404);
});

contract('A trigger tells of changes of keys by SQL, record by record', async (subject) => {
  const { post } = works(subject);
  await post('/memos', 'a', { id: 1, text: 'one' });
  await post('/memos', 'a', { id: 2, text: 'two' });
  const connection = connectionOf(subject.orm);
  await connection.execute('delete from change_record');
  await connection.execute('update keyed_memo set id = id + 10');
  const rows = (await toldBy(subject)).map(({ operation, recordId }) => `${recordId} ${operation}`);
  expect(rows).toEqual(['1 deleted', '11 created', '2 deleted', '12 created']);
});
