import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../../database/database.js';
import { atMost } from '../../limits/bounded.wait.js';
import { storedField } from '../../metadata/stored.fields.js';
import { softEntityOf, type SoftEntity } from '../../model/soft/soft.entity.js';
import { StatementWriter } from '../../sql/statement.js';
import { Session } from '../../visibility/session.js';

/** The time that a start waits for the answer, in milliseconds. */
const patience = 2000;

/** The facts of the catalogue about the table of an entity whose records are deleted by a mark. */
interface TableFacts {
  /** Unique indexes of all rows, beside that of the key. */
  readonly uniques: readonly {
    readonly name: string;
    readonly definition: string;
    readonly isConstraint: boolean;
  }[];
  /** Policies that look at the mark of rows that are read. */
  readonly policies: readonly string[];
}

/**
 * Tells what tables of PostgreSQL have against a mark of deleted records: a sentence for each unique index that holds for deleted ones,
 * too, and for each policy that would refuse to set the mark. A database that cannot tell in time is not asked again.
 */
export async function softAdvice(database: Database): Promise<readonly string[]> {
  if (!database.dialect.hasCatalogue) return [];
  const all = [...database.orm.getMetadata().getAll().values()];
  const told: string[] = [];
  for (const meta of all) {
    const soft = meta === meta.root ? softEntityOf(meta) : undefined;
    if (soft === undefined) continue;
    const facts = await atMost(patience, factsOf(database, meta, soft), () => undefined);
    told.push(...sentences(database, meta, soft, facts));
  }
  return told;
}

function sentences(
  { dialect, tables }: Database,
  meta: EntityMetadata,
  soft: SoftEntity,
  facts: TableFacts | undefined,
): string[] {
  const { uniques = [], policies = [] } = facts ?? {};
  const field = dialect.quote(storedField(soft.property));
  const table = tables.table(meta);
  const among = soft.isUniqueAmongLive ? uniques : [];
  return [
    ...among.map(({ name, definition, isConstraint }) => {
      const index = dialect.quote(name);
      const away = isConstraint ? `alter table ${table} drop constraint ${index}` : `drop index ${index}`;
      const about = `${meta.className}: ${name} is unique among deleted records, too, so that nobody can use the values of one again`;
      return `${about}; make it ${away}; ${definition} where ${field} is null; or say uniqueAmong: 'all'`;
    }),
    ...policies.map(
      (name) =>
        `${meta.className}: the policy ${name} looks at '${storedField(soft.property)}' of rows that are read, so that PostgreSQL refuses to delete (42501); leave it to endpoints to hide what is deleted`,
    ),
  ];
}

async function factsOf(database: Database, meta: EntityMetadata, soft: SoftEntity): Promise<TableFacts> {
  const writer = new StatementWriter(database.dialect);
  const table = `to_regclass(${writer.parameter(() => database.tables.table(meta))})`;
  const field = writer.parameter(() => storedField(soft.property));
  writer.write(`select json_build_object(
    'uniques', coalesce((select json_agg(json_build_object('name', c.relname, 'definition', pg_get_indexdef(i.indexrelid),
        'isConstraint', exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)) order by c.relname)
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ${table} and i.indisunique and not i.indisprimary and i.indpred is null), '[]'),
    'policies', coalesce((select json_agg(p.polname order by p.polname) from pg_policy p
      where p.polrelid = ${table} and p.polcmd in ('r', '*')
        and position(${field} in pg_get_expr(p.polqual, p.polrelid)) > 0), '[]'))::text`);
  const [row] = await new Session(database).run(writer.finish(), {});
  return JSON.parse(String(row?.[0])) as TableFacts;
}
