import type { SessionContext } from '@mikro-orm/core';
import type { RowLevelSecurityOptions } from '../access/row.level.security.options.js';
import { isRowSecurityViolation } from '../database/errors/database.error.js';
import type { Database } from '../database/database.js';
import { isToldToWorkers, spreadSession } from '../database/transactions/spread.session.js';
import { DistributedDatabase } from '../records/distributed/distributed.database.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NotAuthorized } from '../wire/refusals.js';
import type { Handler } from './compiled.kind.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/** Session variables and role of the sender, for every request: in its one transaction, or with its one statement. */
export class RowLevelSecurity {
  readonly #distributed: DistributedDatabase;

  /**
   * @param isParted true if statements name the part of each table, whatever policies say
   * @throws ConfigurationError on databases that have no row level security
   */
  constructor(
    private readonly options: RowLevelSecurityOptions,
    database: Database,
    private readonly isParted = false,
  ) {
    this.#distributed = new DistributedDatabase(database);
    if (database.dialect.hasRowLevelSecurity) return;
    const problem = 'this database has no row level security; PostgreSQL has';
    throw new ConfigurationError('EndpointsModule.forRoot', 'rowLevelSecurity', problem);
  }

  /** Gives a warning where the database is spread over servers, and its variables would leave none of them out. */
  async advice(): Promise<string | undefined> {
    if (this.isParted || !(await this.#distributed.mayTell())) return undefined;
    const names = (await this.#namesOfVariables()).filter(isToldToWorkers);
    if (names.length === 0) return undefined;
    return `rowLevelSecurity: the database has the extension citus, and a policy about ${names.join(', ')} leaves out no shard: each request asks all of them, and what joins or locks is refused; name the tenant with partition, too (docs/scaling.md)`;
  }

  /** The variables and the role of a sender. */
  async sessionOf(identity: unknown): Promise<SessionContext> {
    const given = await this.options.variables(identity);
    const variables = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? '']));
    const session = this.options.role === undefined ? { variables } : { variables, role: this.options.role };
    return (await this.#distributed.isCitus()) ? spreadSession(session) : session;
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
