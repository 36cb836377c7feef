import type { Database } from '../../database/database.js';
import { knowsTimeZones } from '../../sql/groups/group.calculation.js';
import { StatementWriter } from '../../sql/statement.js';
import { Session } from '../../visibility/session.js';

/** The only one that is known everywhere. */
const universal = 'UTC';

const known = new WeakMap<Database, TimeZones>();

/** The time zones of a database, read once. A failure to read them is not kept. */
export class TimeZones {
  #names: Promise<ReadonlySet<string>> | undefined;

  private constructor(private readonly database: Database) {}

  static of(database: Database): TimeZones {
    const zones = known.get(database) ?? new TimeZones(database);
    known.set(database, zones);
    return zones;
  }

  async has(name: string): Promise<boolean> {
    if (name === universal) return true;
    if (!knowsTimeZones(this.database.dialect)) return false;
    this.#names ??= this.#read().catch((error: unknown) => {
      this.#names = undefined;
      throw error;
    });
    return (await this.#names).has(name);
  }

  async #read(): Promise<ReadonlySet<string>> {
    const writer = new StatementWriter(this.database.dialect).write('select name from pg_timezone_names');
    const rows = await new Session(this.database).run(writer.finish(), {});
    return new Set(rows.map(([name]) => String(name)));
  }
}
