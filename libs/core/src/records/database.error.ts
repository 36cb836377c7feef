import { Conflict, ServiceUnavailable, type Refusal } from '../wire/refusals.js';

/** Why a database refused a statement, by its SQLSTATE (PostgreSQL, Appendix A) or the driver's own code. */
const reasons = {
  unique: /^(?:23505|SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)|ER_DUP_ENTRY)$/,
  foreignKey:
    /^(?:23001|23503|SQLITE_CONSTRAINT_FOREIGNKEY|ER_(?:NO_REFERENCED_ROW|ROW_IS_REFERENCED)(?:_2)?)$/,
  rule: /^(?:22...|23502|23514|23P01|SQLITE_CONSTRAINT_(?:NOTNULL|CHECK|DATATYPE))$/,
  unavailable:
    /^(?:08...|57P0.|53...|57014|55P03|25006|40001|40P01|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|SQLITE_(?:BUSY|LOCKED|FULL|NOMEM|CANTOPEN|IOERR|READONLY|INTERRUPT)(?:_.*)?|ER_LOCK_(?:DEADLOCK|WAIT_TIMEOUT))$/,
} as const satisfies Record<string, RegExp>;

export type DatabaseReason = keyof typeof reasons;

/** The reason behind an error of a driver, however MikroORM wrapped it; undefined for other errors. */
export function databaseReason(error: unknown): DatabaseReason | undefined {
  const code = databaseCode(error);
  if (code === undefined) return undefined;
  return (Object.keys(reasons) as DatabaseReason[]).find((reason) => reasons[reason].test(code));
}

/** The SQLSTATE or the driver's own code. */
export function databaseCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Whether a row was refused by a policy: a role that lacks a grant has the same code. */
export function isRowSecurityViolation(error: unknown): boolean {
  return databaseCode(error) === '42501' && textOf(error, 'routine') === 'ExecWithCheckOptions';
}

/** A property of an error or, where MikroORM wrapped it, of its cause. */
function textOf(error: unknown, property: 'code' | 'constraint' | 'message' | 'routine'): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const text: unknown = Reflect.get(cause, property);
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/** What the log may say of an error: a database quotes values, even whole rows, in its messages of classes 22 and 23. */
export function loggable(error: unknown): { readonly reason: string; readonly stack: string | undefined } {
  if (!(error instanceof Error)) return { reason: `a ${typeof error} was thrown`, stack: undefined };
  const code = databaseCode(error);
  if (code === undefined || !/^2[23]...$/.test(code)) return { reason: error.message, stack: error.stack };
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { reason: `the database refused values (SQLSTATE ${code})`, stack: frames?.join('\n') };
}

/** The constraint that a statement violated: its name or, on SQLite, its columns as `table.column, table.column`. */
export function violatedConstraint(error: unknown): string | undefined {
  return textOf(error, 'constraint') ?? violatedColumns(error);
}

/** SQLite names the columns in its message only; no property of the error has them. */
function violatedColumns(error: unknown): string | undefined {
  if (databaseCode(error) !== 'SQLITE_CONSTRAINT_UNIQUE') return undefined;
  return /^UNIQUE constraint failed: (.+)$/.exec(textOf(error, 'message') ?? '')?.[1];
}

/** The answer to a database error that no column explains; undefined when nobody foresaw it. */
export function refusalOf(error: unknown): Refusal | undefined {
  switch (databaseReason(error)) {
    case 'unique':
      return new Conflict('A record with these values already exists');
    case 'foreignKey':
      return new Conflict('Other records still refer to this record');
    case 'rule':
      return new Conflict('The database refuses these values');
    case 'unavailable':
      return new ServiceUnavailable({ cause: error });
    default:
      return undefined;
  }
}
