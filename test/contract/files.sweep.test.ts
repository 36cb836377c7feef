import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, defineColumns } from '@nest-endpoints/core';
import {
  FileColumn,
  fileEndpoints,
  FileRecord,
  LocalFiles,
  SweepFiles,
  type FileStorage,
  type StoredFile,
} from '@nest-endpoints/files';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { expectAnswer, success } from '../support/answers.js';
import { album, announce, as, directory, Picture, png, stateOf, storage, upload } from './files.album.js';
import { Claims } from './claims.js';

class Operators extends Authorization<object, { readonly sub: string }> {
  override gate({ sub }: { readonly sub: string }): boolean {
    return sub === 'operator';
  }
}

const sweeping = new SweepFiles({
  url: 'files/sweep',
  authentication: new Claims(),
  authorization: new Operators(),
});

const Sketch = defineEntity({
  name: 'Sketch',
  properties: { id: p.integer().primary().autoincrement(), file: p.json<StoredFile>().nullable() },
});

/** The folder of the files of sketches, which are in a storage of their own. */
const drawers = mkdtempSync(join(tmpdir(), 'drawers-'));

/** A storage that may be down, and knows what it was asked to delete. */
class Drawers extends LocalFiles {
  isDown = false;
  asked: (readonly string[])[] = [];

  override delete(keys: readonly string[]): Promise<void> {
    this.asked.push(keys);
    return this.isDown ? Promise.reject(new Error('The storage is down')) : super.delete(keys);
  }
}

const drawerStorage = new Drawers({ directory: drawers, secret: 'a secret of thirty-two characters' });

defineColumns(Sketch, {
  file: { type: new FileColumn({ storage: drawerStorage, maximumBytes: 1000, types: ['image/png'] }) },
});

const sketches = fileEndpoints({ url: 'sketches/files', modelClass: Sketch, columnName: 'file' });

const { contract } = service(
  album([sweeping, sketches], { entities: [Picture, Sketch, FileRecord] }),
  everyDatabase,
);

const hour = 3_600_000;

const sweep = ({ request }: Subject, who = 'operator') => request().post('/files/sweep').set(as(who));

/** Makes files older. */
const age = ({ em }: Subject, keys: readonly string[], time: number) =>
  em().nativeUpdate(FileRecord, { key: { $in: [...keys] } }, { changedAt: new Date(Date.now() - time) });

const isThere = async (key: string, where: FileStorage = storage): Promise<boolean> =>
  (await where.find(key)) !== undefined;

contract(
  'Files that nobody attached for a day are deleted, and those that no record has',
  async (subject) => {
    const { request } = subject;
    const [attached, detached, pending, young] = [
      await upload(subject),
      await upload(subject),
      await upload(subject),
      await upload(subject),
    ];
    const announced = (await announce(subject, png('never sent'))).key;
    const create = (title: string, key: string) =>
      request().post('/pictures').set(as('ann')).send({ title, cover_file: key });
    await create('kept', attached);
    const { body } = await create('bared', detached);
    await request().patch(`/pictures/${body.data.id}`).set(as('ann')).send({ cover_file: null });
    await age(subject, [attached, pending, announced], 25 * hour);
    await age(subject, [young], 23 * hour);
    expect((await sweep(subject, 'ann')).status).toBe(403);
    // Urls that were given are good for a while.
    expectAnswer(await sweep(subject), 200, success({ deleted: 2 }));
    await age(subject, [detached], 2 * hour);
    expectAnswer(await sweep(subject), 200, success({ deleted: 1 }));
    const states = await Promise.all(
      [attached, young, detached, pending, announced].map(async (key) => [
        (await stateOf(subject, key)).split(' ')[0],
        await isThere(key),
      ]),
    );
    expect(states).toEqual([
      ['attached', true],
      ['pending', true],
      ['gone', false],
      ['gone', false],
      ['gone', false],
    ]);
  },
);

contract(
  'A sweep of which the process dies leaves nothing that the next one does not delete',
  async (subject) => {
    const keys = [await upload(subject), await upload(subject)];
    await age(subject, keys, 25 * hour);
    const { delete: deleted } = LocalFiles.prototype;
    try {
      LocalFiles.prototype.delete = async function (this: LocalFiles, some) {
        await deleted.call(this, some.slice(0, 1));
        throw new Error('the process ends');
      };
      expect((await sweep(subject)).status).toBe(500);
    } finally {
      LocalFiles.prototype.delete = deleted;
    }
    expect(await subject.count(FileRecord)).toBe(2);
    // What is left of it cannot be attached.
    expectAnswer(await sweep(subject), 200, success({ deleted: 2 }));
    expect([await subject.count(FileRecord), await isThere(keys[1] ?? '')]).toEqual([0, false]);
  },
);

/** What is known of a file that nobody attached. */
const row = (index: number, more: object) => ({
  key: index.toString(16).padStart(32, '0'),
  state: 'pending' as const,
  model: 'Picture',
  column: 'coverFile',
  name: 'a.png',
  type: 'image/png',
  bytes: 1,
  sha256: '0'.repeat(64),
  changedAt: new Date(Date.now() - 25 * hour),
  ...more,
});

contract('Several sweeps at once delete each file once, a thousand at a time', async (subject) => {
  const em = subject.em();
  await em.insertMany(
    FileRecord,
    Array.from({ length: 1502 }, (_, index) => row(index, { column: index === 0 ? 'gone' : 'coverFile' })),
  );
  const answers = await Promise.all([sweep(subject), sweep(subject), sweep(subject)]);
  const deleted = answers.map(({ body }) => body.data.deleted as number);
  expect(deleted.reduce((sum, one) => sum + one, 0)).toBe(1501);
  // Nobody knows where the bytes of a column are that is not there any more.
  expect(await subject.count(FileRecord)).toBe(1);
});

/** Makes files of the drawers that are due, the oldest first. */
const makeSketches = async (subject: Subject, count: number): Promise<readonly string[]> => {
  const sketches = Array.from({ length: count }, (_, index) => {
    const changedAt = new Date(Date.now() - 50 * hour + index);
    return row(index, { model: 'Sketch', column: 'file', changedAt });
  });
  await subject.em().insertMany(FileRecord, sketches);
  return sketches.map(({ key }) => key);
};

contract('A file that cannot be deleted keeps no other from it, and is tried again', async (subject) => {
  const keys = await makeSketches(subject, 1001);
  // Folders are in the places of some files, and something is in them.
  const bad = [0, 1, 2, 3, 700, 1000].map((index) => keys[index] ?? '');
  const folders = bad.map((key) => join(drawers, key.slice(0, 2), key));
  for (const folder of folders) mkdirSync(join(folder, 'more'), { recursive: true });
  drawerStorage.asked = [];
  expect((await sweep(subject)).status).toBe(500);
  const alone = drawerStorage.asked.flatMap((asked) => (asked.length === 1 ? asked : []));
  expect(alone.filter((key) => bad.includes(key)).sort()).toEqual(bad.toSorted());
  const left = await subject.em().findAll(FileRecord);
  expect(left.map(({ key }) => key).sort()).toEqual(bad.toSorted());
  for (const folder of folders) rmSync(folder, { recursive: true });
  expectAnswer(await sweep(subject), 200, success({ deleted: bad.length }));
});

contract('A storage that is down keeps no other from it, and is asked a few times alone', async (subject) => {
  await makeSketches(subject, 1001);
  const picture = await upload(subject);
  await age(subject, [picture], 25 * hour);
  const unfinished = ['a', 'b'].map((name, index) =>
    join(index === 0 ? drawers : directory, 'unfinished', name),
  );
  for (const path of unfinished) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    utimesSync(path, 0, 0);
  }
  Object.assign(drawerStorage, { isDown: true, asked: [] });
  expect((await sweep(subject)).status).toBe(500);
  expect([await stateOf(subject, picture), await isThere(picture)]).toEqual(['gone', false]);
  expect([await subject.count(FileRecord), drawerStorage.asked.length]).toEqual([1001, 4]);
  expect(unfinished.map((path) => existsSync(path))).toEqual([false, false]);
  drawerStorage.isDown = false;
  expectAnswer(await sweep(subject), 200, success({ deleted: 1001 }));
});
