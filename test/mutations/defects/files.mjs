/** Files of records. See defects.mjs. */
const files = 'libs/files/src';
const images = ['contract/files.images'];
const attached = ['contract/files.attach'];

export const defects = [
  {
    name: 'a new record gets the file of one that had its key',
    file: `${files}/records/attached.files.ts`,
    find: "row.state === 'attached' && key === own && row.recordId === recordId",
    replace: "row.state === 'attached' && row.recordId === recordId",
    tests: ['contract/files.keys'],
  },
  {
    name: 'a file that was copied into the row of another record is that one’s',
    file: `${files}/records/attached.files.ts`,
    find: "row.state === 'attached' && key === own && row.recordId === recordId",
    replace: "row.state === 'attached' && key === own",
    tests: ['contract/files.keys'],
  },
  {
    name: 'the end of a record takes every file under its key',
    file: `${files}/records/attached.files.ts`,
    find: `.update({ state: 'detached', changedAt: new Date() })
      .where({ key, ...from, state: 'attached' })`,
    replace: `.update({ state: 'detached', changedAt: new Date() })
      .where({ ...from, state: 'attached' })`,
    tests: ['contract/files.keys'],
  },
  {
    name: 'a key that changes takes along the file of another record',
    file: `${files}/records/attached.files.ts`,
    find: `.update({ recordId })
      .where({ key, ...from, state: 'attached' })`,
    replace: `.update({ recordId })
      .where({ key, state: 'attached' })`,
    tests: ['contract/files.keys'],
  },
  {
    name: 'files of records of a sub-entity are judged by nobody',
    file: `${files}/records/file.runtime.ts`,
    find: 'if (type === column)',
    replace: 'if (type === column && meta.root === meta)',
    tests: ['contract/files.inheritance'],
  },
  {
    name: 'a sub-entity’s file is known by its own name, which the endpoint of the root does not have',
    file: `${files}/endpoints/file.uploads.ts`,
    find: 'model: model.meta.root.className,',
    replace: 'model: model.meta.className,',
    tests: ['contract/files.inheritance'],
  },
  {
    name: 'the file of a record whose key changes stays with the key',
    file: 'libs/files/src/records/file.subscriber.ts',
    find: 'if (isMoved && before !== undefined)',
    replace: 'if (false)',
    tests: ['contract/files.keys'],
  },
  {
    name: 'a file of any number of pixels is unpacked for a smaller image',
    file: `${files}/images/image.worker.code.ts`,
    find: 'limitInputPixels: workerData.maximumPixels',
    replace: 'limitInputPixels: false',
    tests: images,
  },
  {
    name: 'the file itself is kept by browsers as its smaller image',
    file: `${files}/endpoints/file.serving.ts`,
    find: "isKept ? cache : 'no-store'",
    replace: 'cache',
    tests: images,
  },
  {
    name: 'the size of a smaller image is not signed',
    file: `${files}/storages/local.files.ts`,
    find: "'inline', 'size', 'expires'",
    replace: "'inline', 'expires'",
    tests: images,
  },
  {
    name: 'smaller images stay when their file is deleted',
    file: `${files}/storages/local.files.ts`,
    find: 'await rm(this.#images(key), { recursive: true, force: true });',
    replace: '',
    tests: images,
  },
  {
    name: 'a file that somebody else announced is attached',
    file: `${files}/records/attached.files.ts`,
    find: 'ownerOf(current.identity) === owner',
    replace: 'ownerOf(current.identity) !== null',
    tests: attached,
  },
  {
    name: 'a record with a file is known by a part of its key',
    file: 'libs/files/src/records/file.subscriber.ts',
    find: 'texts.length === 1 ? texts[0] : JSON.stringify(texts)',
    replace: 'texts.at(-1)',
    tests: ['contract/files.tenants'],
  },
  {
    name: 'who announced a file is known by the subject alone',
    file: 'libs/files/src/records/file.owner.ts',
    find: 'senderText(identity) ?? identityKey(identity)',
    replace: 'identityKey(identity) ?? senderText(identity)',
    tests: ['contract/files.tenants'],
  },
  {
    name: 'words of an upload are cased as if they were names of columns',
    file: 'libs/files/src/endpoints/upload.answer.ts',
    find: "[names.control('expires_at')]",
    replace: "[names.outward('expiresAt')]",
    tests: ['contract/files.casing'],
  },
  {
    name: 'a file is impossible for ever where the thread of images cannot start',
    file: `${files}/images/image.thread.ts`,
    find: 'if (said instanceof ThreadEnd) throw new Error(said.reason);',
    replace: '',
    tests: ['contract/files.threads'],
  },
  {
    name: 'a thread of images that has ended is waited for',
    file: `${files}/images/image.queue.ts`,
    find: 'if (thread?.hasEnded !== false) thread =',
    replace: 'thread ??=',
    tests: ['contract/files.threads'],
  },
  {
    name: 'a thread of images that cannot start is started with every request',
    file: `${files}/images/image.queue.ts`,
    find: ' || Date.now() < this.#restsUntil',
    replace: '',
    tests: ['contract/files.threads'],
  },
  {
    name: 'a 304 is JSON',
    file: 'libs/core/src/kinds/record/known.answer.ts',
    find: "return new RawReply('', '', headers,",
    replace: "return new RawReply('', 'application/json; charset=UTF-8', headers,",
    tests: ['contract/files.read'],
  },
  {
    name: 'a part of a file is sent to a client that has the file',
    file: `${files}/endpoints/file.serving.ts`,
    find: ' || isKnown(request, entityTag)',
    replace: '',
    tests: ['contract/files.read'],
  },
  {
    name: 'HEAD of a file is a part of it',
    file: `${files}/endpoints/file.serving.ts`,
    find: "method !== 'GET' || ",
    replace: '',
    tests: ['contract/files.read'],
  },
  {
    name: 'a second upload at the same time takes the place of the first one',
    file: `${files}/storages/local.uploads.ts`,
    find: 'await link(temporary, path);',
    replace: 'await rename(temporary, path);',
    tests: ['contract/files.bytes'],
  },
];
