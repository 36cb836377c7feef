import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';

/** Parameters of {@link TokenIssuer}. */
export interface TokenIssuerOptions {
  /** The `iss` of its tokens. Default `https://issuer.test/`. */
  readonly issuer?: string;
  /** The `aud` of its tokens. Default: none. */
  readonly audience?: string;
  /** The algorithm of its keys. Default ES256. */
  readonly algorithm?: string;
  /** A file that keeps its keys, the private ones too, for the next start and for other processes. Default: none. */
  readonly file?: string;
}

/** The differences between one token and what its issuer usually signs. */
export interface TokenOptions {
  /** Seconds from now until it expires. Default 3600; null: never. */
  readonly expiresIn?: number | null;
  /** Members of its header, over those it has anyway. */
  readonly header?: Readonly<Record<string, unknown>>;
}

interface SigningKey {
  readonly kid: string;
  readonly jwk: JWK;
  readonly key: CryptoKey;
}

/**
 * An identity provider for tests and development. It makes keys, publishes the public halves and signs tokens. It is
 * nothing for production: whoever can read its file, or run its process, can sign as anybody.
 *
 * @example
 * const issuer = await TokenIssuer.create({ audience: 'atlas' });
 * const token = await issuer.token({ sub: 'alice' });
 */
export class TokenIssuer {
  #keys: readonly SigningKey[];

  private constructor(
    private readonly options: TokenIssuerOptions,
    keys: readonly SigningKey[],
  ) {
    this.#keys = keys;
  }

  /** An issuer with one key, or with those of its file. */
  static async create(options: TokenIssuerOptions = {}): Promise<TokenIssuer> {
    const kept = options.file === undefined ? [] : await keysIn(options.file);
    const issuer = new TokenIssuer(options, kept);
    if (kept.length === 0) await issuer.rotate();
    return issuer;
  }

  /** The kid of the key that signs. */
  get kid(): string {
    return this.#current.kid;
  }

  /** The answer of its key server: the public keys, the newest first. */
  keySet(): { readonly keys: readonly JWK[] } {
    return { keys: this.#keys.map(({ jwk }) => publicJwk(jwk)) };
  }

  /** Signs claims; `iss`, `aud`, `iat` and `exp` are filled in where they are not given. An undefined claim is left out. */
  async token(claims: Readonly<Record<string, unknown>> = {}, options: TokenOptions = {}): Promise<string> {
    const { issuer = 'https://issuer.test/', audience } = this.options;
    const { expiresIn = 3600, header } = options;
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: issuer,
      aud: audience,
      iat: now,
      exp: expiresIn === null ? undefined : now + expiresIn,
    };
    const { kid, jwk, key } = this.#current;
    return new SignJWT({ ...usual, ...claims } as JWTPayload)
      .setProtectedHeader({ alg: String(jwk.alg), kid, typ: 'JWT', ...header })
      .sign(key);
  }

  /** From now on signs with a new key; the older ones stay in the key set. Gives the new kid. */
  async rotate(): Promise<string> {
    const { algorithm = 'ES256' } = this.options;
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const kid = randomUUID();
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' };
    this.#keys = [{ kid, jwk, key: privateKey }, ...this.#keys];
    await this.#keep();
    return kid;
  }

  /** Takes a key out of the key set. */
  async retire(kid: string): Promise<void> {
    this.#keys = this.#keys.filter((key) => key.kid !== kid);
    await this.#keep();
  }

  get #current(): SigningKey {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('all keys are retired: rotate() makes a new one');
    return key;
  }

  async #keep(): Promise<void> {
    const { file } = this.options;
    if (file === undefined) return;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ keys: this.#keys.map(({ jwk }) => jwk) }), { mode: 0o600 });
  }
}

async function keysIn(file: string): Promise<SigningKey[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{"keys":[]}';
    throw error;
  });
  const { keys } = JSON.parse(text) as { readonly keys: readonly JWK[] };
  return Promise.all(
    keys.map(async (jwk) => ({ kid: String(jwk.kid), jwk, key: (await importJWK(jwk)) as CryptoKey })),
  );
}

function publicJwk({ kty, kid, alg, use, crv, x, y, n, e }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, kid, alg, use, crv, x, y, n, e })) as JWK;
}
