import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import { isUnsetMark } from '../../model/soft/unset.mark.js';
import { parentMissingMessage } from '../../model/validators/parent-exists.validator.js';
import { requiredMessage } from '../../model/validators/required.validator.js';
import { uniqueMessage } from '../../model/validators/unique.validator.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { storedFields } from '../../metadata/stored.fields.js';
import {
  databaseCode,
  databaseReason,
  mayBeOfForeignValue,
  violationOf,
  type DatabaseReason,
} from '../../database/errors/database.error.js';
import type { Database } from '../../database/database.js';
import { parameterText } from '../../database/pool/text.query.js';
import type { ColumnValues, WriteRefusal } from '../record.store.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import { RefusedValue } from '../../wire/refusals.js';
import { arrayLiteral } from '../../sql/array.literal.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';
import { writeConstraintFields } from '../../sql/written/constraint.fields.js';

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
  ['ER_DATA_TOO_LONG', 'value is too long'],
  ['ER_WARN_DATA_OUT_OF_RANGE', 'value is out of range'],
  ['ER_TRUNCATED_WRONG_VALUE', 'value is out of range'],
  ['ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', 'value contains characters that cannot be stored'],
]);

/** Finds the columns that a refused write is about, by what the database and metadata know of the constraint. */
export class WriteBlame {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {}

  refusalOf(error: unknown): WriteRefusal | undefined {
    if (error instanceof RefusedValue) return this.#ofSubscriber(error);
    const reason = databaseReason(error);
    if (reason === 'value')
      return {
        mayBeExplained: false,
        complaintIn: async (session, values) => this.#ofNamed(error) ?? this.#ofValue(session, values),
      };
    if (reason === undefined && mayBeOfForeignValue(error))
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

  /** Undefined for a value of another record, which somebody has written beside it. */
  #ofSubscriber({ entity, columnName, message }: RefusedValue): WriteRefusal | undefined {
    const column = this.model.columns.get(columnName);
    if (column === undefined || entity !== this.model.meta.root.class) return undefined;
    const found = { columns: [column], complaint: () => message };
    return { mayBeExplained: false, complaintIn: () => Promise.resolve(found) };
  }

  /** The complaint about the column that the database names together with what is wrong with its value. */
  #ofNamed(error: unknown): Awaited<ReturnType<WriteRefusal['complaintIn']>> {
    const { field } = violationOf(error);
    const message = valueComplaints.get(databaseCode(error));
    const columns = field === undefined ? [] : this.#withFields([field]);
    return message === undefined || columns.length === 0 ? undefined : { columns, complaint: () => message };
  }

  async #columnsOf(error: unknown, session: Session, values: ColumnValues): Promise<readonly Column[]> {
    const { table, field, constraint, listed } = violationOf(error);
    const { meta } = this.model;
    if (listed !== undefined) return this.#withFields(fieldsIn(listed, meta.tableName));
    // Functions of the user's may have written to other tables in the same transaction.
    if (table !== undefined && table !== meta.tableName) return [];
    if (field !== undefined) return this.#withFields([field]);
    if (constraint !== undefined && this.database.dialect.catalogue !== undefined) {
      const fields = await this.#fieldsOf(constraint, session);
      const columns = this.#blamed(this.#withFields(fields));
      return isStillInUse(error, fields, columns, values) ? [] : columns;
    }
    if (databaseReason(error) !== 'notNull') return [];
    return [...values].filter(([, value]) => value === null).map(([column]) => column);
  }

  /** The columns without those of the partition, which all records of a request have in common: unless it is about them alone. */
  #blamed(columns: readonly Column[]): readonly Column[] {
    const parting = partingPropertiesOf(this.model.meta);
    const blamed = columns.filter(({ property }) => !parting.includes(property) && !isUnsetMark(property));
    return blamed.length === 0 ? columns : blamed;
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
    const writer = new StatementWriter(this.database.dialect);
    writeConstraintFields(writer, session.tables, this.model.meta, constraint);
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
      // Before PostgreSQL 16 nobody can tell.
      if (isMissingFunction(error)) return undefined;
      if (mayRefuse(databaseReason(error))) return databaseCode(error);
      throw error;
    }
  }
}

/** A question that the database may refuse: in a part of its own of an open transaction, which goes on afterwards. */
function asked(session: Session, question: Statement): Promise<readonly Row[]> {
  const ask = (): Promise<readonly Row[]> => session.run(question, {});
  return session.isInTransaction ? session.transaction(ask) : ask();
}

function isMissingFunction(error: unknown): boolean {
  return databaseCode(error) === '42883' && databaseReason(error) === undefined;
}

function mayRefuse(reason: DatabaseReason | undefined): boolean {
  return reason === 'value' || reason === 'rule';
}

/**
 * True if a foreign key keeps the key of a record, rather than one that the record has sent. PostgreSQL has one code for both, and
 * where records refer to others of their own table it also names the same table.
 */
function isStillInUse(
  error: unknown,
  fields: readonly string[],
  columns: readonly Column[],
  values: ColumnValues,
): boolean {
  if (databaseReason(error) !== 'foreignKey') return false;
  const { key } = violationOf(error);
  return key === undefined ? !columns.some((column) => values.has(column)) : key !== fields.join(', ');
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
