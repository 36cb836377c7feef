import type { InjectionToken } from '@nestjs/common';
import type { RequestContext } from '@nest-endpoints/core';
import type { JsonObject } from './token/parsed.token.js';
import type { ClaimsVerdict } from './token/required.claims.js';

/** Providers by the name under which a function gets them. */
export type Injections = Readonly<Record<string, InjectionToken>>;

type Injected<T> = T extends abstract new (...parameters: never[]) => infer Provider ? Provider : unknown;

/** What a claims function can destructure from its argument. */
export type ClaimsContext<I extends Injections = Record<never, never>> = RequestContext & {
  /** The claims of the token, whose signature, times, audience and issuer were found good. Frozen. */
  readonly jwtClaims: JsonObject;
} & { readonly [Name in keyof I]: Injected<I[Name]> };

/** A function that judges claims. What it throws, or returns beside {@link ClaimsVerdict}, refuses the token. */
export type ClaimsFunction<I extends Injections = Record<never, never>> = (
  context: ClaimsContext<I>,
) => ClaimsVerdict | Promise<ClaimsVerdict>;

/** Names of claims that must be there and not null, or a function that judges them. */
export type ClaimsRule<I extends Injections = Record<never, never>> = readonly string[] | ClaimsFunction<I>;
