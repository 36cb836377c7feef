import type { SessionContext } from '@mikro-orm/core';
import type { RowLevelSecurityOptions } from '../access/row.level.security.options.js';
import { isRowSecurityViolation } from '../records/database.error.js';
import type { Database } from '../records/database.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NotAuthorized } from '../wire/refusals.js';
import type { Handler } from './endpoint.js';
import type { EndpointRequest } from './endpoint.request.js';

/** Runs every request in one transaction that has the session variables and the role of its sender. */
export class RowLevelSecurity {
  /** @throws ConfigurationError on databases that have no row level security */
  constructor(
    private readonly options: RowLevelSecurityOptions,
    database: Database,
  ) {
    if (database.dialect.hasRowLevelSecurity) return;
    const problem = 'this database has no row level security; PostgreSQL has';
    throw new ConfigurationError('EndpointsModule.forRoot', 'rowLevelSecurity', problem);
  }

  async sessionOf(identity: unknown): Promise<SessionContext> {
    const given = await this.options.variables(identity as never);
    const variables = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? '']));
    return this.options.role === undefined ? { variables } : { variables, role: this.options.role };
  }

  /** A handler whose every statement, the user's own included, runs in the request's transaction. */
  around(handler: Handler): Handler {
    return (request) => this.within(request, () => handler(request));
  }

  /** Runs work whose every statement is in one transaction with the request's session. */
  async within<T>({ session }: EndpointRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await session.whole(work);
    } catch (error) {
      throw isRowSecurityViolation(error) ? new NotAuthorized({ cause: error }) : error;
    }
  }

  /** Finds out what a request's session is, once it is known who sent it. */
  async enter(request: EndpointRequest): Promise<void> {
    request.enter(await this.sessionOf(request.authorizationData));
  }
}
