import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { defineEntity, p } from '@mikro-orm/core';
import {
  CreateMany,
  defineColumns,
  RestfulApi,
  softDelete,
  UpdateMany,
  Upsert,
  type EndpointOrGroup,
} from '@nest-endpoints/core';
import { FileColumn, fileEndpoints, FileRecord, LocalFiles, type StoredFile } from '@nest-endpoints/files';
import type { ApplicationOptions } from '../support/application.js';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';

/** The folder of the files of this run. */
export const directory = mkdtempSync(join(tmpdir(), 'files-'));

export const storage = new LocalFiles({ directory, secret: 'a secret of thirty-two characters' });

/** A picture, which has one file that is its own and one that everybody may read. */
export const Picture = defineEntity({
  name: 'Picture',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().unique(),
    version: p.integer().version(),
    coverFile: p.json<StoredFile>().nullable(),
    notes: p.json<StoredFile>().nullable(),
    deletedAt: p.datetime().nullable(),
  },
});

softDelete(Picture, { columnName: 'deletedAt' });
defineColumns(Picture, {
  coverFile: {
    type: new FileColumn({
      storage,
      maximumBytes: 100_000,
      types: ['image/png', 'image/svg+xml', 'text/plain'],
    }),
  },
  notes: {
    type: new FileColumn({
      storage,
      maximumBytes: 1000,
      types: ['text/plain', 'image/png', 'text/html'],
      public: true,
      inline: true,
    }),
  },
});

const authentication = new Claims();

const pictures = {
  modelClass: Picture,
  authentication,
  readableColumnNames: ['id', 'title', 'coverFile', 'notes'],
  writeableColumnNames: ['title', 'coverFile', 'notes'],
  searchableColumnNames: ['title'],
  sortableColumnNames: ['title'],
  defaultSortColumnName: 'title',
} as const;

/** The service of an album. */
export const album = (
  more: readonly EndpointOrGroup[] = [],
  others: Partial<ApplicationOptions> = {},
): ApplicationOptions => ({
  entities: [Picture, FileRecord],
  endpoints: [
    fileEndpoints({ url: 'pictures/files', modelClass: Picture, columnName: 'coverFile', authentication }),
    fileEndpoints({ url: 'pictures/notes', modelClass: Picture, columnName: 'notes', authentication }),
    new CreateMany({ ...pictures, url: 'pictures/bulk' }),
    new UpdateMany({ ...pictures, url: 'pictures/bulk' }),
    new Upsert({ ...pictures, url: 'pictures/by-title', conflictColumnNames: ['title'] }),
    ...more,
    new RestfulApi({ ...pictures, url: 'pictures', trash: { purge: true } }),
  ],
  ...others,
});

/** The header of somebody. */
export const as = (sub: string) => ({ 'X-Claims': JSON.stringify({ sub }) });

/** A picture of one pixel, and bytes behind it that make it another one. */
export const png = (more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
      'base64',
    ),
    Buffer.from(more),
  ]);

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What is said of a file before it is sent. */
export const announced = (bytes: Buffer, more: object = {}) => ({
  name: 'sea.png',
  type: 'image/png',
  bytes: bytes.length,
  sha256: sha256(bytes),
  ...more,
});

interface Ticket {
  readonly key: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a file is announced, and by whom. */
interface Announcing {
  readonly who?: string;
  readonly path?: string;
  /** The headers of the sender; left out, those of `who`. */
  readonly sender?: Readonly<Record<string, string>>;
}

/** Announces a file. */
export const announce = async (
  { request }: Pick<Subject, 'request'>,
  bytes: Buffer,
  more: object = {},
  { who = 'ann', path = '/pictures/files', sender = as(who) }: Announcing = {},
): Promise<Ticket> => {
  const { body } = await request().post(path).set(sender).send(announced(bytes, more));
  const { key, upload } = body.data as { key: string; upload: Ticket };
  return { key, url: upload.url, headers: upload.headers };
};

/** Sends the bytes of a file as it was told. */
export const put = ({ request }: Pick<Subject, 'request'>, { url, headers }: Ticket, bytes: Buffer) =>
  request().put(url).set(headers).send(bytes);

/** Announces a file and sends it. @returns its key */
export const upload = async (
  subject: Pick<Subject, 'request'>,
  bytes = png(String(Math.random())),
  more: object = {},
  where: Announcing = {},
): Promise<string> => {
  const ticket = await announce(subject, bytes, more, where);
  const { status } = await put(subject, ticket, bytes);
  if (status !== 200) throw new Error(`the upload was answered with ${status}`);
  return ticket.key;
};

/** What is known of a file. */
export const stateOf = async ({ em }: Pick<Subject, 'em'>, key: string): Promise<string> => {
  const found = await em().findOne(FileRecord, { key });
  return found === null ? 'gone' : `${found.state} ${found.recordId ?? '-'}`;
};

/** Waits until something is true. */
export const until = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isTrue())) await setImmediate();
};
