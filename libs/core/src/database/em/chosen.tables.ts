import { RecentEntries } from '../../limits/recent.entries.js';
import type { TableSql } from '../../sql/table.sql.js';

/** The number of schemas whose names of tables are kept; any other is written anew. */
const keptSchemas = 200;

/** The tables of the schemas that requests have chosen. */
export class ChosenTables {
  readonly #known = new RecentEntries<string, TableSql>(keptSchemas);

  /** @param tables those of MikroORM's configuration */
  constructor(private readonly tables: TableSql) {}

  /** The tables of a schema. @throws TypeError as {@link TableSql.in} */
  in(schema: string): TableSql {
    const { tables } = this;
    if (schema === tables.chosen) return tables;
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const chosen = tables.in(schema);
    this.#known.set(schema, chosen);
    return chosen;
  }
}
