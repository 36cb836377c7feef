import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../database.js';
import { StatementWriter, type Statement } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';

/** A placeholder for the next value of a statement. */
type Next = () => string;

/** How many rows one statement sweeps, so that locks and logs stay small. */
export const batch = 1000;

/** The statements about answers that are kept. */
export interface KeptStatements {
  readonly claim: Statement;
  readonly keep: Statement;
  readonly find: Statement;
  readonly sweep: Statement;
}

/** Writes the statements about the table of kept answers, as it is among the tables of a schema. */
export function keptStatements(database: Database, meta: EntityMetadata, tables: TableSql): KeptStatements {
  const { dialect } = database;
  const field = (name: string): string => {
    const property = meta.props.find((one) => one.name === name);
    return dialect.quote(property?.fieldNames[0] ?? name);
  };
  const [id, request, status, data] = [field('id'), field('request'), field('status'), field('data')];
  const [entityTag, expiresAt] = [field('entityTag'), field('expiresAt')];
  const table = tables.table(meta);
  const kept = dialect.quote('kept');
  const locked = dialect.hasCatalogue ? ' for update skip locked' : '';
  const statement = (write: (next: Next) => string): Statement => {
    const writer = new StatementWriter(dialect);
    let position = 0;
    const text = write(() => {
      const index = position++;
      return writer.parameter(({ values }) => values?.[index]);
    });
    return writer.write(text).finish();
  };
  return {
    claim: statement(
      (next) => `insert into ${table} as ${kept} (${id}, ${request}, ${expiresAt})
        values (${next()}, ${next()}, ${next()})
        on conflict (${id}) do update set ${request} = excluded.${request}, ${expiresAt} = excluded.${expiresAt},
          ${status} = null, ${data} = null, ${entityTag} = null
        where ${kept}.${expiresAt} <= ${next()} returning 1 as claimed`,
    ),
    keep: statement(
      (next) => `update ${table} set ${status} = ${next()}, ${data} = ${next()}, ${entityTag} = ${next()}
        where ${id} = ${next()}`,
    ),
    find: statement(
      (next) => `select ${request}, ${status}, ${data}, ${entityTag} from ${table}
        where ${id} = ${next()} and ${expiresAt} > ${next()}`,
    ),
    sweep: statement(
      (next) => `delete from ${table} where ${id} in (
        select ${id} from ${table} where ${expiresAt} <= ${next()} limit ${batch}${locked}) returning 1 as swept`,
    ),
  };
}
