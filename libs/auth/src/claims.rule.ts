import type { Injected, InjectMap, RequestContext } from '@nest-endpoints/core';
import type { JsonObject } from './token/parsed.token.js';
import type { ClaimsVerdict } from './token/required.claims.js';

/** The argument of a claims function: the request, and the providers that `inject` names. */
export type ClaimsContext<I extends InjectMap = InjectMap> = RequestContext & {
  /** The claims of the token, whose signature, times, audience and issuer were found good. Frozen. */
  readonly jwtClaims: JsonObject;
} & Injected<I>;

/**
 * A function that judges claims. It refuses the token by an error, or by a result other than {@link ClaimsVerdict}
 * allows.
 */
export type ClaimsFunction<I extends InjectMap = InjectMap> = (
  context: ClaimsContext<I>,
) => ClaimsVerdict | Promise<ClaimsVerdict>;

/** Names of claims that must be there and not null, or a function that judges them. */
export type ClaimsRule<I extends InjectMap = InjectMap> = readonly string[] | ClaimsFunction<I>;
