/** The facts about a file, as the column of a record keeps them. */
export interface StoredFile {
  /** The key of the file in its storage. Clients never see it again once a record has it. */
  readonly key: string;
  /** The name that the client gave. */
  readonly name: string;
  /** The media type, which the first bytes bear out. */
  readonly type: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** The request by which a client sends the bytes. */
export interface FileUpload {
  readonly url: string;
  /** The headers that it must have, as they are. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
}

/** The options of a column that its urls depend on. */
export interface FileReading {
  /** True for a url that is the same for everybody and for ever. */
  readonly isPublic: boolean;
  /** True if browsers may show the file in place of saving it. */
  readonly isInline: boolean;
  /** The size of a smaller image of the file, e.g. `200x0`; left out for the file itself. */
  readonly size?: string;
}

/** The bytes of a file, as the storage has them. */
export interface FoundBytes {
  readonly bytes: number;
  /** The first ones, 512 at most. */
  readonly head: Buffer;
}

/** The number of bytes that tell the type of a file. */
export const headLength = 512;

/** The time for which bytes may be sent, in milliseconds. */
export const uploadTime = 15 * 60 * 1000;

/** The time for which a url of a file is good, in milliseconds. */
export const readTime = 2 * 60 * 1000;

/** The time for which a url of a file stays the same, so that browsers keep what they have of it, in milliseconds. */
const sameTime = 30 * 1000;

/** The time at which a url that is given now ends. */
export function readEnd(now = Date.now()): number {
  return Math.floor(now / sameTime) * sameTime + readTime;
}

/**
 * A storage does not answer, or says that it cannot now. What a request asked of it is a 503; who sweeps is told in the log.
 *
 * @example throw new StorageUnavailable('The archive is read from tape', { cause })
 */
export class StorageUnavailable extends Error {}

/** The place where bytes are. Ours are `LocalFiles` and `S3Files`; the bytes never go through JSON. */
export abstract class FileStorage {
  /** True if urls of files are whole addresses, which another service can ask. Default true. */
  readonly hasAddresses: boolean = true;

  /** Gives the request that sends the bytes of a file, whose length and SHA-256 it holds to. @param place the path of the endpoint */
  abstract upload(file: StoredFile, place: string): FileUpload;

  /** Gives the url of a file. @param place the path of the endpoint; undefined where no application has one */
  abstract url(file: StoredFile, reading: FileReading, place: string | undefined): string;

  /** The bytes of a file that was sent whole; undefined where there are none. @throws StorageUnavailable */
  abstract find(key: string): Promise<FoundBytes | undefined>;

  /** Deletes files. One that is not there is deleted already. */
  abstract delete(keys: readonly string[]): Promise<void>;

  /** Deletes what uploads have left that never ended. Default: nothing. */
  sweep(): Promise<void> {
    return Promise.resolve();
  }
}

const keys = /^[0-9a-f]{32}$/;

/** True for a text that can be a key. */
export function isFileKey(value: unknown): value is string {
  return typeof value === 'string' && keys.test(value);
}
