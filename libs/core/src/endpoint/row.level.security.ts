import type { SessionContext } from '@mikro-orm/core';
import type { RowLevelSecurityOptions } from '../access/row.level.security.options.js';
import { isRowSecurityViolation } from '../database/errors/database.error.js';
import type { Database } from '../database/database.js';
import { DistributedDatabase } from '../records/distributed/distributed.database.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NotAuthorized } from '../wire/refusals.js';
import type { Handler } from './compiled.kind.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/** Session variables and role of the sender, for every request: in its one transaction, or with its one statement. */
export class RowLevelSecurity {
  readonly #distributed: DistributedDatabase;

  /** @throws ConfigurationError on databases that have no row level security */
  constructor(
    private readonly options: RowLevelSecurityOptions,
    database: Database,
  ) {
    this.#distributed = new DistributedDatabase(database);
    if (database.dialect.hasRowLevelSecurity) return;
    const problem = 'this database has no row level security; PostgreSQL has';
    throw new ConfigurationError('EndpointsModule.forRoot', 'rowLevelSecurity', problem);
  }

  /** @throws ConfigurationError where the database is spread over servers that variables would not reach */
  async check(): Promise<void> {
    if (await this.#distributed.mayTell()) refuseUnreached(await this.#namesOfVariables());
  }

  /**
   * The variables and the role of a sender.
   *
   * @throws ConfigurationError as {@link check}, where that could not tell
   */
  async sessionOf(identity: unknown): Promise<SessionContext> {
    const given = await this.options.variables(identity);
    if (await this.#distributed.isCitus()) refuseUnreached(Object.keys(given));
    const variables = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? '']));
    return this.options.role === undefined ? { variables } : { variables, role: this.options.role };
  }

  /** Reads the names, as far as they are the same for all senders; each request is looked at, too. */
  async #namesOfVariables(): Promise<readonly string[]> {
    for (const identity of [undefined, anybody])
      try {
        return Object.keys(await this.options.variables(identity));
      } catch {
        // The function wants to know more of its sender than there is.
      }
    return [];
  }

  /** A handler whose every statement, the user's own included, has the request's session. */
  around(handler: Handler): Handler {
    return (request) => this.within(request, () => handler(request));
  }

  /** Runs work whose every statement has the request's session: in one transaction, or alone in its own message. */
  async within<T>({ session }: EndpointRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await session.whole(work);
    } catch (error) {
      throw isRowSecurityViolation(error) ? new NotAuthorized({ cause: error }) : error;
    }
  }
}

/** An identity whose every claim is the empty text. */
const anybody: unknown = new Proxy({}, { get: () => '' });

/** The variable that Citus needs as no other server does: it looks up names of tables before a statement is sent on. */
const reached = 'search_path';

function refuseUnreached(names: readonly string[]): void {
  const lost = names.filter((name) => name !== reached);
  if (lost.length === 0) return;
  throw new ConfigurationError(
    'EndpointsModule.forRoot',
    'rowLevelSecurity',
    `the database has the extension citus, whose workers would not know ${lost.join(', ')} and show nothing, or everything; allowed is ${reached} (docs/scaling.md)`,
  );
}
