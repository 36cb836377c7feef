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
import { announced } from './files.album.js';

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
