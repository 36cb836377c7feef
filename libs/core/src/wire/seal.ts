import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomBytes,
  scryptSync,
  type KeyObject,
} from 'node:crypto';

const nothing = Buffer.alloc(0);
const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** The number of nonces that are drawn at once: one draw takes as long as the rest of sealing a cursor. */
const drawnNonces = 256;

/**
 * Turns JSON values into text that a client can carry but neither read nor change, and back: AES-256-GCM, base64url, a
 * random nonce each. Every purpose has a key of its own, so that a text sealed for one cannot be opened for another.
 */
export class Seal {
  readonly #keys: (KeyObject | undefined)[] = [];
  #nonces = nothing;

  /**
   * @param purpose one word; the same in every version of the library
   * @param secrets of all processes of a service, of which the first one seals and all open; without any, what is sealed
   * here can be opened in this process only
   */
  constructor(
    private readonly purpose: string,
    private readonly secrets: readonly string[] | undefined,
  ) {}

  /** True if another process, or this one after a restart, could not open what is sealed here. */
  get isEphemeral(): boolean {
    return this.secrets === undefined;
  }

  /** @param use what the text is good for; {@link open} must be told the same */
  seal(value: unknown, use: string): string {
    const nonce = this.#nonce();
    const cipher = createCipheriv(algorithm, this.#key(0), nonce).setAAD(Buffer.from(use));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Opens a sealed text; undefined for one that was not made here for this use. */
  open(text: string, use: string): { readonly value: unknown } | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== text) return undefined;
    for (let index = 0; index < (this.secrets?.length ?? 1); index += 1) {
      const opened = this.#opened(bytes, use, this.#key(index));
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  #opened(bytes: Buffer, use: string, key: KeyObject): { readonly value: unknown } | undefined {
    const nonce = bytes.subarray(0, nonceLength);
    const tag = bytes.subarray(nonceLength, nonceLength + tagLength);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(use)).setAuthTag(tag);
    const opened = decipher.update(bytes.subarray(nonceLength + tagLength));
    try {
      const value: unknown = JSON.parse(Buffer.concat([opened, decipher.final()]).toString('utf8'));
      return { value };
    } catch {
      // The tag does not fit: another secret made it, the text was changed, or it is for something else.
      return undefined;
    }
  }

  /** Random bytes that were not given before. */
  #nonce(): Buffer {
    if (this.#nonces.length === 0) this.#nonces = randomBytes(drawnNonces * nonceLength);
    const nonce = this.#nonces.subarray(0, nonceLength);
    this.#nonces = this.#nonces.subarray(nonceLength);
    return nonce;
  }

  /**
   * Made at first use, because stretching a secret takes some 50 ms; who seals nothing does not wait. A key object, because
   * Node makes one of bytes each time, which takes four times as long as to seal a cursor.
   */
  #key(index: number): KeyObject {
    const secret = this.secrets?.[index];
    return (this.#keys[index] ??= createSecretKey(
      secret === undefined ? randomBytes(32) : scryptSync(secret, `nest-endpoints ${this.purpose}`, 32),
    ));
  }
}
