import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { parentMissingMessage } from '../../model/validators/parent-exists.validator.js';
import { requiredMessage } from '../../model/validators/required.validator.js';
import { uniqueMessage } from '../../model/validators/unique.validator.js';
import { storedFields } from '../../metadata/stored.fields.js';
import {
  databaseCode,
  databaseReason,
  violationOf,
  type DatabaseReason,
} from '../../database/errors/database.error.js';
import type { Database } from '../../database/database.js';
import { parameterText } from '../../database/pool/text.query.js';
import type { ColumnValues, WriteRefusal } from '../record.store.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import { arrayLiteral } from '../../sql/array.literal.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';

/** The complaints about a column that the database blames, by the name clients know. */
const complaints = {
  unique: uniqueMessage,
  foreignKey: () => parentMissingMessage,
  notNull: requiredMessage,
  rule: () => 'value is refused by a rule of the database',
} satisfies Partial<Record<DatabaseReason, (columnName: string) => string>>;

/** The complaints about values that its type cannot have, by SQLSTATE (PostgreSQL, Appendix A: Class 22). */
const valueComplaints: ReadonlyMap<string | undefined, string> = new Map([
  ['22001', 'value is too long'],
  ['22003', 'value is out of range'],
  ['22008', 'value is out of range'],
  ['22021', 'value contains characters that cannot be stored'],
  ['22P05', 'value contains characters that cannot be stored'],
]);

/** Finds the columns that a refused write is about, by what the database and metadata know of the constraint. */
export class WriteBlame {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {}

  refusalOf(error: unknown): WriteRefusal | undefined {
    const reason = databaseReason(error);
    if (reason === 'value')
      return { mayBeExplained: false, complaintIn: (session, values) => this.#ofValue(session, values) };
    if (reason === undefined || !isKeyOf(complaints, reason)) return undefined;
    const complaint = complaints[reason];
    return {
      mayBeExplained: reason === 'unique' || reason === 'foreignKey',
      complaintIn: async (session, values) => {
        const columns = await this.#columnsOf(error, session, values);
        if (columns.length > 0) return { columns, complaint };
        // A rule of a type (a domain of PostgreSQL) belongs to no table.
        return reason === 'rule' ? this.#ofValue(session, values) : undefined;
      },
    };
  }

  async #columnsOf(error: unknown, session: Session, values: ColumnValues): Promise<readonly Column[]> {
    const { table, field, constraint, listed } = violationOf(error);
    const { meta } = this.model;
    if (listed !== undefined) return this.#withFields(fieldsIn(listed, meta.tableName));
    // Functions of the user's may have written to other tables in the same transaction.
    if (table !== undefined && table !== meta.tableName) return [];
    if (field !== undefined) return this.#withFields([field]);
    if (constraint !== undefined && this.database.dialect.hasCatalogue)
      return this.#withFields(await this.#fieldsOf(constraint, session));
    if (databaseReason(error) !== 'notNull') return [];
    return [...values].filter(([, value]) => value === null).map(([column]) => column);
  }

  /** In the order of the fields. */
  #withFields(fields: readonly string[]): readonly Column[] {
    const columns = [...this.model.columns.values()];
    return fields.flatMap((field) =>
      columns.filter(({ property }) => storedFields(property).includes(field)),
    );
  }

  /** The columns of a constraint, or of a unique index, which may be about expressions. */
  async #fieldsOf(constraint: string, session: Session): Promise<readonly string[]> {
    const { dialect } = this.database;
    const { tables } = session;
    const writer = new StatementWriter(dialect);
    const table = writer.parameter(() => tables.table(this.model.meta));
    const name = writer.parameter(() => constraint);
    writer.write(`select a.attname::text from pg_attribute a
      left join pg_constraint k on k.conrelid = a.attrelid and k.conname = ${name}
      left join pg_class i on i.relname = ${name} and i.relkind = 'i'
        and exists (select 1 from pg_index x where x.indexrelid = i.oid and x.indrelid = a.attrelid)
      where a.attrelid = to_regclass(${table}) and a.attnum > 0 and (a.attnum = any(k.conkey) or exists (
        select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = i.oid
          and d.refobjid = a.attrelid and d.refobjsubid = a.attnum))
      order by array_position(k.conkey, a.attnum), a.attnum`);
    const rows = await session.run(writer.finish(), {});
    return rows.map(([field]) => String(field));
  }

  /** Asks about each value, because the database does not say which one it was. */
  async #ofValue(session: Session, values: ColumnValues): ReturnType<WriteRefusal['complaintIn']> {
    if (!this.database.dialect.hasCatalogue) return undefined;
    for (const [column, value] of values) {
      const isElsewhere = column.type.storage === 'links';
      if (value === null || isElsewhere || column.conversion !== undefined) continue;
      const code = await this.#codeOf(session, column, value);
      if (code === undefined) continue;
      const message = valueComplaints.get(code) ?? complaints.rule();
      return { columns: [column], complaint: () => message };
    }
    return undefined;
  }

  /** The SQLSTATE with which the type of the column, as the database has it, refuses a value (PostgreSQL 16, 9.27.6). */
  async #codeOf(session: Session, column: Column, value: unknown): Promise<string | undefined> {
    const { dialect } = this.database;
    const { tables } = session;
    const writer = new StatementWriter(dialect);
    const text = writer.parameter(() => textOf(dialect.bind(column.type.toDatabase(value))));
    const table = writer.parameter(() => tables.table(this.model.meta));
    const field = writer.parameter(() => storedFields(column.property)[0]);
    writer.write(`select e.sql_error_code from pg_attribute a
      cross join lateral pg_input_error_info(${text}::text, format_type(a.atttypid, a.atttypmod)) e
      where a.attrelid = to_regclass(${table}) and a.attname = ${field}`);
    try {
      const [row] = await asked(session, writer.finish());
      const code = row?.[0];
      return typeof code === 'string' ? code : undefined;
    } catch (error) {
      if (mayRefuse(databaseReason(error))) return databaseCode(error);
      // Before PostgreSQL 16 nobody can tell.
      if (databaseCode(error) === '42883') return undefined;
      throw error;
    }
  }
}

/** A question that the database may refuse: in a part of its own of an open transaction, which goes on afterwards. */
function asked(session: Session, question: Statement): Promise<readonly Row[]> {
  const ask = (): Promise<readonly Row[]> => session.run(question, {});
  return session.isInTransaction ? session.transaction(ask) : ask();
}

function mayRefuse(reason: DatabaseReason | undefined): boolean {
  return reason === 'value' || reason === 'rule';
}

/** Writes a value as the database reads it. */
function textOf(value: unknown): unknown {
  return Array.isArray(value) ? arrayLiteral(value) : parameterText(value);
}

/** Reads the columns of one table from `table.column, table.column`. */
function fieldsIn(listed: string, table: string): string[] {
  return listed
    .split(', ')
    .filter((one) => one.startsWith(`${table}.`))
    .map((one) => one.slice(table.length + 1));
}

function isKeyOf<T extends object>(table: T, key: PropertyKey): key is keyof T {
  return Object.hasOwn(table, key);
}
