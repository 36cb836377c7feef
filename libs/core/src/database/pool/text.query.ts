import { arrayLiteral, type Item } from '../../sql/array.literal.js';
import type { Row } from '../../sql/row.layout.js';
import { settingText } from '../transactions/session.text.js';
import type { PgConnection } from './pg.connection.js';
import { makeRoom } from './prepared.names.js';

/** Text and values that a {@link TextQuery} sends. */
export class QueryText {
  constructor(
    /** Under which a connection prepares the statement; empty for a statement that is not prepared. */
    readonly name: string,
    /** True if it is prepared anew before PostgreSQL may keep a plan that knows no values. */
    readonly isRenewed: boolean,
    readonly text: string,
    /** The values as {@link parameterText} makes them, because nothing may fail while a query is being sent. */
    readonly values: readonly unknown[],
    /** Is told of the columns of the rows before they come; undefined where somebody knows them. */
    readonly describes?: (fields: readonly DescribedField[]) => void,
  ) {}
}

/** A text, and the name under which a connection prepares it; empty where it is not prepared. */
type PreparedText = Pick<QueryText, 'name' | 'text'>;

/** A column of an answer, as the server describes it. */
export interface DescribedField {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The name of a setting and its value. */
export type Setting = readonly [name: string, value: string];

/** Statement, and the settings of the server that hold for it. */
export class QueryPart {
  constructor(
    readonly statement: QueryText,
    readonly settings: readonly Setting[],
  ) {}
}

/** Hears of the end of a query. @param error null where there was none */
type Settle = (error: Error | null) => void;

const none: readonly QueryPart[] = [];

/**
 * A query that `pg` sends in PostgreSQL's extended protocol (PostgreSQL, 54.2.3). Its rows are the text that the server
 * sends. It asks for their description where somebody reads them by their types; the author of a statement knows its answer.
 *
 * It has one statement or several, and settings go before each whose settings are others than those of the one before.
 * After an error the server skips those behind.
 */
export class TextQuery {
  /** Is called by `pg`, which puts its own around it when queries have a time limit. */
  callback: Settle;
  #parts: readonly QueryPart[];
  #end: Settle | undefined;
  /** The rows of each statement that the server is done with, until the query is over. */
  readonly answers = Array.of<readonly Row[]>();
  /** The rows of the next one. No literal: V8 may make those of one place in the old heap, where they keep what is in them. */
  #rows = Array.of<Row>();
  /** True if the server's messages are about the settings that go before the next statement. */
  #isBefore: boolean;

  /**
   * @param parts whose settings are of the same names, or one would hold for statements behind that do not set it
   * @param end is called once `pg` is done
   */
  constructor(parts: readonly QueryPart[], end: Settle) {
    this.#parts = parts;
    this.#end = end;
    const settle: Settle = (error) => {
      this.#settle(error);
    };
    this.callback = settle;
    const [first] = parts;
    this.#isBefore = first !== undefined && first.settings.length > 0;
  }

  /**
   * Has nothing left of the query once it is over. `pg` writes its own callback straight to the property where queries have a time
   * limit, which V8 makes in the old heap: what the query knows would stay until a full collection.
   */
  #settle(error: Error | null): void {
    const end = this.#end;
    this.#end = undefined;
    end?.(error);
    // `pg` says again what failed, and then the names of the parts are forgotten.
    if (error !== null) return;
    this.#parts = none;
    this.#rows = [];
    this.answers.length = 0;
  }

  /** The name that `pg` marks as prepared when the server says so, and its text: that of a statement, or of what goes before it. */
  get name(): string {
    return this.#told?.name ?? '';
  }

  get text(): string {
    return this.#told?.text ?? '';
  }

  /** The text that the server's messages are about. */
  get #told(): PreparedText | undefined {
    const part = this.#parts[this.answers.length];
    return part === undefined || !this.#isBefore ? part?.statement : settingOf(part);
  }

  /** True if the server was at settings: an error is about them, or the connection, and not about the next statement. */
  get isBefore(): boolean {
    return this.#isBefore;
  }

  /** The statement that the server's messages are about; undefined behind the last one. */
  get #current(): QueryText | undefined {
    return this.#parts[this.answers.length]?.statement;
  }

  /** True if settings go before a statement: those of the one before hold for it, too. */
  #isSet({ settings }: QueryPart, position: number): boolean {
    return settings.length > 0 && !isSame(settings, this.#parts[position - 1]?.settings);
  }

  submit(connection: PgConnection): Error | null {
    connection.stream.cork?.();
    try {
      // Nothing that fails may come before what closes a name: the server would skip it, and the name would stay.
      for (const { statement } of this.#parts) makeRoom(connection, statement.name, statement.isRenewed);
      for (const [position, part] of this.#parts.entries()) {
        const { statement, settings } = part;
        if (position === 0 ? this.#isBefore : this.#isSet(part, position)) {
          const { name, text } = settingOf(part);
          if (!isSubmitted(connection, name, text)) connection.parse({ name, text });
          connection.bind({ statement: name, values: settings.flat() });
          connection.execute(undefined);
        }
        const { name, text, values, describes } = statement;
        if (!isSubmitted(connection, name, text)) connection.parse({ name, text });
        connection.bind({ statement: name, values });
        if (describes !== undefined) connection.describe({ type: 'P', name: '' });
        connection.execute(undefined);
      }
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly DescribedField[] }): void {
    this.#current?.describes?.(fields);
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    if (!this.#isBefore) this.#rows.push(fields);
  }

  /** @param connection without it nothing was sent */
  handleError(error: Error, connection?: PgConnection): void {
    // `pg` has forgotten the one that failed by itself, but not those behind, nor where its time limit is what failed.
    if (connection?.submittedNamedStatements !== undefined)
      for (const part of this.#parts)
        for (const { name } of [part.statement, settingOf(part)])
          Reflect.deleteProperty(connection.submittedNamedStatements, name);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleCommandComplete(): void {
    if (this.#isBefore) {
      this.#isBefore = false;
      return;
    }
    this.answers.push(this.#rows);
    this.#rows = [];
    const next = this.#parts[this.answers.length];
    this.#isBefore = next !== undefined && this.#isSet(next, this.answers.length);
  }

  handleEmptyQuery(): void {
    // No statement of ours is empty.
  }
}

/**
 * The statement that sets the settings of what is sent next; prepared where that is. What is sent before one `sync` is one
 * transaction (PostgreSQL, 54.2.3). So they end with it, whatever becomes of the statements, and a pooler gives both to the same
 * connection. Statements are parsed behind them: a role and variables hold for them.
 */
function settingOf({ statement, settings: { length } }: QueryPart): PreparedText {
  return { name: statement.name === '' ? '' : `es${length}`, text: settingText(length) };
}

function isSame(settings: readonly Setting[], others: readonly Setting[] = []): boolean {
  if (settings === others) return true;
  return (
    settings.length === others.length &&
    settings.every(([name, value], index) => others[index]?.[0] === name && others[index][1] === value)
  );
}

/** True if the server knows a statement by its name, or will when it comes to what is sent now; it will from now on. */
function isSubmitted(
  { parsedStatements, submittedNamedStatements }: PgConnection,
  name: string,
  text: string,
): boolean {
  if (name === '') return false;
  if (name in parsedStatements) return true;
  if (submittedNamedStatements === undefined) return false;
  if (name in submittedNamedStatements) return true;
  submittedNamedStatements[name] = text;
  return false;
}

/** A parameter as it is sent: text; bytes stay as they are, and null stays null. */
export function parameterText(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value;
    case 'undefined':
      return null;
    case 'object':
      return value === null || Buffer.isBuffer(value) ? value : objectText(value);
    default:
      return String(value);
  }
}

/** Writes values that filters of MikroORM may bind: instants, lists, and JSON. */
function objectText(value: object): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayLiteral(value as readonly Item[]) : JSON.stringify(value);
}
