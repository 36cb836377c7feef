/** Errors of MariaDB's own, by number and SQLSTATE: `mysql2` calls them what MySQL means by the number, or nothing. */
const mariaDbCodes: ReadonlyMap<string, string> = new Map([
  ['4025 23000', 'ER_CONSTRAINT_FAILED'],
  ['1969 70100', 'ER_STATEMENT_TIMEOUT'],
  ['1927 70100', 'ER_CONNECTION_KILLED'],
]);

/** The code of an error that MariaDB alone has; undefined for all others. */
export function mariaDbCode(error: Error): string | undefined {
  const { errno, sqlState } = error as { readonly errno?: unknown; readonly sqlState?: unknown };
  return typeof sqlState === 'string' ? mariaDbCodes.get(`${String(errno)} ${sqlState}`) : undefined;
}

/** A message about a comparison of a column with a value: those of parameters alone can be changed. */
const withValue = ',COERCIBLE)';

/**
 * True if a statement compares a column with a text that its character set does not have. About two columns of different collations
 * the database has the same code, but not the same words.
 */
export function isForeignText(error: Error): boolean {
  const code: unknown = Reflect.get(error, 'code');
  return /^ER_CANT_AGGREGATE_(?:2|3|N)COLLATIONS$/.test(String(code)) && error.message.includes(withValue);
}

/** The name of what a statement violated: of its column, or of a constraint. */
type Violated = Partial<Readonly<Record<'field' | 'constraint', string>>>;

/**
 * The place where a message names it. Drivers of MariaDB and MySQL have messages alone. What these quote of values stands before, so
 * that each pattern ends where its message does, or begins there.
 */
const places: readonly (readonly [code: string, kind: keyof Violated, pattern: RegExp])[] = [
  ['ER_DUP_ENTRY', 'constraint', /for key '(?:[^'.]+\.)?([^']+)'$/],
  ['ER_NO_REFERENCED_ROW_2', 'field', /FOREIGN KEY \(`([^`]+)`\) REFERENCES [^)]*\)[^()]*\)$/],
  ['ER_BAD_NULL_ERROR', 'field', /^Column '([^']+)' cannot be null$/],
  ['ER_NO_DEFAULT_FOR_FIELD', 'field', /^Field '([^']+)' doesn't have a default value$/],
  // A check of a column has its name.
  ['ER_CONSTRAINT_FAILED', 'field', /^CONSTRAINT `[^`]+\.([^`.]+)` failed for /],
  ['ER_CONSTRAINT_FAILED', 'constraint', /^CONSTRAINT `([^`.]+)` failed for /],
  ['ER_CHECK_CONSTRAINT_VIOLATED', 'constraint', /^Check constraint '([^']+)' is violated\.$/],
  ['ER_DATA_TOO_LONG', 'field', /^Data too long for column '([^']+)' at row \d+$/],
  ['ER_WARN_DATA_OUT_OF_RANGE', 'field', /^Out of range value for column '([^']+)' at row \d+$/],
  ['ER_TRUNCATED_WRONG_VALUE', 'field', / for column `[^`]+`\.`[^`]+`\.`([^`]+)` at row \d+$/],
  ['ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', 'field', / for column `[^`]+`\.`[^`]+`\.`([^`]+)` at row \d+$/],
];

/** Reads what a statement violated from the words of MariaDB or MySQL; nothing where they do not say it. */
export function violationOfMySql(code: string | undefined, words: string): Violated {
  for (const [known, kind, pattern] of places) {
    const name = known === code ? pattern.exec(words)?.[1] : undefined;
    if (name !== undefined) return { [kind]: name };
  }
  return {};
}
