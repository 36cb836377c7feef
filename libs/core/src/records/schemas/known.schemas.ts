import type { EntityManager } from '@mikro-orm/core';
import type { Database } from '../../database/database.js';
import { RecentEntries } from '../../limits/recent.entries.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';
import type { Session } from '../../visibility/session.js';
import { isSchemaName, schemasNamed } from './schema.name.js';

/** The schemas that tenants may have: names, patterns with `*`, or a function that knows them. */
export type AllowedSchemas = readonly string[] | ((name: string) => boolean | Promise<boolean>);

/** The time for which a schema that is there is believed to be there, in milliseconds. */
const freshFor = 5000;

/** The number of schemas that are remembered; any other is asked for anew. */
const remembered = 10_000;

const any: AllowedSchemas = ['*'];

/** The known schemas by database, so that the endpoints of an application ask once. */
const known = new WeakMap<Database, KnownSchemas>();

/** The schemas of tenants that are there. What is not is asked for again by each request: it may be made at any time. */
export class KnownSchemas {
  readonly #seen = new RecentEntries<string, number>(remembered);
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #isAllowed: (name: string) => boolean | Promise<boolean>;

  private constructor(
    private readonly database: Database,
    readonly allowed: AllowedSchemas,
  ) {
    this.#isAllowed =
      typeof allowed === 'function' ? allowed : schemasNamed(allowed, ownSchemas(database.orm.em));
  }

  /** The schemas of a database for whoever goes through all of them; undefined where tenants have none. */
  static of(database: Database): KnownSchemas | undefined {
    return known.get(database);
  }

  static on(database: Database, allowed: AllowedSchemas = any): KnownSchemas {
    const found = known.get(database);
    if (found?.allowed === allowed) return found;
    const made = new KnownSchemas(database, allowed);
    known.set(database, made);
    return made;
  }

  /**
   * True for a schema that is allowed and there.
   *
   * @param open opens the session that asks
   * @param maximumAge how long ago it may have been seen, in milliseconds
   */
  isKnown(name: unknown, open: () => Session, maximumAge = freshFor): boolean | Promise<boolean> {
    if (!isSchemaName(name)) return false;
    const seen = this.#seen.get(name);
    if (seen !== undefined && performance.now() - seen < maximumAge) return true;
    const asking = this.#asking.get(name) ?? this.#ask(name, open).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /** The schemas that are allowed and there, in the order of their names. */
  async all(session: Session): Promise<readonly string[]> {
    const rows = await session.run(this.#question(), {});
    const allowed: string[] = [];
    for (const [name] of rows) if (isSchemaName(name) && (await this.#isAllowed(name))) allowed.push(name);
    return allowed;
  }

  async #ask(name: string, open: () => Session): Promise<boolean> {
    if (!(await this.#isAllowed(name))) return false;
    const rows = await open().run(this.#question(name), {});
    if (rows.length === 0) this.#seen.delete(name);
    else this.#seen.set(name, performance.now());
    return rows.length > 0;
  }

  /** The question for schemas. One that the role of the connection may not look into is as good as not there. */
  #question(name?: string): Statement {
    const writer = new StatementWriter(this.database.dialect);
    writer.write(`select n.nspname::text from pg_catalog.pg_namespace n
      where pg_catalog.has_schema_privilege(n.oid, 'usage')`);
    if (name !== undefined) writer.write(` and n.nspname = ${writer.parameter(() => name)}`);
    return writer.write(' order by 1').finish();
  }
}

/** The schemas of the application itself: the one of the connection, MikroORM's, and those that entities say. */
export function ownSchemas(em: EntityManager): ReadonlySet<string> {
  const entities = [...em.getMetadata().getAll().values()];
  const names = [
    em.getPlatform().getDefaultSchemaName(),
    em.config.get('schema'),
    ...entities.map(({ schema }) => schema),
  ];
  return new Set(names.flatMap((name) => (name === undefined || name === '*' ? [] : name)));
}
