import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, Create, defineColumns } from '@nest-endpoints/core';
import {
  FileColumn,
  fileEndpoints,
  FileRecord,
  S3Files,
  SweepFiles,
  type S3FilesOptions,
  type StoredFile,
} from '@nest-endpoints/files';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { announced, png } from './files.album.js';

const Photo = defineEntity({
  name: 'Photo',
  properties: { id: p.integer().primary().autoincrement(), file: p.json<StoredFile>().nullable() },
});

class Everybody extends Authorization {}

/** A service whose photos have their files in a bucket. */
export const photosIn = (options: S3FilesOptions): ApplicationOptions => {
  defineColumns(Photo, {
    file: {
      type: new FileColumn({ storage: new S3Files(options), maximumBytes: 10_000, types: ['image/png'] }),
    },
  });
  return {
    entities: [Photo, FileRecord],
    endpoints: [
      fileEndpoints({ url: 'photos/files', modelClass: Photo, columnName: 'file' }),
      new SweepFiles({ url: 'files/sweep', authorization: new Everybody() }),
      new Create({
        url: 'photos',
        modelClass: Photo,
        writeableColumnNames: ['file'],
        readableColumnNames: ['id', 'file'],
      }),
    ],
  };
};

interface Upload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Announces a file. */
export const announceTo = async (
  { request }: Pick<Subject, 'request'>,
  bytes: Buffer,
  more: object = {},
): Promise<{ readonly key: string; readonly upload: Upload }> => {
  const { body } = await request().post('/photos/files').send(announced(bytes, more));
  return body.data as { key: string; upload: Upload };
};

/** Sends bytes to a bucket. @returns the status code */
export const putInto = async ({ url, headers }: Upload, bytes: Buffer): Promise<number> =>
  (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })).status;

/** The printable characters of ASCII that the name of a file may have. */
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
  (one) => !'/\\'.includes(one),
);

/** Names with whatever a signature writes in a way of its own. */
export const oddNames: readonly string[] = [
  printable.join(''),
  printable.map((one) => one + one).join(''),
  ...[' ', '+', '%', '=', '&', ';', ',', "'", '(', '*', '!', '~', '"', '%20', '%%'].flatMap((one) => [
    `${one}a`,
    `a${one}`,
    `a${one}${one}b${one}${one}${one}c.png`,
  ]),
  'é  ü.png',
  'a\u00a0\u00a0b\u3000\u3000c\u2003d.png',
  'e\u0301  日本  😀.png',
];

/** Sends a file under a name, and reads it again. */
export const expectRead = async (subject: Subject, name: string): Promise<void> => {
  const bytes = png(name);
  const { key, upload } = await announceTo(subject, bytes, { name });
  expect([name, await putInto(upload, bytes)]).toEqual([name, 200]);
  const created = await subject.request().post('/photos').send({ file: key });
  expect([created.status, created.body.data.file.name]).toEqual([201, name]);
  const read = await fetch(created.body.data.file.url as string);
  expect([name, read.status, read.headers.get('content-disposition')]).toEqual([
    name,
    200,
    upload.headers['Content-Disposition'],
  ]);
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
};
