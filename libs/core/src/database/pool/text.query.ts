import { arrayLiteral, type Item } from '../../sql/array.literal.js';
import type { Row } from '../../sql/row.layout.js';
import { settingText } from '../transactions/session.text.js';
import type { PgConnection } from './pg.connection.js';
import { makeRoom } from './prepared.names.js';

/** The text and values that a {@link TextQuery} sends. */
export interface QueryText {
  /** Under which a connection prepares the statement; empty for a statement that is not prepared. */
  readonly name: string;
  /** True if it is prepared anew before PostgreSQL may keep a plan that knows no values. */
  readonly isRenewed: boolean;
  readonly text: string;
  /** The values as {@link parameterText} makes them, because nothing may fail while a query is being sent. */
  readonly values: readonly unknown[];
  /** Settings of the server that hold for this statement alone, by name. */
  readonly settings: readonly Setting[];
}

/** The name of a setting and its value. */
export type Setting = readonly [name: string, value: string];

/**
 * A query that `pg` sends in PostgreSQL's extended protocol (PostgreSQL, 54.2.3). Its rows are the text that the server
 * sends. It does not ask for their description: the author of the statement knows the answer.
 */
export class TextQuery {
  readonly rows: Row[] = [];
  readonly text: string;
  readonly #name: string;
  readonly #isRenewed: boolean;
  readonly #values: readonly unknown[];
  readonly #settings: readonly Setting[];
  /** True if the server's messages are about the settings that go before the statement. */
  #isBefore: boolean;

  /** @param callback is called once `pg` is done; `pg` puts its own around it when queries have a time limit */
  constructor(
    { name, isRenewed, text, values, settings }: QueryText,
    public callback: (error: Error | null) => void,
  ) {
    this.#name = name;
    this.#isRenewed = isRenewed;
    this.text = text;
    this.#values = values;
    this.#settings = settings;
    this.#isBefore = settings.length > 0;
  }

  /** The name that `pg` marks as prepared when the server says so: that of the statement, not of what goes before it. */
  get name(): string {
    return this.#isBefore ? '' : this.#name;
  }

  submit(connection: PgConnection): Error | null {
    const { text } = this;
    const name = this.#name;
    connection.stream.cork?.();
    try {
      const isNew = makeRoom(connection, name, this.#isRenewed);
      if (this.#settings.length > 0) this.#set(connection);
      if (isNew) parse(connection, name, text);
      connection.bind({ statement: name, values: this.#values });
      connection.execute(undefined);
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
    return null;
  }

  /** True if nothing was heard of the statement itself yet: an error is about its settings, or the connection. */
  get isBefore(): boolean {
    return this.#isBefore;
  }

  /**
   * Sets the settings of the statement. What is sent before one `sync` is one transaction (PostgreSQL, 54.2.3). So they end
   * with it, whatever becomes of the statement, and a pooler gives both to the same connection. The statement is parsed
   * behind them: a role and variables hold for it.
   */
  #set(connection: PgConnection): void {
    const settings = this.#settings;
    connection.parse({ name: '', text: settingText(settings.length) });
    connection.bind({ statement: '', values: settings.flat() });
    connection.execute(undefined);
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    if (!this.#isBefore) this.rows.push(fields);
  }

  /** @param connection without it nothing was sent */
  handleError(error: Error, connection?: PgConnection): void {
    // `pg` has forgotten it by itself, but where the time limit before it is what failed.
    if (connection?.submittedNamedStatements !== undefined)
      Reflect.deleteProperty(connection.submittedNamedStatements, this.#name);
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleCommandComplete(): void {
    this.#isBefore = false;
  }

  handleEmptyQuery(): void {
    // No statement of ours is empty.
  }
}

/** Has a connection prepare a statement, unless it was told so already. */
function parse(connection: PgConnection, name: string, text: string): void {
  const { submittedNamedStatements } = connection;
  if (name !== '' && submittedNamedStatements !== undefined) {
    if (name in submittedNamedStatements) return;
    submittedNamedStatements[name] = text;
  }
  connection.parse({ name, text });
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
