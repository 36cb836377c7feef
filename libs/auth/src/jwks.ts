import { Logger } from '@nestjs/common';
import {
  NotAuthenticated,
  type Authentication,
  type Credentials,
  type InjectMap,
  type SecurityScheme,
} from '@nest-endpoints/core';
import type { ClaimsContext, ClaimsFunction } from './claims.rule.js';
import { jwksSettings, type JwksSettings } from './jwks.settings.js';
import type { JwksOptions } from './jwks.options.js';
import { KeyCache } from './keys/key.cache.js';
import { keyReader } from './keys/key.reader.js';
import { reasonOf } from './reason.js';
import { bearerToken } from './token/bearer.token.js';
import { InvalidToken, withoutToken } from './token/invalid.token.js';
import type { JsonObject } from './token/parsed.token.js';
import { checkVerdict } from './token/required.claims.js';
import { TokenVerifier } from './token/token.verifier.js';

/**
 * Accepts bearer tokens (JSON Web Tokens) that an identity provider signed with the keys it publishes (contract: Jwks
 * authentication). Its `authorizationData` are the claims of the token.
 *
 * Each instance has its own cache of keys: share one between endpoints, or give it to their group.
 *
 * @example
 * new Jwks({
 *   jwksUrl: 'https://login.example/.well-known/jwks.json',
 *   audience: 'https://api.example',
 *   issuer: 'https://login.example/',
 *   claims: ['sub'],
 * })
 */
export class Jwks<const I extends InjectMap = InjectMap> implements Authentication {
  readonly allowedHeaders: readonly string[] = ['Authorization'];
  /** The URL where users log in; only for the generated documentation. */
  readonly authorizationUrl: string | undefined;
  /** The name of the security scheme in the generated documentation. */
  readonly documentationSecurityName: string;
  /** The description in the generated documentation. */
  readonly securityScheme: SecurityScheme;
  /** Providers that the claims function gets. */
  readonly inject?: InjectMap;
  readonly #verifier: TokenVerifier;
  readonly #claims: ClaimsFunction<I> | undefined;

  /** @throws ConfigurationError */
  constructor(options: JwksOptions<I>) {
    const settings = jwksSettings(options);
    const { claims, inject } = options;
    this.authorizationUrl = settings.authorizationUrl;
    this.documentationSecurityName = settings.documentationSecurityName;
    this.securityScheme = securityScheme(settings);
    if (inject !== undefined) this.inject = inject;
    this.#claims = typeof claims === 'function' ? claims : undefined;
    const requiredClaims = typeof claims === 'function' ? [] : (claims ?? []);
    this.#verifier = new TokenVerifier({ ...settings, requiredClaims }, keyCache(settings), settings.clock);
  }

  /** False where no function of the user's is called. A class that extends it may look at the request. */
  get seesRequest(): boolean {
    const isOwn = Reflect.get(this, 'authenticate') === Reflect.get(Jwks.prototype, 'authenticate');
    return this.#claims !== undefined || !isOwn;
  }

  /**
   * Gives the claims of the request's token; at once where the token was seen before and no function judges its claims.
   *
   * @throws NotAuthenticated when there is no good token; its cause says why
   * @throws ServiceUnavailable when no keys could be read
   */
  authenticate(credentials: Credentials): JsonObject | Promise<JsonObject> {
    const { authorization } = credentials.headers;
    const seen = authorization === undefined ? undefined : this.#verifier.seen(authorization);
    return seen !== undefined && this.#claims === undefined ? seen : this.#judge(seen, credentials);
  }

  async #judge(seen: JsonObject | undefined, credentials: Credentials): Promise<JsonObject> {
    const { authorization = '' } = credentials.headers;
    try {
      const token = bearerToken(authorization);
      if (token === undefined) throw new InvalidToken('there is no bearer token');
      const claims = seen ?? (await this.#verifier.verify(token, authorization));
      if (this.#claims !== undefined)
        checkVerdict(claims, await this.#verdict(this.#claims, claims, token, credentials));
      return claims;
    } catch (error) {
      throw error instanceof InvalidToken ? new NotAuthenticated({ cause: error }) : error;
    }
  }

  async #verdict(
    judge: ClaimsFunction<I>,
    jwtClaims: JsonObject,
    token: string,
    credentials: Credentials,
  ): Promise<unknown> {
    const context = await credentials.context();
    try {
      return await judge(Object.assign(context, { jwtClaims }) as unknown as ClaimsContext<I>);
    } catch (error) {
      throw new InvalidToken(`the claims function threw ${withoutToken(reasonOf(error), token)}`);
    }
  }
}

function keyCache({ url, fetch, times, clock }: JwksSettings): KeyCache {
  const logger = new Logger('Jwks');
  // A query may hold an access key.
  const address = `${url.origin}${url.pathname}`;
  return new KeyCache(keyReader(url.href, fetch), times, clock, (error, age) => {
    const keys =
      age === undefined ? 'there are no keys yet' : `the last keys are ${Math.round(age / 1000)} s old`;
    logger.warn(`no keys from ${address}: ${reasonOf(error)}; ${keys}`);
  });
}

/** OpenAPI knows an authorization address only as that of an OAuth flow. */
function securityScheme({ documentationSecurityName: name, authorizationUrl }: JwksSettings): SecurityScheme {
  if (authorizationUrl === undefined)
    return { name, scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } };
  return { name, scheme: { type: 'oauth2', flows: { implicit: { authorizationUrl, scopes: {} } } } };
}
