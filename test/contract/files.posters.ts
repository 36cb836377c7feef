import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, RestfulApi } from '@nest-endpoints/core';
import { FileColumn, fileEndpoints, FileRecord, type StoredFile } from '@nest-endpoints/files';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { storage, upload } from './files.album.js';

/** A poster has no version, by which the second of two writes would be refused. */
export const Poster = defineEntity({
  name: 'Poster',
  properties: { id: p.integer().primary().autoincrement(), file: p.json<StoredFile>().nullable() },
});

defineColumns(Poster, {
  file: { type: new FileColumn({ storage, maximumBytes: 1000, types: ['image/png'] }) },
});

/** A service that asks nobody who they are, so that requests may go past Express. Fastify sees them all: a storage might look at its request. */
export const posters: ApplicationOptions = {
  entities: [Poster, FileRecord],
  endpoints: [
    fileEndpoints({ url: 'posters/files', modelClass: Poster, columnName: 'file' }),
    new RestfulApi({
      url: 'posters',
      modelClass: Poster,
      readableColumnNames: ['id', 'file'],
      writeableColumnNames: ['file'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['id'],
      defaultSortColumnName: 'id',
    }),
  ],
};

/** Sends a file for a poster. @returns its key */
export const sent = (subject: Subject, bytes?: Buffer): Promise<string> =>
  upload(subject, bytes, {}, { path: '/posters/files' });
