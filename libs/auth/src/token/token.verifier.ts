import type { KeyCache } from '../keys/key.cache.js';
import type { Clock } from '../clock.js';
import type { Algorithm } from './algorithm.table.js';
import { frozen } from './frozen.js';
import { InvalidToken } from './invalid.token.js';
import { parseToken, type JsonObject } from './parsed.token.js';
import { checkRequired } from './required.claims.js';
import { checkSignature } from './signature.check.js';
import { checkTime, validityOf, type ClaimsRules } from './token.claims.js';
import { tokenHeader } from './token.header.js';
import { VerifiedTokens } from './verified.tokens.js';

/** The rules for a token, beside its signature. */
export interface TokenRules extends ClaimsRules {
  readonly algorithms: readonly Algorithm[];
  readonly requiredClaims: readonly string[];
  readonly maximumTokenLength: number;
  readonly verifiedTokens: number;
}

/** Judges tokens: what can be seen without a key first, so that a bad token asks no key server anything. */
export class TokenVerifier {
  readonly #verified: VerifiedTokens;
  /** A longer one costs no digest: it is judged, and most often refused. */
  readonly #longestHeader: number;

  constructor(
    private readonly rules: TokenRules,
    private readonly keys: KeyCache,
    private readonly clock: Clock,
  ) {
    this.#verified = new VerifiedTokens(rules.verifiedTokens);
    this.#longestHeader = rules.maximumTokenLength + 'Bearer '.length;
  }

  /** The claims of the token in a header that was verified before and is as good as then; else undefined. */
  seen(authorization: string): JsonObject | undefined {
    const keys = this.keys.atHand();
    if (keys === undefined || authorization.length > this.#longestHeader) return undefined;
    const verified = this.#verified.get(authorization);
    if (verified === undefined) return undefined;
    const { claims, validity, key, alg } = verified;
    const now = this.clock.now();
    const isGood = now >= validity.from && now < validity.until && keys.find(key.kid, alg) === key;
    return isGood ? claims : undefined;
  }

  /**
   * The claims of a token.
   *
   * @param authorization the header it came in, to be known again
   * @throws InvalidToken when it is not good
   * @throws ServiceUnavailable when that cannot be told for want of keys
   */
  async verify(token: string, authorization: string): Promise<JsonObject> {
    const { rules } = this;
    if (token.length > rules.maximumTokenLength)
      throw new InvalidToken(`the token is longer than ${rules.maximumTokenLength} characters`);
    const { header, claims } = parseToken(token);
    const { alg, kid } = tokenHeader(header, rules.algorithms);
    const validity = validityOf(claims, rules);
    checkTime(validity, this.clock.now());
    checkRequired(claims, rules.requiredClaims);
    const key = await this.keys.find(kid, alg);
    await checkSignature(token, await key.for(alg), alg);
    this.#verified.set(authorization, { claims: frozen(claims), validity, alg, key });
    return claims;
  }
}
