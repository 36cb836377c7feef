import { arrayLiteral, type Item } from '../sql/array.literal.js';
import type { Row } from '../row.writer.js';

/** A connection of `pg`, as a query sees it that sends itself. */
export interface PgConnection {
  readonly stream: { cork?(): void; uncork?(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  execute(message: undefined): void;
  sync(): void;
}

/**
 * A query that `pg` sends in PostgreSQL's extended protocol (PostgreSQL, 54.2.3), and whose rows are the text that the
 * server sends. It does not ask for a description of them: whoever wrote the statement knows what it answers.
 */
export class TextQuery {
  readonly rows: Row[] = [];

  /**
   * @param name under which a connection prepares the statement; empty for a statement that is not prepared
   * @param values as {@link parameterText} makes them, because nothing may fail while a query is being sent
   * @param callback is called once `pg` is done; `pg` puts its own around it when queries have a time limit
   */
  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: readonly unknown[],
    public callback: (error: Error | null) => void,
  ) {}

  submit(connection: PgConnection): Error | null {
    const { name, text, values } = this;
    connection.stream.cork?.();
    try {
      if (!this.#isPrepared(connection)) {
        connection.parse({ name, text });
        if (name !== '' && connection.submittedNamedStatements !== undefined)
          connection.submittedNamedStatements[name] = text;
      }
      connection.bind({ statement: name, values });
      connection.execute(undefined);
      connection.sync();
    } finally {
      connection.stream.uncork?.();
    }
    return null;
  }

  handleDataRow({ fields }: { readonly fields: Row }): void {
    this.rows.push(fields);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleCommandComplete(): void {
    // The rows are all there is to know.
  }

  handleEmptyQuery(): void {
    // No statement of ours is empty.
  }

  #isPrepared({ parsedStatements, submittedNamedStatements }: PgConnection): boolean {
    const { name } = this;
    return (
      name !== '' &&
      (name in parsedStatements ||
        (submittedNamedStatements !== undefined && name in submittedNamedStatements))
    );
  }
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

/** What filters of MikroORM may bind: instants, lists, and JSON. */
function objectText(value: object): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayLiteral(value as readonly Item[]) : JSON.stringify(value);
}
