import type { InjectMap, RequestContext } from '@nest-endpoints/core';
import type { JsonObject } from './token/parsed.token.js';
import type { ClaimsVerdict } from './token/required.claims.js';

type Injected<T> = T extends abstract new (...parameters: never[]) => infer Provider ? Provider : unknown;

/** Without `inject` there are none: a name that is not there does not compile. */
type Providers<I extends InjectMap> = string extends keyof I
  ? unknown
  : { readonly [Name in keyof I]: Injected<I[Name]> };

/** What a claims function can destructure from its argument. */
export type ClaimsContext<I extends InjectMap = InjectMap> = RequestContext & {
  /** The claims of the token, whose signature, times, audience and issuer were found good. Frozen. */
  readonly jwtClaims: JsonObject;
} & Providers<I>;

/** A function that judges claims. What it throws, or returns beside {@link ClaimsVerdict}, refuses the token. */
export type ClaimsFunction<I extends InjectMap = InjectMap> = (
  context: ClaimsContext<I>,
) => ClaimsVerdict | Promise<ClaimsVerdict>;

/** Names of claims that must be there and not null, or a function that judges them. */
export type ClaimsRule<I extends InjectMap = InjectMap> = readonly string[] | ClaimsFunction<I>;
