import type { Database } from '../../database/database.js';
import { KnownSchemas } from '../../records/schemas/known.schemas.js';
import { isSchemaName } from '../../records/schemas/schema.name.js';
import type { Session } from '../../visibility/session.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { NotAuthorized } from '../../wire/refusals.js';
import type { SchemaOptions } from './schema.options.js';

const owner = 'EndpointsModule.forRoot';

/** The schemas of tenants: which one a request is about. */
export class TenantSchemas {
  readonly #known: KnownSchemas;

  private constructor(
    private readonly schemaOf: NonNullable<SchemaOptions['schemaOf']>,
    known: KnownSchemas,
  ) {
    this.#known = known;
  }

  /**
   * Undefined where tenants have none.
   *
   * @throws ConfigurationError on databases that have no schemas
   */
  static of({ schemaOf, schemas }: SchemaOptions, database: Database | undefined): TenantSchemas | undefined {
    if (schemaOf === undefined) {
      if (schemas === undefined) return undefined;
      throw new ConfigurationError(
        owner,
        'schemas',
        'says which schemas schemaOf may give, and there is none',
      );
    }
    if (database === undefined) return undefined;
    if (!database.dialect.hasCatalogue)
      throw new ConfigurationError(
        owner,
        'schemaOf',
        'this database has no schemas; PostgreSQL and PGlite have',
      );
    return new TenantSchemas(schemaOf, KnownSchemas.on(database, schemas));
  }

  /**
   * The schema of a sender; undefined for one who is not known.
   *
   * @param open opens the session that asks if there is such a schema
   * @param isPart whether the request is a part of another one, whose transaction may have the only connection
   * @throws NotAuthorized for anything but a schema that is known
   */
  async of(identity: unknown, open: () => Session, isPart: boolean): Promise<string | undefined> {
    if (identity === undefined) return undefined;
    const name: unknown = await this.schemaOf(identity);
    const isKnown = this.#known.isKnown(name, open, isPart ? Infinity : undefined);
    if (isSchemaName(name) && (isKnown === true || (await isKnown))) return name;
    throw new NotAuthorized({ cause: new Error(problemOf(name)) });
  }
}

/** The reason for the log. It names no values: they are a client's. */
function problemOf(name: unknown): string {
  if (name === undefined || name === null) return 'schemaOf gives no schema for the sender';
  return isSchemaName(name)
    ? 'schemaOf gives a schema that is not allowed, or not there'
    : 'schemaOf gives what cannot be the name of a schema';
}
