import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BadRequest, Conflict, ServiceUnavailable } from '@nest-endpoints/core';
import { ContentTooLarge, RequestTimeout } from '@nest-endpoints/core/internal';
import { isOfType } from '../column/file.types.js';
import { headLength } from './file.storage.js';

/** The facts that the bytes of an upload must be of. */
export interface UploadTicket {
  readonly key: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly type: string;
  /** The time at which it ends, in milliseconds since 1970. */
  readonly expires: number;
}

/** The codes of a system that has no room for more. */
const full: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE']);

/** The codes of a file system that has no links. */
const linkless: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The refusal of a second upload. */
export const fileExists = 'The file is there already';

/** The folder of uploads that have not ended. */
export function unfinishedIn(directory: string): string {
  return join(directory, 'unfinished');
}

/**
 * Writes an upload to its place, whole or not at all: under another name first, and only if its bytes are what was signed.
 *
 * @throws Refusal for bytes that are something else, Conflict where the place is taken, ServiceUnavailable where there is no room
 */
export async function writeUpload(
  directory: string,
  path: string,
  ticket: UploadTicket,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const folder = unfinishedIn(directory);
  const temporary = join(folder, `${ticket.key}.${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await writeChunks(file, ticket, chunks);
      await file.sync();
    } finally {
      await file.close();
    }
    await mkdir(dirname(path), { recursive: true });
    await place(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (full.has((error as NodeJS.ErrnoException).code)) throw new ServiceUnavailable({ cause: error });
    throw error;
  }
}

/**
 * Puts a file where there is none. A link is refused where another upload was faster, which a look beforehand cannot tell. File
 * systems without links have no such way; there the later one wins, whose bytes are the same.
 */
async function place(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new Conflict(fileExists);
    if (!linkless.has(code)) throw error;
    await rename(temporary, path);
    return;
  }
  await rm(temporary, { force: true });
}

async function writeChunks(
  file: FileHandle,
  { bytes, sha256, type, expires }: UploadTicket,
  chunks: AsyncIterable<Buffer>,
): Promise<void> {
  const hash = createHash('sha256');
  const head = new UploadHead(type);
  let size = 0;
  for await (const chunk of chunks) {
    // A client that sends a byte now and then would be waited for without end.
    if (Date.now() > expires) throw new RequestTimeout();
    size += chunk.length;
    if (size > bytes) throw new ContentTooLarge(bytes);
    head.add(chunk);
    hash.update(chunk);
    await written(file, chunk);
  }
  if (size !== bytes) throw new BadRequest(`The body must have ${bytes} bytes`);
  head.judge();
  if (hash.digest('hex') !== sha256) throw new BadRequest('The bytes are not those of the SHA-256');
}

/** The first bytes of an upload, which are judged as soon as there are enough. */
class UploadHead {
  #bytes = Buffer.alloc(0);

  constructor(private readonly type: string) {}

  add(chunk: Buffer): void {
    if (this.#bytes.length === headLength) return;
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(0, headLength - this.#bytes.length)]);
    if (this.#bytes.length === headLength) this.judge();
  }

  /** @throws BadRequest where they are of another type */
  judge(): void {
    if (!isOfType(this.type, this.#bytes)) throw new BadRequest(`The bytes are not of the type ${this.type}`);
  }
}

/** A disk that is nearly full takes a part. */
async function written(file: FileHandle, chunk: Buffer): Promise<void> {
  let start = 0;
  while (start < chunk.length) start += (await file.write(chunk, start)).bytesWritten;
}
