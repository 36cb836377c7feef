import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { CursorValues } from './query.plan.js';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Turns the sort values of a record into an opaque cursor and back: AES-256-GCM, base64url, a random nonce each. A
 * client can neither read it (it may sort by what it cannot see) nor change it, nor use it for another list.
 */
export class CursorCodec {
  /** Whether an endpoint of this application makes cursors. */
  isUsed = false;
  #key: Buffer | undefined;

  /** @param secret of all processes of a service; without one, cursors are good in this process only */
  constructor(private readonly secret?: string) {
    const given: unknown = secret;
    const problem = given === '' ? 'the secret is empty' : 'a secret is text';
    if (given !== undefined && (typeof given !== 'string' || given === ''))
      throw new ConfigurationError('EndpointsModule.forRoot', 'cursorSecret', problem);
  }

  /** Whether another process, or this one after a restart, could not read the cursors made here. */
  get isEphemeral(): boolean {
    return this.secret === undefined;
  }

  /** @param use what the cursor is good for; {@link open} must be told the same */
  seal(values: CursorValues, use: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv(algorithm, this.#secretKey(), nonce).setAAD(Buffer.from(use));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The values of a cursor; undefined for one that was not made here for this use. */
  open(cursor: string, use: string): CursorValues | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== cursor) return undefined;
    const nonce = bytes.subarray(0, nonceLength);
    const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
    const decipher = createDecipheriv(algorithm, this.#secretKey(), nonce, { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(use)).setAuthTag(tag);
    const opened = decipher.update(bytes.subarray(nonceLength + tagLength));
    try {
      return JSON.parse(Buffer.concat([opened, decipher.final()]).toString('utf8')) as CursorValues;
    } catch {
      // The tag does not fit: the cursor was changed, or it is for something else. The caller refuses it.
      return undefined;
    }
  }

  /** Made at first use, because stretching a secret takes some 50 ms; an application without cursors does not wait. */
  #secretKey(): Buffer {
    this.#key ??=
      this.secret === undefined ? randomBytes(32) : scryptSync(this.secret, 'nest-endpoints cursor', 32);
    return this.#key;
  }
}
