import type { IncomingHttpHeaders } from 'node:http';
import { Logger, ServiceUnavailableException } from '@nestjs/common';
import { NotAuthenticated, ServiceUnavailable, type Credentials } from '@nest-endpoints/core';
import type { Jwks } from './jwks.js';
import { PassportJwtStrategy, type VerifyCallback } from './jwt.strategy.js';
import { reasonOf } from './reason.js';
import { bearerToken } from './token/bearer.token.js';

/** The members that requests of Express and Fastify have in common. */
export interface PassportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params?: unknown;
  readonly ip?: string | undefined;
}

/** Parameters of {@link JwksStrategy}. */
export interface JwksStrategyOptions {
  /** The object that judges tokens. */
  readonly jwks: Pick<Jwks, 'authenticate'>;
  /**
   * Gives a claims function what it gets beside the request: `em`, and providers by name. Default: nothing. A missing
   * provider refuses the token. `JwksStrategyModule` fills this in.
   */
  readonly context?: (request: PassportRequest) => Promise<object>;
}

/**
 * The rules of `Jwks` as a Passport strategy, so that `AuthGuard('jwks')` guards controllers of the user's own. It has
 * the form of passport-jwt's `Strategy`: options, and a `verify` function that makes the user from the claims. Only its
 * handling of the token is replaced (docs/decisions/0012).
 *
 * @example
 * class OwnStrategy extends PassportStrategy(JwksStrategy, 'jwks') {
 *   constructor() { super({ jwks }); }
 *   validate({ sub }: { sub: string }) { return { name: sub }; }
 * }
 */
export class JwksStrategy extends PassportJwtStrategy {
  override name = 'jwks';
  // Passport works with objects that inherit from a strategy; `#private` members would not be there for these.
  private readonly logger = new Logger('Jwks');

  /** @param verify makes the user of the claims. Default: the claims are the user */
  constructor(
    private readonly options: JwksStrategyOptions,
    private readonly verify: VerifyCallback = (claims, done) => {
      done(null, claims);
    },
  ) {
    const jwtFromRequest = ({ headers }: PassportRequest) => bearerToken(headers.authorization ?? '') ?? null;
    super({ jwtFromRequest, secretOrKeyProvider: noKey }, verify);
  }

  override authenticate(request: PassportRequest): void {
    void this.judge(request);
  }

  private async judge(request: PassportRequest): Promise<void> {
    try {
      const claims = await this.options.jwks.authenticate(this.credentialsOf(request));
      // A copy: controllers add to their user, and all requests with this token share its claims.
      this.verify(structuredClone(claims) as never, (error, user, info) => {
        if (error) this.error(error);
        else if (user) this.success(user, info);
        else this.fail(info, 401);
      });
    } catch (error) {
      this.refuse(error);
    }
  }

  private refuse(error: unknown): void {
    if (error instanceof NotAuthenticated) {
      this.logger.debug(`not authenticated: ${reasonOf(error.cause)}`);
      this.fail('Bearer', 401);
    } else if (error instanceof ServiceUnavailable) this.error(new ServiceUnavailableException());
    else
      this.error(
        error instanceof Error ? error : new Error('the token could not be judged', { cause: error }),
      );
  }

  private credentialsOf(request: PassportRequest): Credentials {
    const { method, headers } = request;
    const context = async () => ({
      ...factsOf(request),
      ...(await this.options.context?.(request)),
    });
    return { method, headers, native: request, context: context as unknown as Credentials['context'] };
  }
}

/** Keys are the business of {@link Jwks}; passport-jwt would verify with whatever it is given here. */
function noKey(_request: unknown, _token: unknown, done: (error: Error) => void): void {
  done(new Error('keys are the business of Jwks'));
}

function factsOf(request: PassportRequest): object {
  const { url, headers, params, ip } = request;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  return {
    routingData: params ?? {},
    requestHeaders: headers,
    queryParameters: Object.fromEntries(new URLSearchParams(query)),
    authorizationData: undefined,
    ip,
    request,
  };
}
