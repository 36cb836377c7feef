import type { EntityMetadata } from '@mikro-orm/core';
import { Public } from '../access/authentication.js';
import type { AuthorizationRequest, AuthorizationRule } from '../access/authorization.js';
import { AuthorizedRecords } from '../access/authorized.records.js';
import { seesRequest } from '../access/combined.authorization.js';
import type { Dialect } from '../sql/dialect.js';
import { RequestViewer, type Viewer } from '../database/viewer.js';
import type { Session } from '../visibility/session.js';
import { NotAuthorized } from '../wire/refusals.js';
import type { ReadYourWrites } from './read.your.writes.js';
import type { EndpointRequest } from './request/endpoint.request.js';
import { PresentedCredentials } from './request/presented.credentials.js';
import type { Injection, Providers } from './request/injection.js';
import type { RowLevelSecurity } from './row.level.security.js';
import type { TenantSchemas } from './schemas/tenant.schemas.js';
import type { Sender } from './request/sender.js';
import { recordRules, type Settings } from './options/settings.js';

type Gate = (authorizationData: unknown, request: AuthorizationRequest) => unknown;

/** The access to an endpoint: who may use it, and which of its records they see. Made once per endpoint. */
export class EndpointAccess {
  readonly records: AuthorizedRecords;
  readonly #injection: Injection | undefined;
  readonly #gates: readonly Gate[];
  /** True if more than the authentication is asked to know a sender. */
  readonly #asksMore: boolean;
  /** Asks the gates in a transaction that has the session of row level security; undefined where they need none. */
  readonly #entered: ((request: EndpointRequest) => Promise<number | undefined>) | undefined;

  /**
   * @param nobody opens a session that has no identity, for while there is none
   * @param dialect of the application's database; undefined where there is none
   * @param readYourWrites judges what a client says it must see, before anything is read for it
   * @param schemas says which schema a request is about; undefined where all are about one
   */
  constructor(
    owner: string,
    private readonly settings: Pick<Settings, 'authentication' | 'authorizations' | 'partition' | 'parent'>,
    providers: Providers,
    private readonly rowLevelSecurity: RowLevelSecurity | undefined,
    private readonly nobody: () => Session,
    private readonly readYourWrites: ReadYourWrites | undefined,
    dialect: Dialect | undefined,
    private readonly schemas?: TenantSchemas,
  ) {
    const { authentication, authorizations } = settings;
    const { inject } = authentication;
    this.#injection =
      inject === undefined ? undefined : providers.injection(owner, 'authentication.inject', inject);
    this.#gates = authorizations.map((rule: AuthorizationRule) => rule.gate.bind(rule) as Gate);
    this.#asksMore = rowLevelSecurity !== undefined || schemas !== undefined;
    this.records = new AuthorizedRecords(recordRules(settings), dialect);
    // Gates that see nothing but the identity ask nothing of the database.
    if (rowLevelSecurity === undefined || !authorizations.some(seesRequest)) return;
    this.#entered = (request) =>
      rowLevelSecurity.within(request, async () => {
        await request.enterDatabase();
        return this.#refusing(request);
      });
  }

  /** True if everybody may use the endpoint, and nothing is asked to know it. */
  get isOpen(): boolean {
    const { authentication } = this.settings;
    const isPublic = authentication.constructor === Public && this.#gates.length === 0;
    return isPublic && this.rowLevelSecurity === undefined && this.readYourWrites === undefined;
  }

  /**
   * Finds out who sent a request; at once where the authentication knows at once.
   *
   * @throws NotAuthenticated, BadRequest, ServiceUnavailable
   */
  authenticate(request: EndpointRequest, sender: Sender): undefined | Promise<undefined> {
    // A part of another request asks within its transaction, which may have the only connection.
    const nobody = (sender.nobody = request.whole?.nobody);
    const identity = this.settings.authentication.authenticate(
      new PresentedCredentials(request, async () => {
        const more = (await this.#injection?.valuesFor(request)) ?? {};
        return request.context(more, { sessionOf: () => nobody ?? this.nobody() });
      }),
    );
    if (!isAwaited(identity)) return this.#know(request, sender, identity);
    return Promise.resolve(identity).then((known) => this.#know(request, sender, known));
  }

  #know(request: EndpointRequest, sender: Sender, identity: unknown): undefined | Promise<undefined> {
    sender.identity = identity;
    sender.expected = this.readYourWrites?.judge(request.headers);
    if (this.#asksMore) return this.#askMore(request, sender);
    sender.isKnown = true;
    return undefined;
  }

  async #askMore(request: EndpointRequest, sender: Sender): Promise<undefined> {
    if (this.rowLevelSecurity !== undefined)
      sender.sessionContext = await this.rowLevelSecurity.sessionOf(sender.identity);
    if (this.schemas !== undefined) {
      const session = (): Session => sender.nobody ?? this.nobody();
      sender.schema = await this.schemas.of(sender.identity, session, request.isPart);
    }
    sender.isKnown = true;
    return undefined;
  }

  /**
   * Asks the gates; at once where all of them know at once.
   *
   * @throws NotAuthorized when the gate of an authorization says anything but yes
   */
  authorize(request: EndpointRequest): true | Promise<true> {
    if (this.#gates.length === 0) return true;
    const refusing = this.#entered === undefined ? this.#refusing(request) : this.#entered(request);
    if (refusing instanceof Promise) return refusing.then((index) => this.#allowing(request, index));
    return this.#allowing(request, refusing);
  }

  /** @param index of the gate that does not say yes; undefined where all do */
  #allowing(request: EndpointRequest, index: number | undefined): true {
    if (index !== undefined) throw this.#refusal(index, request);
    return true;
  }

  /** The index of the gate that does not say yes; undefined where all do. @param from the first one that is asked */
  #refusing(request: EndpointRequest, from = 0): number | undefined | Promise<number | undefined> {
    for (let index = from; index < this.#gates.length; index += 1) {
      const verdict = this.#gates[index]?.(request.authorizationData, request.authorizationRequest);
      if (isAwaited(verdict))
        return Promise.resolve(verdict).then((said) =>
          said === true ? this.#refusing(request, index + 1) : index,
        );
      if (verdict !== true) return index;
    }
    return undefined;
  }

  /** Makes the refusal, with the rule that refused, for the log. */
  #refusal(index: number, { authorizationData }: EndpointRequest): NotAuthorized {
    const rule = this.settings.authorizations[index]?.constructor.name ?? 'a rule';
    const who = authorizationData === undefined ? '; the request has no identity' : '';
    return new NotAuthorized({ cause: new Error(`${rule} says no${who}`) });
  }

  /** @param own the entity of the endpoint's model; undefined when it has none */
  viewerOf(request: EndpointRequest, own: EntityMetadata | undefined): Viewer {
    const { sessionContext, schema, cancellation } = request;
    const { records } = this;
    const visibility = records.isOpen ? undefined : records.visibleTo(request.authorizationRequest, own);
    return new RequestViewer(cancellation, sessionContext, schema, visibility);
  }
}

/** True if a function of the user's has given a promise, or what is waited for like one. */
function isAwaited(given: unknown): given is PromiseLike<unknown> {
  return typeof given === 'object' && given !== null && typeof Reflect.get(given, 'then') === 'function';
}
