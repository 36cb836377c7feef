import type { InjectMap } from '@nest-endpoints/core';
import type { Clock } from './clock.js';
import type { Fetch } from './keys/key.document.js';
import type { Algorithm } from './token/algorithm.table.js';
import type { ClaimsRule } from './claims.rule.js';

/** Parameters of `Jwks` (contract: Jwks authentication). */
export interface JwksOptions<I extends InjectMap = InjectMap> {
  /** Address of the key set, a JSON object with a list `keys` (RFC 7517). HTTPS, but for this machine's own. */
  readonly jwksUrl: string;
  /** The value that a token's `aud` must contain. Default: any token is accepted, one for another service too. */
  readonly audience?: string | undefined;
  /** The value that a token's `iss` must equal. Default: any. */
  readonly issuer?: string | undefined;
  /**
   * The values allowed as a token's `alg`. Default, and when empty: whatever the key allows. HMAC and `none` stop the
   * start.
   */
  readonly algorithms?: readonly Algorithm[] | undefined;
  /** Claims that must be there and not null, or a function that judges them. Default: none. */
  readonly claims?: ClaimsRule<I> | undefined;
  /** Providers that the claims function gets, by the name it destructures, e.g. `{ users: UsersService }`. */
  readonly inject?: I | undefined;
  /**
   * The time for which a reading of the key set is good, in seconds. Default 86,400. 0 reads it anew for every request,
   * without grace period, and verifies every token anew.
   */
  readonly jwksCacheTime?: number | undefined;
  /** The time after that in which old keys still serve while the key server is out of reach, in seconds. Default 86,400. */
  readonly jwksGracePeriod?: number | undefined;
  /** The shortest time between two readings because of tokens whose `kid` is unknown, in seconds. Default 30. */
  readonly jwksCooldown?: number | undefined;
  /** The allowed difference between the clocks of issuer and service, in seconds, from 0 to 300. Default 5. */
  readonly leeway?: number | undefined;
  /** True to refuse a token without `exp`. Default false. */
  readonly requireExpiration?: boolean | undefined;
  /** The longest token, in characters. Default 8192. */
  readonly maximumTokenLength?: number | undefined;
  /**
   * The number of verified tokens that are remembered. The signature of these is not verified again. Default 10,000; 0:
   * none.
   */
  readonly verifiedTokens?: number | undefined;
  /**
   * True to allow a key set that comes over HTTP from another machine. Whoever can change it on its way can sign tokens.
   * Default false.
   */
  readonly allowHttp?: boolean | undefined;
  /** The URL where users log in. Only for the generated documentation. */
  readonly authorizationUrl?: string | undefined;
  /** The name of the security scheme in the generated documentation. Default `jwt`. */
  readonly documentationSecurityName?: string | undefined;
  /** The clocks. Default: those of the machine. */
  readonly clock?: Clock | undefined;
  /** Fetches the key set, through a proxy, say. Called without following redirects, given 4 s. Default: Node's `fetch`. */
  readonly fetch?: Fetch | undefined;
}
