import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BadRequest, ServiceUnavailable } from '@nest-endpoints/core';
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

/** The folder of uploads that have not ended. */
export function unfinishedIn(directory: string): string {
  return join(directory, 'unfinished');
}

/**
 * Writes an upload to its place, whole or not at all: under another name first, and only if its bytes are what was signed.
 *
 * @throws Refusal for bytes that are something else, ServiceUnavailable where there is no room
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
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    if (full.has((error as NodeJS.ErrnoException).code)) throw new ServiceUnavailable({ cause: error });
    throw error;
  }
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
