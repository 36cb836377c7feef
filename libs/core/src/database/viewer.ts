import type { EntityMetadata, SessionContext } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Cancellation } from '../limits/cancellation.js';
import type { ShownRecords } from '../model/soft/records.view.js';
import type { Restriction } from '../sql/restriction.js';

/** The sender of a request, as far as the database is concerned. */
export interface Viewer {
  /**
   * True if the endpoint asks the database for one statement, so that it needs no transaction for the session: variables
   * and role go along with the statement. Default false.
   */
  readonly isLone?: boolean | undefined;
  /** True if the statements of one transaction must see the records of one moment. Default false. */
  readonly readsOneMoment?: boolean | undefined;
  /** Tells when nobody waits for what is read; undefined for what nobody can give up. */
  readonly cancellation?: Cancellation | undefined;
  /** The session variables and the role of row level security; undefined where it is not used. */
  readonly sessionContext?: SessionContext | undefined;
  /** The schema of its tables that have none of their own; undefined for MikroORM's. */
  readonly schema?: string | undefined;
  /** The records that the rules of the endpoint let the viewer see; undefined where they hide nothing. */
  readonly visibility?: Visibility | undefined;
  /** The records of the endpoint's own entity that it is about, where these are not the live ones. */
  readonly shown?: ShownRecords | undefined;
}

/** Viewer that is the sender of a request. */
export class RequestViewer implements Viewer {
  constructor(
    readonly cancellation: Cancellation,
    readonly sessionContext: SessionContext | undefined,
    readonly schema: string | undefined,
    readonly visibility: Visibility | undefined,
  ) {}
}

/** The records that a viewer may see, beside what MikroORM's filters say. */
export interface Visibility {
  /** True if records of the entity may be hidden. */
  narrows(meta: EntityMetadata): boolean;
  /**
   * The records of an entity to see; undefined where the rules let all be seen. A value where the rules are plain scopes.
   * @param em for rules that build a query
   * @throws NotAuthorized where the request has no value for a scope
   */
  restrictionOf(
    meta: EntityMetadata,
    em: () => Promise<SqlEntityManager>,
  ): Restriction | undefined | Promise<Restriction | undefined>;
  /**
   * The reason why the rules do not say which records of an entity there are; undefined where they do.
   * @param all the entities of the same database
   */
  reasonAgainst(meta: EntityMetadata, all: readonly EntityMetadata[]): string | undefined;
}
