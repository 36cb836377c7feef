import { expect } from '@jest/globals';
import { ChangeRecord } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Leaf, Note, keyedBy, of } from './changes.keys.js';
import { toldBy } from './changes.town.js';

const { contract } = service(
  {
    entities: [Note, Leaf, ChangeRecord],
    endpoints: [keyedBy(Note, 'notes'), keyedBy(Leaf as never, 'leaves')],
  },
  everyDatabase,
);

const forget = ({ em }: Subject) => em().getConnection().execute('delete from change_record');

const made = async ({ request }: Subject, url: string, body: object) =>
  expect((await request().post(url).set(of('a')).send(body)).status).toBe(201);

const told = async (subject: Subject) =>
  (await toldBy(subject)).map(({ operation, recordId, before, after }) => ({
    operation,
    recordId,
    before,
    after,
  }));

const end = (before: { readonly id: number; readonly text: string }) => ({
  operation: 'deleted',
  recordId: String(before.id),
  before,
  after: null,
});

const beginning = (after: { readonly id: number; readonly text: string }) => ({
  operation: 'created',
  recordId: String(after.id),
  before: null,
  after,
});

contract(
  'A change of the key is told as the end of the old one and the beginning of the new one',
  async (subject) => {
    const { request, em } = subject;
    await made(subject, '/notes', { id: 3, code: 'c', text: 'one' });
    await forget(subject);
    const was = { id: 3, code: 'c', tenant: 'a', text: 'one' };
    const is = { ...was, id: 1003, text: 'two' };
    const { status } = await request().patch('/notes/3').set(of('a')).send({ id: 1003, text: 'two' });
    expect([status, await told(subject)]).toEqual([200, [end(was), beginning(is)]]);
    await forget(subject);
    const put = await request().put('/coded/notes/c').set(of('a')).send({ id: 4, text: 'three' });
    const now = { ...was, id: 4, text: 'three' };
    expect([put.status, await told(subject)]).toEqual([200, [end(is), beginning(now)]]);
    await forget(subject);
    await request().patch('/notes/4').set(of('a')).send({ id: 4, text: 'four' });
    await request().put('/coded/notes/c').set(of('a')).send({ id: 4, text: 'five' });
    expect((await told(subject)).map(({ operation }) => operation)).toEqual(['updated', 'updated']);
    await forget(subject);
    const own = em().fork();
    const note = await own.findOneOrFail(Note, { id: 4 });
    note.id = 5;
    await own.flush();
    expect(await told(subject)).toEqual([
      end({ ...now, text: 'five' }),
      beginning({ ...now, id: 5, text: 'five' }),
    ]);
  },
);

contract('Of one flush ends come first: a record takes the key that another one leaves', async (subject) => {
  const { em } = subject;
  await made(subject, '/notes', { id: 1, text: 'one' });
  await made(subject, '/notes', { id: 2, text: 'two' });
  await forget(subject);
  const own = em().fork();
  const [one, two] = [await own.findOneOrFail(Note, { id: 1 }), await own.findOneOrFail(Note, { id: 2 })];
  two.id = 3;
  await own.flush();
  one.id = 2;
  two.id = 4;
  one.text = 'moved';
  await own.flush();
  const rows = (await told(subject)).map(({ operation, recordId }) => `${recordId} ${operation}`);
  expect(rows.slice(0, 2)).toEqual(['2 deleted', '3 created']);
  expect(rows.slice(2, 4).toSorted()).toEqual(['1 deleted', '3 deleted']);
  expect(rows.slice(4).toSorted()).toEqual(['2 created', '4 created']);
});

contract('A change of the key is told where the log has no column of it', async (subject) => {
  const { request } = subject;
  await made(subject, '/leaves', { id: 3, text: 'one' });
  await forget(subject);
  expect((await request().patch('/leaves/3').set(of('a')).send({ id: 4 })).status).toBe(200);
  expect(await told(subject)).toEqual([
    { operation: 'deleted', recordId: '3', before: { tenant: 'a' }, after: null },
    { operation: 'created', recordId: '4', before: null, after: { tenant: 'a' } },
  ]);
});
