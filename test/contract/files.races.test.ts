import { expect } from '@jest/globals';
import { FileRecord } from '@nest-endpoints/files';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { stateOf } from './files.album.js';
import { Poster, posters, sent } from './files.posters.js';

const { contract } = service(posters, everyDatabase);

/** Keys of files that records have. */
const attached = async ({ em }: Subject): Promise<readonly string[]> =>
  (await em().find(FileRecord, { state: 'attached' })).map(({ key }) => key);

/** Replaces the file of a poster as code of an application does. */
const replace = async ({ em }: Subject, id: number, key: string): Promise<void> => {
  const own = em();
  const poster = await own.findOneOrFail(Poster, id);
  poster.file = { key } as never;
  await own.flush();
};

contract('Of files that code gives to one record at once, the record has the last alone', async (subject) => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await subject.save(Poster, { file: { key: await sent(subject) } as never });
    const keys = [await sent(subject), await sent(subject), await sent(subject)];
    await Promise.all(keys.map((key) => replace(subject, id, key)));
    const { file } = await subject.em().findOneOrFail(Poster, id);
    expect(await attached(subject)).toEqual([file?.key]);
    await subject.request().patch(`/posters/${id}`).send({ file: null });
    expect(await attached(subject)).toEqual([]);
  }
});

contract('A file that is given to a record while code deletes it is of no record', async (subject) => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await subject.save(Poster, { file: { key: await sent(subject) } as never });
    const key = await sent(subject);
    const own = subject.em();
    own.remove(await own.findOneOrFail(Poster, id));
    const [patched] = await Promise.all([
      subject.request().patch(`/posters/${id}`).send({ file: key }),
      own.flush(),
    ]);
    expect(await attached(subject)).toEqual([]);
    expect(await stateOf(subject, key)).toBe(patched.status === 200 ? `detached ${id}` : 'pending -');
  }
});
