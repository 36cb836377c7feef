import { DriverException, TableNotFoundException, ValidationError } from '@mikro-orm/core';
import { Conflict, RefusedValue, ServiceUnavailable, type Refusal } from '../../wire/refusals.js';
import { ConnectionFailure, LostConnection } from './connection.failure.js';
import { TryAgain } from './try.again.js';
import { isForeignText, mariaDbCode, violationOfMySql } from './mysql.error.js';
import { handedOver, isPolicyInWords, lostCommit, violationInWords } from './worker.error.js';

/**
 * The reasons for which a database refuses a statement, by its SQLSTATE (PostgreSQL, Appendix A), the driver's own code
 * (SQLite, MySQL) or the operating system's.
 */
const reasons = {
  unique: /^(?:23505|SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID)|ER_DUP_ENTRY(?:_WITH_KEY_NAME)?)$/,
  foreignKey: /^(?:23503|SQLITE_CONSTRAINT_FOREIGNKEY|ER_NO_REFERENCED_ROW(?:_2)?)$/,
  stillInUse: /^(?:23001|ER_ROW_IS_REFERENCED(?:_2)?)$/,
  notNull: /^(?:23502|SQLITE_CONSTRAINT_NOTNULL|ER_BAD_NULL_ERROR|ER_NO_DEFAULT_FOR_FIELD)$/,
  rule: /^(?:23514|23P01|44000|SQLITE_CONSTRAINT_(?:CHECK|DATATYPE|TRIGGER)|ER_CHECK_CONSTRAINT_VIOLATED|ER_CONSTRAINT_FAILED)$/,
  value:
    /^(?:22...|54...|SQLITE_(?:MISMATCH|TOOBIG)|ER_DATA_TOO_LONG|ER_WARN_DATA_OUT_OF_RANGE|ER_TRUNCATED_WRONG_VALUE(?:_FOR_FIELD)?|ER_NET_PACKET_TOO_LARGE)$/,
  /** The database has undone it, and asks to be tried again (PostgreSQL, 13.2.3 and 13.3.4). */
  transient: /^(?:40001|40P01|ER_LOCK_DEADLOCK|ER_CHECKREAD)$/,
  unavailable:
    /^(?:08...|25006|25P0[34]|28...|3D000|53...|55P03|57014|57P0.|ECONN.*|EPIPE|EPROTO|ERR_SSL_.*|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST.*|ENET.*|SQLITE_(?:BUSY|LOCKED|FULL|NOMEM|CANTOPEN|IOERR|READONLY|INTERRUPT)(?:_.*)?|ER_(?:LOCK_WAIT_TIMEOUT|CLIENT_INTERACTION_TIMEOUT|CON_COUNT_ERROR|TOO_MANY_USER_CONNECTIONS|QUERY_TIMEOUT|STATEMENT_TIMEOUT|QUERY_INTERRUPTED|CONNECTION_KILLED|READ_ONLY_MODE|SERVER_SHUTDOWN|DISK_FULL|RECORD_FILE_FULL|OPTION_PREVENTS_STATEMENT)|PROTOCOL_CONNECTION_LOST)$/,
} as const satisfies Record<string, RegExp>;

export type DatabaseReason = keyof typeof reasons;

const names = Object.keys(reasons) as DatabaseReason[];

/** The reason behind an error of a driver, however MikroORM wrapped it; undefined for other errors. */
export function databaseReason(error: unknown): DatabaseReason | undefined {
  if (isFailedConnection(error) || isLostCommit(error)) return 'unavailable';
  // What the database said before is only the cause of it.
  if (causesOf(error).some((cause) => cause instanceof TryAgain)) return 'transient';
  const code = databaseCode(error);
  const reason = code === undefined ? undefined : reasonOfCode(code, error);
  // What was judged already says nothing of values any more.
  if (error instanceof ServiceUnavailable) return reason === 'transient' ? reason : 'unavailable';
  return reason;
}

/** True if a statement compared a column of MariaDB or MySQL with a text that the column cannot have. */
export function isOfForeignText(error: unknown): boolean {
  return causesOf(error).some(isForeignText);
}

function reasonOfCode(code: string, error: unknown): DatabaseReason | undefined {
  if (isOfForeignText(error) || (valueAlone.test(code) && isOfParameter(error))) return 'value';
  return names.find((name) => reasons[name].test(code));
}

/** The SQLSTATEs of syntax and names, with which some types refuse a text: `ltree`, `tsquery`, `regclass`, `regconfig`. */
const foreignValue = /^42(?:601|602|704|883|P01)$/;

/** The SQLSTATEs of those texts but that of a setting which is not there: whoever reads one, such as a policy, needs it. */
const valueAlone = /^42(?:601|602|883|P01)$/;

/** True if the type of a column may have refused its value, where a statement has values in its text, as those of MikroORM do. */
export function mayBeOfForeignValue(error: unknown): boolean {
  return foreignValue.test(databaseCode(error) ?? '');
}

/** True if a server refused the value of a parameter: what it refuses in a statement, or in a function's, has a place in its text. */
function isOfParameter(error: unknown): boolean {
  const places = ['position', 'internalPosition', 'internalQuery'] as const;
  if (places.some((place) => textOf(error, place) !== undefined)) return false;
  const routine = textOf(error, 'routine');
  return routine !== undefined && routine !== 'exec_stmt_raise' && routine !== handedOver;
}

/** True if a worker of Citus was lost while a transaction was committed: nobody knows if it was. Much else has the same code. */
function isLostCommit(error: unknown): boolean {
  return databaseCode(error) === 'XX000' && textOf(error, 'routine') === lostCommit;
}

/** The SQLSTATE or the driver's own code. */
export function databaseCode(error: unknown): string | undefined {
  return causesOf(error).map(mariaDbCode).find(Boolean) ?? textOf(error, 'code');
}

/** True if a row was refused by a policy. A role that lacks a grant has the same code. */
export function isRowSecurityViolation(error: unknown): boolean {
  if (databaseCode(error) !== '42501') return false;
  const routine = textOf(error, 'routine');
  return routine === 'ExecWithCheckOptions' || (routine === handedOver && isPolicyInWords(ownWords(error)));
}

/** True if the columns of a prepared statement are no longer those it was prepared with. Much else has the same code. */
export function isChangedResult(error: unknown): boolean {
  return databaseCode(error) === '0A000' && textOf(error, 'routine') === 'RevalidateCachedQuery';
}

/**
 * True if a server does not know the name of a statement, or has another one by it: a pooler hands each transaction another
 * connection (SQLSTATE, PostgreSQL Appendix A).
 */
export function isLostName(error: unknown): boolean {
  const code = databaseCode(error);
  return code === '26000' || code === '42P05';
}

/** True if a parameter of a prepared statement has a type that is dropped by now, as a migration may do it. */
export function isLostType(error: unknown): boolean {
  return databaseCode(error) === 'XX000' && textOf(error, 'routine') === 'getTypeInputInfo';
}

/**
 * True if a driver could not reach its database, or lost it. The place where that shows itself makes it a
 * ConnectionFailure.
 */
export function isFailedConnection(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof ConnectionFailure);
}

/**
 * True if a statement failed for its connection. Only for errors that statements throw. An error of the database has a
 * code, a mistake in what was asked has a class of its own. A driver that has lost the connection has nothing but a
 * sentence.
 */
export function isConnectionLost(error: unknown): boolean {
  if (isFailedConnection(error)) return true;
  return isPlain(error) && databaseCode(error) === undefined;
}

/** True if the connection was given up for an answer that took too long. `pg` has nothing but its sentence for that. */
export function isUnanswered(error: unknown): boolean {
  return causesOf(error).some(({ message }) => message === 'Query read timeout');
}

/** Gives the error of a statement, as a lost connection where it was that. */
export function lostConnectionOr<E>(error: E): E | LostConnection {
  const isTold = error instanceof ConnectionFailure || !isConnectionLost(error);
  return isTold ? error : new LostConnection(error);
}

/** Errors of sockets may be of another realm than ours, of which `instanceof` knows nothing. */
function isPlain(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return (Object.getPrototypeOf(error) as object | null)?.constructor.name === 'Error';
}

/** An error, what caused it, and so on. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; isError(cause) && !chain.includes(cause); cause = cause.cause) chain.push(cause);
  return chain;
}

/** True if a value is an error, of this realm or of another one, as those of sockets may be. */
function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}

/** The words of what an error was caused by in the first place. */
export function firstReason(error: unknown): string {
  return causesOf(error).findLast(({ message }) => message !== '')?.message ?? '';
}

/** A property of an error or, where it was wrapped, of its cause. */
function textOf(
  error: unknown,
  property:
    | 'code'
    | 'column'
    | 'constraint'
    | 'detail'
    | 'internalPosition'
    | 'internalQuery'
    | 'message'
    | 'position'
    | 'routine'
    | 'schema'
    | 'table',
): string | undefined {
  for (const cause of causesOf(error)) {
    const text: unknown = Reflect.get(cause, property);
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/**
 * Describes an error for the log. A database quotes values, even whole rows, in its messages of classes 22 and 23, and
 * MikroORM those that it refuses.
 */
export function loggable(error: unknown): { readonly reason: string; readonly stack: string | undefined } {
  if (!(error instanceof Error)) return { reason: `a ${typeof error} was thrown`, stack: undefined };
  if (isMissingTable(error, databaseCode(error)))
    return { reason: `${error.message} (${makeTables})`, stack: error.stack };
  const hidden = hiddenReason(error);
  if (hidden === undefined) return { reason: error.message, stack: error.stack };
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { reason: hidden, stack: frames?.join('\n') };
}

/** Gives the text to say instead of a message that may quote values. */
function hiddenReason(error: Error): string | undefined {
  const code = databaseCode(error);
  if (code !== undefined && /^2[23]...$/.test(code)) {
    const constraint = textOf(error, 'constraint');
    const which = constraint === undefined ? '' : `, constraint ${constraint}`;
    return `the database refused values (SQLSTATE ${code}${which})`;
  }
  const refused = causesOf(error).findLast(isOfMikroOrm);
  if (refused === undefined || code !== undefined || isFailedConnection(error)) return undefined;
  const [, property] = /^Value for ([\w$]+\.[\w$]+) is required, /.exec(refused.message) ?? [];
  if (property !== undefined && refused instanceof ValidationError) return unfilled(property);
  return `MikroORM refused what it was given (${refused.name}); its own words may quote values`;
}

function unfilled(property: string): string {
  const ways = 'name it in writeableColumnNames, or give it a default, an onCreate or a value in beforeSave';
  return `${property} must have a value, and nothing gives it one: ${ways}`;
}

function isOfMikroOrm(error: Error): boolean {
  return error instanceof ValidationError || error instanceof DriverException;
}

const makeTables =
  'make the tables: `await orm.schema.update()` while you develop, else Migrations or the migrations of MikroORM';

/** True if the error is about a table that nobody has made. */
function isMissingTable(error: Error, code: string | undefined): boolean {
  if (code === '42P01' || code === 'ER_NO_SUCH_TABLE') return true;
  if (error instanceof TableNotFoundException) return true;
  // SQLite has one code for whatever is wrong with a statement.
  return (
    code === 'SQLITE_ERROR' && causesOf(error).some(({ message }) => message.startsWith('no such table: '))
  );
}

/** The facts that a database tells of the constraint that a statement violated. */
export interface Violation {
  readonly schema: string | undefined;
  readonly table: string | undefined;
  /** The column itself, where a null is refused. */
  readonly field: string | undefined;
  readonly constraint: string | undefined;
  /** The fields of a foreign key that was refused, as PostgreSQL lists them: not to senders who may not read the row. */
  readonly key: string | undefined;
  /** On SQLite instead of all this: its columns as `table.column, table.column`. */
  readonly listed: string | undefined;
}

export function violationOf(error: unknown): Violation {
  const inWords =
    textOf(error, 'routine') === handedOver ? violationInWords(databaseCode(error), ownWords(error)) : {};
  return {
    schema: textOf(error, 'schema'),
    table: textOf(error, 'table'),
    field: textOf(error, 'column'),
    constraint: textOf(error, 'constraint'),
    key: keyOf(error),
    listed: columnsOfSqlite(error),
    ...violationOfMySql(databaseCode(error), ownWords(error)),
    ...inWords,
  };
}

/** In every language the detail has `(columns)=(values)`. */
function keyOf(error: unknown): string | undefined {
  if (databaseCode(error) !== '23503') return undefined;
  return /\((.+?)\)=\(/s.exec(textOf(error, 'detail') ?? '')?.[1];
}

/** The message of the database itself: MikroORM puts the statement in front of it. */
function ownWords(error: unknown): string {
  return causesOf(error).at(-1)?.message ?? '';
}

/** SQLite names the columns in its message only; no property of the error has them. */
function columnsOfSqlite(error: unknown): string | undefined {
  if (databaseCode(error)?.startsWith('SQLITE_CONSTRAINT_') !== true) return undefined;
  return /^(?:UNIQUE|NOT NULL) constraint failed: (.+)$/.exec(ownWords(error))?.[1];
}

/** The answer to a database error that no column explains; undefined when nobody foresaw it. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof RefusedValue) return error;
  const reason = databaseReason(error);
  return reason === undefined ? undefined : refusals[reason](error);
}

const unavailable = (cause: unknown): Refusal => new ServiceUnavailable({ cause });
const refused = (cause: unknown): Refusal => new Conflict('The database refuses these values', { cause });
const inUse = (): Refusal => new Conflict('Other records still refer to this record');

const refusals = {
  unique: (cause) => new Conflict('A record with these values already exists', { cause }),
  foreignKey: inUse,
  stillInUse: inUse,
  notNull: refused,
  rule: refused,
  value: refused,
  transient: unavailable,
  unavailable,
} satisfies Record<DatabaseReason, (cause: unknown) => Refusal>;
