import type { EntityMetadata } from '@mikro-orm/core';
import { Public } from '../access/authentication.js';
import type { AuthorizationRequest, AuthorizationRule } from '../access/authorization.js';
import { AuthorizedRecords } from '../access/authorized.records.js';
import { seesRequest } from '../access/combined.authorization.js';
import type { Dialect } from '../sql/dialect.js';
import type { Viewer } from '../database/viewer.js';
import type { Session } from '../visibility/session.js';
import { NotAuthorized } from '../wire/refusals.js';
import type { ReadYourWrites } from './read.your.writes.js';
import type { EndpointRequest } from './request/endpoint.request.js';
import { joinedSession } from './request/joined.request.js';
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

  /** Finds out who sent a request. @throws NotAuthenticated, BadRequest, ServiceUnavailable */
  async authenticate(request: EndpointRequest, sender: Sender): Promise<void> {
    // A part of another request asks within its transaction, which may have the only connection.
    const nobody = (sender.nobody = joinedSession(request.given)?.nobody);
    sender.identity = await this.settings.authentication.authenticate(
      new PresentedCredentials(request, async () => {
        const more = (await this.#injection?.valuesFor(request)) ?? {};
        return request.context(more, { sessionOf: () => nobody ?? this.nobody() });
      }),
    );
    sender.expected = this.readYourWrites?.judge(request.headers);
    if (this.rowLevelSecurity !== undefined)
      sender.sessionContext = await this.rowLevelSecurity.sessionOf(sender.identity);
    if (this.schemas !== undefined)
      sender.schema = await this.schemas.of(sender.identity, () => nobody ?? this.nobody(), request.isPart);
    sender.isKnown = true;
  }

  /** @throws NotAuthorized when the gate of an authorization says anything but yes */
  async authorize(request: EndpointRequest): Promise<void> {
    if (this.#gates.length === 0) return;
    const refusing = this.#entered === undefined ? this.#refusing(request) : this.#entered(request);
    const index = await refusing;
    if (index !== undefined) throw this.#refusal(index, request);
  }

  /** The index of the gate that does not say yes; undefined where all do. */
  async #refusing(request: EndpointRequest): Promise<number | undefined> {
    const asked = request.authorizationRequest;
    for (const [index, gate] of this.#gates.entries())
      if ((await gate(request.authorizationData, asked)) !== true) return index;
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
    if (this.records.isOpen) return { sessionContext, schema, cancellation };
    return {
      sessionContext,
      schema,
      cancellation,
      visibility: this.records.visibleTo(request.authorizationRequest, own),
    };
  }
}
