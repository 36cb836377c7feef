import { open, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Conflict, optionChecks, ServiceUnavailable, type ChecksOf } from '@nest-endpoints/core';
import type { ImageSize } from '../images/file.images.js';
import { checkRequired } from '../options/required.options.js';
import {
  FileStorage,
  headLength,
  readEnd,
  uploadTime,
  type FileReading,
  type FileUpload,
  type FoundBytes,
  type StoredFile,
} from './file.storage.js';
import { LocalLinks, type LinkParameters } from './local.links.js';
import { fileExists, unfinishedIn, writeUpload, type UploadTicket } from './local.uploads.js';

/** Options of {@link LocalFiles}. */
export interface LocalFilesOptions {
  /** The folder of the files, which nothing else is in. It is made where it is missing. */
  readonly directory: string;
  /** The secret that urls are signed with, or several of which the first one signs: 32 characters at least. */
  readonly secret: string | readonly string[];
  /** The beginning of urls before the path of the endpoint, e.g. `https://api.example`. Default none: urls begin with `/`. */
  readonly url?: string;
}

/** A file to serve, as its link says. */
export interface ServedFile {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly isInline: boolean;
  /**
   * The size of the smaller image that is asked for, its place, and the folder of unfinished ones; undefined for the file itself.
   */
  readonly image: { readonly size: ImageSize; readonly path: string; readonly folder: string } | undefined;
  /** Undefined for a public one. */
  readonly expires: number | undefined;
}

const secret = optionChecks.check(
  'a text of 32 characters or more',
  (value) => typeof value === 'string' && value.length >= 32,
);

const checks = {
  directory: optionChecks.filledText,
  secret: optionChecks.either(
    'a text of 32 characters or more, or several',
    secret,
    optionChecks.listOf('secrets', secret, 1),
  ),
  url: optionChecks.check(
    "the beginning of urls, e.g. 'https://api.example'",
    (value) => typeof value === 'string' && (value === '' || /^(?:https?:\/)?\/.*[^/]$/.test(value)),
  ),
} as const satisfies ChecksOf<LocalFilesOptions>;

const uploadNames = ['bytes', 'sha256', 'type', 'expires'];
const readNames = ['name', 'type', 'sha256', 'inline', 'size', 'expires'];

/**
 * The most uploads of one file at a time. A client may begin anew before the connection that it lost is known to be dead; with a url
 * that is sent to without end nobody fills the disk.
 */
const together = 3;

/** The age at which uploads and images that have not ended are deleted, in milliseconds. */
const unfinishedAge = 24 * 60 * 60 * 1000;

/**
 * Files in a folder of this machine, or of a volume that all instances share. The endpoints take and give the bytes, to those
 * who have a signed url.
 *
 * @example new LocalFiles({ directory: './files', secret: process.env['FILES_SECRET'] ?? '' })
 */
export class LocalFiles extends FileStorage {
  override readonly hasAddresses: boolean;
  readonly #directory: string;
  readonly #links: LocalLinks;
  readonly #origin: string;
  /** The number of uploads that are under way, by the keys of their files. */
  readonly #sending = new Map<string, number>();

  /** @throws ConfigurationError for options that are not allowed */
  constructor(options: LocalFilesOptions) {
    super();
    checkRequired('LocalFiles', options, checks, ['directory', 'secret']);
    const { directory, secret: given, url = '' } = options;
    this.#directory = resolve(directory);
    this.#links = new LocalLinks([given].flat());
    this.#origin = url;
    this.hasAddresses = url.startsWith('http');
  }

  upload({ key, bytes, sha256, type }: StoredFile, place: string): FileUpload {
    const expiresAt = new Date(Date.now() + uploadTime);
    const values = { bytes: String(bytes), sha256, type, expires: String(expiresAt.getTime()) };
    const url = this.#url(place, key, this.#links.write('upload', key, values));
    return { url, headers: { 'Content-Type': 'application/octet-stream' }, expiresAt };
  }

  url({ key, name, type, sha256 }: StoredFile, reading: FileReading, place = ''): string {
    const { isPublic, isInline, size } = reading;
    const inline = { ...(isInline ? { inline: 'true' } : {}), ...(size === undefined ? {} : { size }) };
    const expires = isPublic ? {} : { expires: String(readEnd()) };
    return this.#url(
      place,
      key,
      this.#links.write('read', key, { name, type, sha256, ...inline, ...expires }),
    );
  }

  /** Gives what may be sent with a link; undefined where it is none of ours, or too old. Called by the library. */
  ticket(key: string, parameters: LinkParameters): UploadTicket | undefined {
    const values = this.#links.read('upload', key, parameters, uploadNames);
    if (values === undefined) return undefined;
    const { bytes, sha256 = '', type = '', expires } = values;
    return { key, bytes: Number(bytes), sha256, type, expires: Number(expires) };
  }

  /** Writes what is sent. Called by the library. @throws Refusal for bytes that are something else */
  async write(ticket: UploadTicket, chunks: AsyncIterable<Buffer>): Promise<void> {
    const { key } = ticket;
    const path = this.#path(key);
    if ((await sizeOf(path)) !== undefined) throw new Conflict(fileExists);
    if (!this.#begins(key)) throw new ServiceUnavailable();
    try {
      await writeUpload(this.#directory, path, ticket, chunks);
    } finally {
      this.#ends(key);
    }
  }

  #begins(key: string): boolean {
    const sending = this.#sending.get(key) ?? 0;
    if (sending >= together) return false;
    this.#sending.set(key, sending + 1);
    return true;
  }

  #ends(key: string): void {
    const sending = this.#sending.get(key) ?? 0;
    if (sending > 1) this.#sending.set(key, sending - 1);
    else this.#sending.delete(key);
  }

  /** Gives the file that a link is about; `refused` for a link that is not good, undefined where it is gone. Called by the library. */
  async served(key: string, parameters: LinkParameters): Promise<ServedFile | 'refused' | undefined> {
    const values = this.#links.read('read', key, parameters, readNames);
    if (values === undefined) return 'refused';
    const { name = '', type = '', sha256 = '', inline, size, expires } = values;
    const path = this.#path(key);
    const bytes = await sizeOf(path);
    if (bytes === undefined) return undefined;
    const end = expires === undefined ? undefined : Number(expires);
    const folder = unfinishedIn(this.#directory);
    const image =
      size === undefined
        ? undefined
        : { size: sizeIn(size), path: join(this.#images(key), `${size}.webp`), folder };
    return { path, name, type, sha256, bytes, isInline: inline === 'true', image, expires: end };
  }

  async find(key: string): Promise<FoundBytes | undefined> {
    const path = this.#path(key);
    const bytes = await sizeOf(path);
    if (bytes === undefined) return undefined;
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
      return { bytes, head: buffer.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await rm(this.#path(key), { force: true });
      await rm(this.#images(key), { recursive: true, force: true });
    }
  }

  override async sweep(): Promise<void> {
    const folder = unfinishedIn(this.#directory);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => undefined);
      if (facts !== undefined && facts.mtimeMs < Date.now() - unfinishedAge) await rm(path, { force: true });
    }
  }

  #url(place: string, key: string, query: string): string {
    return `${this.#origin}${place}/${key}?${query}`;
  }

  /** The folder of the smaller images of a file. */
  #images(key: string): string {
    return join(this.#directory, 'images', key.slice(0, 2), key);
  }

  /** Keys are hexadecimal digits: none leads anywhere else. */
  #path(key: string): string {
    return join(this.#directory, key.slice(0, 2), key);
  }
}

/** The size that a word of ours says. */
function sizeIn(word: string): ImageSize {
  const [width = 0, height = 0] = word.split('x').map(Number);
  return height === 0 ? { width } : { width, height };
}

/** Undefined for a file that is not there. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
