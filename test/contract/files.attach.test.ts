import { expect } from '@jest/globals';
import { FileRecord } from '@nest-endpoints/files';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { album, announce, as, Picture, png, stateOf, upload } from './files.album.js';

const { contract } = service(album(), everyDatabase);

const none = 'the given file does not exist';

const create = ({ request }: Subject, body: object, who = 'ann') =>
  request()
    .post('/pictures')
    .set(as(who))
    .send({ title: `a ${Math.random()}`, ...body });

/** A picture with a file. */
const made = async (subject: Subject, body: object = {}): Promise<{ id: number; key: string }> => {
  const key = await upload(subject);
  const answer = await create(subject, { cover_file: key, ...body });
  return { id: answer.body.data.id, key };
};

contract('A key that cannot be attached is an input error that does not tell why', async (subject) => {
  const missing = (await announce(subject, png('never sent'))).key;
  const ofBob = await upload(subject, undefined, {}, { who: 'bob' });
  const ofNotes = await upload(subject, undefined, {}, { path: '/pictures/notes' });
  const { key: taken, id } = await made(subject);
  const detached = await made(subject);
  await subject.request().patch(`/pictures/${detached.id}`).set(as('ann')).send({ cover_file: null });
  for (const key of [missing, ofBob, ofNotes, taken, detached.key, '0'.repeat(32)])
    expectAnswer(await create(subject, { cover_file: key }), 400, inputErrors({ cover_file: none }));
  for (const key of [
    '../../etc/passwd',
    'A'.repeat(32),
    '',
    7,
    { key: taken },
    [taken],
    `${'0'.repeat(31)}\0`,
  ])
    expect((await create(subject, { cover_file: key })).body.input_errors).toEqual({
      cover_file: 'value should be the key of a file',
    });
  expect([await stateOf(subject, taken), await stateOf(subject, ofBob)]).toEqual([
    `attached ${id}`,
    'pending -',
  ]);
});

contract('A file that is attached twice at once goes to one record', async (subject) => {
  const { count } = subject;
  for (let round = 0; round < 10; round += 1) {
    const key = await upload(subject);
    const before = await count(Picture);
    const answers = await Promise.all([1, 2, 3].map(() => create(subject, { cover_file: key })));
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    for (const { body } of refused) expect(body.input_errors).toEqual({ cover_file: none });
    expect(await count(Picture)).toBe(before + 1);
  }
});

contract('A write that is undone leaves the file to be attached again', async (subject) => {
  const { id } = await made(subject, { title: 'taken' });
  const key = await upload(subject);
  expect((await create(subject, { title: 'taken', cover_file: key })).status).toBe(400);
  expect(await stateOf(subject, key)).toBe('pending -');
  const em = subject.em();
  await expect(
    em.transactional(async (own) => {
      own.create(Picture, { title: 'undone', coverFile: { key } as never });
      await own.flush();
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await stateOf(subject, key)).toBe('pending -');
  const answer = await create(subject, { cover_file: key });
  expect(await stateOf(subject, key)).toBe(`attached ${answer.body.data.id}`);
  expect(answer.body.data.id).not.toBe(id);
});

contract(
  'A file that is replaced, or set to null, is detached; one that is sent again stays',
  async (subject) => {
    const { request } = subject;
    const { id, key } = await made(subject);
    const patch = (body: object) => request().patch(`/pictures/${id}`).set(as('ann')).send(body);
    const same = await patch({ cover_file: key });
    expect([same.status, same.body.data.cover_file.name]).toEqual([200, 'sea.png']);
    expect((await patch({ title: 'other' })).status).toBe(200);
    expect(await stateOf(subject, key)).toBe(`attached ${id}`);
    const next = await upload(subject);
    expect((await patch({ cover_file: next })).status).toBe(200);
    expect([await stateOf(subject, key), await stateOf(subject, next)]).toEqual([
      `detached ${id}`,
      `attached ${id}`,
    ]);
    const gone = await patch({ cover_file: null });
    expect(gone.body.data.cover_file).toBeNull();
    expect(await stateOf(subject, next)).toBe(`detached ${id}`);
  },
);

contract('A deleted record keeps its file in the trash; one that is purged gives it up', async (subject) => {
  const { request } = subject;
  const { id, key } = await made(subject);
  expect((await request().delete(`/pictures/${id}`).set(as('ann'))).status).toBe(200);
  expect(await stateOf(subject, key)).toBe(`attached ${id}`);
  const restored = await request().post(`/pictures/trash/${id}/restore`).set(as('ann'));
  expect((await request().get(restored.body.data.cover_file.url)).status).toBe(200);
  await request().delete(`/pictures/${id}`).set(as('ann'));
  const purged = await request().delete(`/pictures/trash/${id}`).set(as('ann'));
  expect(purged.status).toBe(200);
  expect(await stateOf(subject, key)).toBe(`detached ${id}`);
});

contract('Upsert and writes of many attach and detach as others do', async (subject) => {
  const { request } = subject;
  const [one, two, three, four] = [
    await upload(subject),
    await upload(subject),
    await upload(subject),
    await upload(subject),
  ];
  const bulk = await request()
    .post('/pictures/bulk')
    .set(as('ann'))
    .send({
      records: [{ title: 'one', cover_file: one }, { title: 'two', cover_file: two }, { title: 'bare' }],
    });
  const ids = (bulk.body.data as { id: number }[]).map(({ id }) => id);
  expect([await stateOf(subject, one), await stateOf(subject, two)]).toEqual([
    `attached ${ids[0]}`,
    `attached ${ids[1]}`,
  ]);
  const upserted = await request()
    .put('/pictures/by-title')
    .set(as('ann'))
    .send({ title: 'one', cover_file: three });
  expect([upserted.status, upserted.body.data.cover_file.name]).toEqual([200, 'sea.png']);
  expect([await stateOf(subject, one), await stateOf(subject, three)]).toEqual([
    `detached ${ids[0]}`,
    `attached ${ids[0]}`,
  ]);
  await request()
    .patch('/pictures/bulk')
    .set(as('ann'))
    .send({
      records: [
        { id: ids[1], cover_file: null },
        { id: ids[2], cover_file: four },
      ],
    });
  expect([await stateOf(subject, two), await stateOf(subject, four)]).toEqual([
    `detached ${ids[1]}`,
    `attached ${ids[2]}`,
  ]);
  const unknown = await request()
    .post('/pictures/bulk')
    .set(as('ann'))
    .send({ records: [{ title: 'x' }, { title: 'y', cover_file: '0'.repeat(32) }] });
  expectAnswer(unknown, 400, inputErrors({ 'records.1.cover_file': none }));
});

contract('What code of the application says of a file but its key is not believed', async (subject) => {
  const key = await upload(subject);
  const em = subject.em();
  const forged = { key, name: 'x.exe', type: 'text/html', bytes: 1, sha256: '0' };
  const picture = em.create(Picture, { title: 'by a service', coverFile: forged });
  await em.flush();
  const stored = await subject.em().findOneOrFail(Picture, picture.id);
  expect(stored.coverFile).toMatchObject({ key, name: 'sea.png', type: 'image/png' });
  const again = subject.em();
  again.create(Picture, { title: 'once more', coverFile: forged });
  await expect(again.flush()).rejects.toThrow(none);
  expect(await subject.count(FileRecord)).toBe(1);
  const other = subject.em();
  other.create(Picture, { title: 'in another column', notes: { key: await upload(subject) } as never });
  await expect(other.flush()).rejects.toThrow(none);
});

contract(
  'A key that is named twice in one body, or that another record has, is told of its place',
  async (subject) => {
    const { request } = subject;
    const { key: taken } = await made(subject);
    const key = await upload(subject);
    const send = (records: readonly object[]) =>
      request().post('/pictures/bulk').set(as('ann')).send({ records });
    for (const second of [taken, key])
      expectAnswer(
        await send([
          { title: 'one', cover_file: key },
          { title: 'two' },
          { title: 'three', cover_file: second },
        ]),
        400,
        inputErrors({ 'records.2.cover_file': none }),
      );
    expect(await stateOf(subject, key)).toBe('pending -');
  },
);
