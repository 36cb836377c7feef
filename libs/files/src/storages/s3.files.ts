import { optionChecks, type ChecksOf } from '@nest-endpoints/core';
import { checkRequired } from '../options/required.options.js';
import { contentDisposition } from './content.disposition.js';
import {
  FileStorage,
  headLength,
  StorageUnavailable,
  readEnd,
  readTime,
  uploadTime,
  type FileReading,
  type FileUpload,
  type FoundBytes,
  type StoredFile,
} from './file.storage.js';
import { presigned, type S3Signer } from './s3.signature.js';

/** Options of {@link S3Files}. */
export interface S3FilesOptions extends S3Signer {
  /** The origin of the service, e.g. `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  /** The bucket, which files alone are in. */
  readonly bucket: string;
  /** True for `<endpoint>/<bucket>`, which most others than AWS need. Default false: the bucket is a part of the host. */
  readonly pathStyle?: boolean;
}

const { boolean, filledText, check } = optionChecks;

const checks = {
  endpoint: check("an origin, e.g. 'https://s3.eu-central-1.amazonaws.com'", (value) => isOrigin(value)),
  bucket: check(
    'the name of a bucket: 3 to 63 of a-z, 0-9, . and -',
    (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
  ),
  region: filledText,
  accessKeyId: filledText,
  secretAccessKey: filledText,
  pathStyle: boolean,
} as const satisfies ChecksOf<S3FilesOptions>;

const required = ['endpoint', 'bucket', 'region', 'accessKeyId', 'secretAccessKey'];

/** The time for which a url of our own requests is good, in seconds. */
const ownTime = 60;

/** The time that the service has for a request of ours, in milliseconds. */
const patience = 5000;

/** The number of files that are deleted at the same time. */
const together = 10;

/**
 * Files in a bucket of S3, or of a service that speaks its protocol. Clients send and read bytes there, with presigned urls; the
 * length and the SHA-256 of what they send are part of the signature.
 *
 * @example new S3Files({ endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'photos', region: 'eu-central-1', accessKeyId, secretAccessKey })
 */
export class S3Files extends FileStorage {
  readonly #signer: S3Signer;
  readonly #base: string;

  /** @throws ConfigurationError for options that are not allowed */
  constructor(options: S3FilesOptions) {
    super();
    checkRequired('S3Files', options, checks, required);
    const { endpoint, bucket, pathStyle = false, ...signer } = options;
    const { protocol, host } = new URL(endpoint);
    this.#signer = signer;
    this.#base = pathStyle ? `${protocol}//${host}/${bucket}/` : `${protocol}//${bucket}.${host}/`;
  }

  upload({ key, name, type, bytes, sha256 }: StoredFile): FileUpload {
    const now = new Date();
    const headers = {
      'Content-Type': type,
      'Content-Disposition': contentDisposition(name, false),
      'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
    };
    const lower = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]);
    const signed = { ...Object.fromEntries(lower), 'content-length': String(bytes) } as Record<
      string,
      string
    >;
    const url = this.#url('PUT', key, { now, headers: signed, expires: uploadTime / 1000 });
    return { url, headers, expiresAt: new Date(now.getTime() + uploadTime) };
  }

  url({ key, name, type }: StoredFile, { isPublic, isInline }: FileReading): string {
    if (isPublic) return this.#base + key;
    const now = new Date(readEnd() - readTime);
    const parameters = {
      'response-content-disposition': contentDisposition(name, isInline),
      'response-content-type': type,
    };
    return this.#url('GET', key, { now, parameters, expires: readTime / 1000 });
  }

  find(key: string): Promise<FoundBytes | undefined> {
    return reached(() => this.#find(key));
  }

  async #find(key: string): Promise<FoundBytes | undefined> {
    const headers = { Range: `bytes=0-${headLength - 1}`, 'Accept-Encoding': 'identity' };
    const answer = await this.#send('GET', key, headers);
    if (answer.status === 404 || (answer.ok && isPacked(answer))) {
      await answer.body?.cancel();
      return undefined;
    }
    const total = /^bytes \d+-\d+\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1];
    if (answer.status !== 206 || total === undefined) throw await refused(answer);
    return { bytes: Number(total), head: await headOf(answer) };
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += together)
      await Promise.all(keys.slice(start, start + together).map((key) => reached(() => this.#delete(key))));
  }

  async #delete(key: string): Promise<void> {
    const answer = await this.#send('DELETE', key);
    if (!answer.ok && answer.status !== 404) throw await refused(answer);
    await answer.body?.cancel();
  }

  #send(method: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const url = this.#url(method, key, { now: new Date(), expires: ownTime });
    return fetch(url, { method, headers, redirect: 'error', signal: AbortSignal.timeout(patience) });
  }

  #url(
    method: string,
    key: string,
    {
      parameters = {},
      ...request
    }: {
      readonly now: Date;
      readonly expires: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly parameters?: Readonly<Record<string, string>>;
    },
  ): string {
    const url = new URL(this.#base + key);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return presigned(this.#signer, { method, url, ...request });
  }
}

/**
 * True for bytes that clients unpack. A sender may say so of an upload, for that header is not signed: the bytes are others then
 * for whoever reads them, and maybe a million times as many.
 */
function isPacked({ headers }: Response): boolean {
  return !['', 'identity'].includes(headers.get('content-encoding')?.trim().toLowerCase() ?? '');
}

/** Reads the first bytes of an answer, and no more of them than tell the type, whatever the service sends. */
async function headOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const sent: AsyncIterable<Uint8Array> | readonly Uint8Array[] = body ?? [];
  for await (const chunk of sent) {
    chunks.push(chunk);
    length += chunk.length;
    // What is left is cancelled.
    if (length >= headLength) break;
  }
  return Buffer.concat(chunks, Math.min(length, headLength));
}

async function refused(answer: Response): Promise<Error> {
  await answer.body?.cancel();
  const { status } = answer;
  const message = `The storage of files answers ${status}`;
  return status >= 500 || status === 429 ? new StorageUnavailable(message) : new Error(message);
}

/** Asks the service. @throws StorageUnavailable where there is no answer, or no whole one */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    // `fetch` says why in the cause. Of a mistake of ours there is none.
    const { name, cause } = error as { readonly name?: unknown; readonly cause?: unknown };
    if (name !== 'TimeoutError' && (name !== 'TypeError' || cause === undefined)) throw error;
    throw new StorageUnavailable('The storage of files does not answer', { cause: error });
  }
}

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) && [origin, `${origin}/`].includes(value);
}
