import { createHash, timingSafeEqual } from 'node:crypto';
import {
  checkOptions,
  ConfigurationError,
  optionChecks,
  NotAuthenticated,
  type Authentication,
  type Credentials,
  type OptionCheck,
  type SecurityScheme,
} from '@nest-endpoints/core';

const owner = 'SecretBearer';

/** Parameters of {@link SecretBearer}. */
export interface SecretBearerOptions {
  /** The environment variable that holds the secret. Unset or empty, it stops the start. */
  readonly environmentKey: string;
  /**
   * The environment variable of a second secret that is accepted, too, while clients change from one to the other. If it
   * is named, it must be set.
   */
  readonly alternateEnvironmentKey?: string | undefined;
  /** The text before the secret in the `Authorization` header, in any letter case. Default `Bearer `. */
  readonly headerPrefix?: string | undefined;
  /** The name of the security scheme in the generated documentation. Default `secret`. */
  readonly documentationSecurityName?: string | undefined;
  /** The environment. Default: that of the process, when this is made. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

const { anything, check, text } = optionChecks;

/** The names of variables are judged with what they hold. */
const checks = {
  environmentKey: anything,
  alternateEnvironmentKey: anything,
  headerPrefix: text,
  documentationSecurityName: check(
    'a text of letters, digits, . _ -',
    (value) => typeof value === 'string' && /^[\w.-]+$/.test(value),
  ),
  environment: check('an object with texts', (value) => typeof value === 'object' && value !== null),
} as const satisfies Record<keyof SecretBearerOptions, OptionCheck>;

/**
 * Accepts whoever sends a secret of the service's environment. It tells no senders apart: `authorizationData` is an empty
 * object.
 *
 * @example
 * new SecretBearer({ environmentKey: 'JOBS_SECRET' })
 */
export class SecretBearer implements Authentication {
  readonly allowedHeaders: readonly string[] = ['Authorization'];
  /** The name of the security scheme in the generated documentation. */
  readonly documentationSecurityName: string;
  /** The description in the generated documentation. */
  readonly securityScheme: SecurityScheme;
  readonly #prefix: string;
  readonly #digests: readonly Buffer[];

  /** @throws ConfigurationError when a secret is unset or empty */
  constructor(options: SecretBearerOptions) {
    checkOptions(owner, options, { checks });
    const {
      headerPrefix = 'Bearer ',
      documentationSecurityName = 'secret',
      environment = process.env,
    } = options;
    this.documentationSecurityName = documentationSecurityName;
    this.#prefix = headerPrefix.toLowerCase();
    this.#digests = (['environmentKey', 'alternateEnvironmentKey'] as const)
      .filter((option) => option === 'environmentKey' || options[option] !== undefined)
      .map((option) => digestOf(Buffer.from(secretOf(environment, option, options[option]))));
    const isBearer = this.#prefix.trim() === 'bearer';
    const scheme = isBearer
      ? { type: 'http', scheme: 'bearer' }
      : { type: 'apiKey', in: 'header', name: 'Authorization' };
    this.securityScheme = { name: documentationSecurityName, scheme };
  }

  /** False, but for a class that extends it. */
  get seesRequest(): boolean {
    return Reflect.get(this, 'authenticate') !== Reflect.get(SecretBearer.prototype, 'authenticate');
  }

  /** @throws NotAuthenticated when the secret is not the right one; its cause says why, without it */
  authenticate({ headers: { authorization } }: Credentials): object {
    if (authorization === undefined) throw refused('there is no Authorization header');
    if (authorization.slice(0, this.#prefix.length).toLowerCase() !== this.#prefix)
      throw refused('the Authorization header begins in another way');
    // Node reads headers as latin1, one character a byte.
    const sent = digestOf(Buffer.from(authorization.slice(this.#prefix.length), 'latin1'));
    // Digests have one length, and all are compared whole: the time tells neither how much is right nor which one.
    const equal = this.#digests.filter((digest) => timingSafeEqual(digest, sent));
    if (equal.length === 0) throw refused('the secret is another one');
    return {};
  }
}

function refused(reason: string): NotAuthenticated {
  return new NotAuthenticated({ cause: new Error(reason) });
}

function digestOf(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}

function secretOf(
  environment: Readonly<Record<string, string | undefined>>,
  option: 'environmentKey' | 'alternateEnvironmentKey',
  name: unknown,
): string {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(owner, option, problem);
  };
  if (typeof name !== 'string' || name === '') return refuse('names no environment variable');
  const secret = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (secret === undefined || secret === '')
    return refuse(`the environment variable ${name} is unset or empty`);
  if (secret.trim() !== secret)
    return refuse(`the environment variable ${name} begins or ends with white space, which no header can`);
  return secret;
}
