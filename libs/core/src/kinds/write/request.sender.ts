import { claimsOf } from '../../access/authorization.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { IdempotencySender } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { identityText } from './identity.text.js';

/** Claims that differ from one token of a person to the next (RFC 7519, 4.1; OpenID Connect Core, 2). */
const passing: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'at_hash']);

/** Claims that, beside a subject, tell sessions apart (OpenID Connect Core, 3.3.2.11; Front-Channel Logout, 3). */
const passingBesideSubject: ReadonlySet<string> = new Set([...passing, 'sid', 'c_hash', 's_hash']);

const nothing: ReadonlySet<string> = new Set();

const sentence = 'Senders of requests with an Idempotency-Key cannot be told apart';

/** Tells whose a request is, where an answer is kept for its sender alone. Made once per endpoint. */
export class RequestSender {
  private constructor(
    private readonly given: IdempotencySender | undefined,
    /** The claims that matter beside issuer and subject; undefined where any may. */
    private readonly claims: readonly string[] | undefined,
  ) {}

  /**
   * @param model undefined where rules of other endpoints take part, so that any claim may matter
   * @throws ConfigurationError for what is no function
   */
  static of(
    context: KindContext,
    model: Model | undefined,
    own: IdempotencySender | undefined,
  ): RequestSender {
    const given: unknown = own ?? context.root.idempotencySender;
    if (given !== undefined && typeof given !== 'function')
      throw new ConfigurationError(context.owner, 'idempotencySender', 'must be a function');
    if (model === undefined) return new RequestSender(given as IdempotencySender | undefined, undefined);
    const columns = [...model.columns.values()].flatMap(({ type }) => type.claimNames);
    const { authorizations, partition } = context.settings;
    // A partition looks at anything: its function does not say at what.
    const claims = claimsOf(partition === undefined ? authorizations : [...authorizations, partition]);
    return new RequestSender(
      given as IdempotencySender | undefined,
      claims && [...new Set([...claims, ...columns])].sort(),
    );
  }

  /**
   * Text that tells the sender of a request from others, the same for every token of one.
   * @throws TypeError when senders cannot be told apart by what is known of them
   */
  async textOf(request: EndpointRequest): Promise<string> {
    if (this.given === undefined) return this.#usual(request.authorizationData);
    const sender: unknown = await this.given(request.authorizationData, request.authorizationRequest);
    const isWhole = Array.isArray(sender) ? sender.every(isThere) : isThere(sender);
    const text = isWhole ? identityText(sender, nothing) : undefined;
    if (text !== undefined) return text;
    throw new TypeError(`${sentence}: idempotencySender gave nothing, or what shows nothing of its own`);
  }

  /**
   * Tells senders apart by default. Without a subject by everything: to take two for one would show one the answer of the
   * other.
   */
  #usual(identity: unknown): string {
    const { claims } = this;
    const { sub, iss } = (identity ?? {}) as { readonly sub?: unknown; readonly iss?: unknown };
    const text =
      claims !== undefined && isScalar(sub)
        ? ofSubject(identity as object, iss ?? null, sub, claims)
        : senderText(identity);
    if (text !== undefined) return text;
    const remedy = isScalar(sub)
      ? 'say by idempotencySender what does, or in identityClaims of the authorization which claims matter'
      : "give their authorization data a `sub`, a text that is each one's own";
    throw new TypeError(`${sentence}: ${remedy}`);
  }
}

/**
 * Text by which the sender with an identity is told from others: of everything about them that does not differ from one of their
 * tokens to the next. Undefined where it does not show who they are.
 */
export function senderText(identity: unknown): string | undefined {
  const { sub } = (identity ?? {}) as { readonly sub?: unknown };
  return identityText(identity ?? null, isScalar(sub) ? passingBesideSubject : passing);
}

function ofSubject(
  identity: object,
  iss: unknown,
  sub: unknown,
  claims: readonly string[],
): string | undefined {
  const members = claims.map((name) => [name, Reflect.get(identity, name) as unknown]);
  return identityText([iss, sub, ...members], nothing);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
