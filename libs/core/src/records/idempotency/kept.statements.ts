import type { EntityMetadata } from '@mikro-orm/core';
import type { Dialect } from '../../sql/dialect.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';

/** A placeholder for the next value of a statement. */
type Next = () => string;

/** The most rows that one statement sweeps, so that locks and logs stay small. */
export const batch = 1000;

/** The statements about answers that are kept. */
export interface KeptStatements {
  readonly claim: Statement;
  readonly keep: Statement;
  readonly find: Statement;
  readonly findLive: Statement;
  readonly sweep: Statement;
}

/** Writes the statements about the table of kept answers, as it is among the tables of a schema. */
export function keptStatements(
  dialect: Dialect,
  clock: NonNullable<Dialect['clock']>,
  meta: EntityMetadata,
  tables: TableSql,
): KeptStatements {
  const field = (name: string): string => {
    const property = meta.props.find((one) => one.name === name);
    return dialect.quote(property?.fieldNames[0] ?? name);
  };
  const [id, request, expiresAt] = [field('id'), field('request'), field('expiresAt')];
  const answer = ['status', 'data', 'entityTag', 'recordKey'].map(field);
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
  const find = (next: Next): string =>
    `select ${request}, ${answer.join(', ')} from ${table} where ${id} = ${next()}`;
  return {
    claim: statement(
      (next) => `insert into ${table} as ${kept} (${id}, ${request}, ${expiresAt})
        values (${next()}, ${next()}, ${clock.after(next())})
        on conflict (${id}) do update set ${request} = excluded.${request}, ${expiresAt} = excluded.${expiresAt},
          ${answer.map((name) => `${name} = null`).join(', ')}
        where ${kept}.${expiresAt} <= ${clock.now} returning 1 as claimed`,
    ),
    keep: statement(
      (next) => `update ${table} set ${answer.map((name) => `${name} = ${next()}`).join(', ')}
        where ${id} = ${next()}`,
    ),
    find: statement(find),
    findLive: statement((next) => `${find(next)} and ${expiresAt} > ${clock.now}`),
    sweep: statement(
      () => `delete from ${table} where ${id} in (
        select ${id} from ${table} where ${expiresAt} <= ${clock.now} limit ${batch}${locked}) returning 1 as swept`,
    ),
  };
}
