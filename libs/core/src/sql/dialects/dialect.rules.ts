/** Makes one parameter of a list of values, in the form that `serialize` gives it. */
export type ListParameter = (serialize: (values: readonly unknown[]) => unknown) => string;

/** Times as the database tells them: those of its processes may differ. */
export interface DatabaseClock {
  /** The time of the statement, comparable with instants that are stored. */
  readonly now: string;
  /** The time so many milliseconds later. */
  after(milliseconds: string): string;
  /**
   * Tests if a stored time is over, by the one that a new row gets, which is so many milliseconds from now: with nothing in it that
   * looks at a clock, because a distributed PostgreSQL lets no such thing into the condition of an upsert. Left out where that is
   * allowed.
   */
  isOver?(stored: string, renewed: string, milliseconds: string): string;
}

/** The rules of SQL by which one family of databases differs from others. */
export interface DialectRules {
  placeholder(position: number): string;
  asText(expression: string): string;
  /** The result of a calculation that is compared as a decimal number. */
  readonly asDecimal: (expression: string) => string;
  readonly asDouble: (expression: string) => string;
  /** The exact value in a form that JSON keeps. */
  asCursor(expression: string): string;
  /** Gives what a statement is to have for {@link asCursor}. Left out where that is compared as it is. */
  readonly fromCursor?: (value: string | number | null) => unknown;
  instant(date: Date): unknown;
  readonly backslash: string;
  /** The comparison with a pattern for which capital letters are small ones. */
  likeInAnyCase(expression: string, pattern: string): string;
  /**
   * Tests if a value is in a list that is one parameter; left out where that cannot be said.
   * @param width of the span of instants that are written alike, in milliseconds; 0 for other values
   */
  among?(expression: string, width: number, parameter: ListParameter): string;
  /**
   * True if texts are compared with a decimal number exactly where there is one of them, and in double precision where there are
   * several: behind `in` and `between`.
   */
  readonly roundsLists?: true;
  /** True if a page and its count are one statement, where the count is only made when the page is full. */
  readonly countsWithPage: boolean;
  /** True if an index finds what a comparison of rows is about, `(a, b) > (1, 2)`. */
  readonly comparesRows: boolean;
  /** True if a sub-select of a `from` may look at what stands before it. */
  readonly hasLateral: boolean;
  /** The text that keeps a sub-select of `exists` out of the search for an order of joins; empty where there is no such. */
  readonly apart: string;
  /** The text around a sub-select behind `in`, which may have a limit. */
  readonly within: readonly [begin: string, end: string];
  /** Left out where values of every type come in the order of their texts or numbers. */
  ranked?(expression: string, columnType: string): string;
  /**
   * The column that tells one version of a row from the next, where a statement that has waited for a row writes the newest one, and
   * its sub-selects still see what there was before. Left out where no such row is written: of SQLite, which has one writer, and of
   * MariaDB, which locks the row before it reads what its sub-selects say.
   */
  readonly rowVersion?: string;
  /** The isolation in which each statement of a transaction sees what others have committed. Left out where that is the usual one. */
  readonly isolation?: 'read committed';
  /** True if policies of the database can hide rows from roles. */
  readonly hasRowLevelSecurity: boolean;
  /** True if a select can leave out the rows that others have locked, `for update skip locked`. */
  readonly skipsLocked: boolean;
  /** The catalogue that knows the columns of constraints: PostgreSQL's own, or the standard's; undefined for none. */
  readonly catalogue: 'pg_catalog' | 'information_schema' | undefined;
  /** The things among which `information_schema` has one check of a name. Left out without that catalogue. */
  readonly checksAreNamedIn?: 'tables' | 'schemas';
  /**
   * The words by which `insert` tells what becomes of a row that is there, where writes answer with `returning`; undefined
   * where they do not.
   */
  readonly upsert: 'on conflict' | 'on duplicate key' | undefined;
  /**
   * The answers of statements that write, by `returning`:
   *
   * - `full`: every write, with columns of what the written row refers to;
   * - `plain`: what inserts and deletes, with columns of the row itself. A row is changed by an insert of it as it is, `on
   *   duplicate key update`: only that answers;
   * - `none`: no write.
   */
  readonly returning: 'full' | 'plain' | 'none';
  /** The clock of the database, where answers are kept. */
  readonly clock?: DatabaseClock;
  /** The text that turns a select into a statement that tells its estimated number of rows. */
  readonly explain?: string;
  /** Tests if a stored value is another than a new one, null or not. Left out for the words of the standard. */
  differs?(stored: string, value: string, columnType: string): string;
  /** The types whose equal values may be written in different ways, so that {@link differs} says nothing of them. */
  readonly incomparable?: RegExp;
  /** The types of which {@link differs} finds every difference. Left out for all. */
  readonly comparable?: RegExp;
  /** The types whose values are read as text because the driver takes long to read them. */
  readonly slowTypes?: RegExp;
  /** The digits of a second that a column of instants keeps which says nothing of them. */
  readonly secondDigits: number;
  /** Left out where the drivers bind booleans. */
  boolean?(value: boolean): unknown;
  /** Left out where a formula has the type of its result. */
  computed?(expression: string, columnType: string): string;
  /**
   * Gives a parameter of a select the type that a column would give it; undefined for a type that is not known by a plain
   * name. Left out where parameters need none.
   */
  cast?(placeholder: string, columnType: string): string | undefined;
  /** Left out where drivers and MikroORM keep every integer as it is. */
  readonly roundsIntegers?: true;
}

export const standard: DialectRules = {
  placeholder: () => '?',
  asText: (expression) => `cast(${expression} as varchar)`,
  asDecimal: (expression) => `cast(${expression} as numeric)`,
  asDouble: (expression) => `cast(${expression} as double precision)`,
  asCursor: (expression) => `cast(${expression} as varchar)`,
  instant: (date) => date,
  secondDigits: 6,
  backslash: String.raw`'\'`,
  likeInAnyCase: (expression, pattern) => `${expression} like ${pattern}`,
  countsWithPage: false,
  comparesRows: true,
  hasLateral: false,
  within: ['(', ')'],
  hasRowLevelSecurity: false,
  skipsLocked: false,
  catalogue: undefined,
  upsert: undefined,
  returning: 'none',
  apart: '',
};

/** The last instant that ISO 8601 writes with four digits of the year. */
export const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');
