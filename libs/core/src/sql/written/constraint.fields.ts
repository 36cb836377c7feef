import type { EntityMetadata } from '@mikro-orm/core';
import type { StatementWriter } from '../statement.js';
import type { TableSql } from '../table.sql.js';

/** Writes the question for the columns of a constraint, or of a unique index, of an entity's table. */
export function writeConstraintFields(
  writer: StatementWriter,
  tables: TableSql,
  meta: EntityMetadata,
  constraint: string,
): void {
  const name = (): string => writer.parameter(() => constraint);
  if (writer.dialect.catalogue === 'information_schema') {
    const table = (): string => writer.parameter(() => meta.tableName);
    const schema = tables.chosen ?? meta.schema;
    const home = (): string => (schema === undefined ? 'database()' : writer.parameter(() => schema));
    writer.write(`select column_name, seq_in_index as place from information_schema.statistics
      where table_name = ${table()} and table_schema = ${home()} and index_name = ${name()}`);
    // Of a check the catalogue has the expression alone, in which every name is quoted.
    const same = writer.dialect.checksAreNamedIn === 'tables' ? ' and k.table_name = c.table_name' : '';
    writer.write(` union all select c.column_name, c.ordinal_position from information_schema.columns c
      join information_schema.check_constraints k on k.constraint_schema = c.table_schema${same}
      where c.table_name = ${table()} and c.table_schema = ${home()} and k.constraint_name = ${name()}
        and instr(k.check_clause, concat('\`', c.column_name, '\`')) > 0 order by place`);
    return;
  }
  const table = writer.parameter(() => tables.table(meta));
  const [one, other] = [name(), name()];
  // An index may be about expressions.
  writer.write(`select a.attname::text from pg_attribute a
    left join pg_constraint k on k.conrelid = a.attrelid and k.conname = ${one}
    left join pg_class i on i.relname = ${other} and i.relkind = 'i'
      and exists (select 1 from pg_index x where x.indexrelid = i.oid and x.indrelid = a.attrelid)
    where a.attrelid = to_regclass(${table}) and a.attnum > 0 and (a.attnum = any(k.conkey) or exists (
      select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = i.oid
        and d.refobjid = a.attrelid and d.refobjsubid = a.attnum))
    order by array_position(k.conkey, a.attnum), a.attnum`);
}
