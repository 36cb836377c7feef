import type { Authentication } from '../../access/authentication.js';
import type { AuthorizationRule } from '../../access/authorization.js';
import { seesRequest } from '../../access/combined.authorization.js';
import type { Settings } from '../../endpoint/options/settings.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { PresentedCredentials } from '../../endpoint/request/presented.credentials.js';
import { NotAuthenticated } from '../../wire/refusals.js';

/** The providers that an authentication without `inject` gets. */
const nothing: Readonly<Record<string, unknown>> = {};

/**
 * The foresight of what the sender of one request could ask of other endpoints, as far as rules about the identity tell: roles and
 * scopes. It decides what is shown, never what is answered.
 */
export class Foresight {
  readonly #identities = new Map<Authentication, Promise<unknown>>();

  /** @param authentication the one that found out who sent it */
  constructor(
    private readonly asking: EndpointRequest,
    authentication: Authentication,
  ) {
    this.#identities.set(authentication, Promise.resolve(asking.authorizationData));
  }

  /** False if a rule about the identity alone refuses. Without an identity there is no telling. */
  async admits({
    authentication,
    authorizations,
  }: Pick<Settings, 'authentication' | 'authorizations'>): Promise<boolean> {
    const rules = authorizations.filter((rule) => !seesRequest(rule));
    if (rules.length === 0) return true;
    const identity = await this.#identityBy(authentication);
    if (identity === undefined) return true;
    for (const rule of rules) if (!(await this.#allows(rule, identity))) return false;
    return true;
  }

  async #allows(rule: AuthorizationRule, identity: unknown): Promise<boolean> {
    // What JavaScript may give beside true is no yes.
    const verdict: unknown = await rule.gate(identity as never, this.asking.authorizationRequest);
    return verdict === true;
  }

  #identityBy(authentication: Authentication): Promise<unknown> {
    const known = this.#identities.get(authentication);
    if (known !== undefined) return known;
    const found = this.#authenticated(authentication);
    this.#identities.set(authentication, found);
    return found;
  }

  async #authenticated(authentication: Authentication): Promise<unknown> {
    // It needs providers that its own endpoints have.
    if (authentication.inject !== undefined) return undefined;
    try {
      return await authentication.authenticate(
        new PresentedCredentials(this.asking, () => Promise.resolve(this.asking.context(nothing))),
      );
    } catch (error) {
      if (error instanceof NotAuthenticated) return undefined;
      throw error;
    }
  }
}
