import type { DatabaseValue } from '../model/column.type.js';
import type { Dialect } from './dialect.js';

/** A finished statement: its text, and how the values of a request become its parameters. */
export interface Statement {
  readonly text: string;
  /** @param inputs the values the statement was written for, in the order its writer documents */
  bind(inputs: readonly unknown[]): unknown[];
}

/** SQL with `?` placeholders and its values, as MikroORM's query builder hands it over. */
export interface Fragment {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

type Slot = (inputs: readonly unknown[]) => unknown;

/** Writes a statement from left to right, so that parameters stand in the order of their placeholders. */
export class StatementWriter {
  #text = '';
  readonly #slots: Slot[] = [];

  constructor(readonly dialect: Dialect) {}

  write(text: string): this {
    this.#text += text;
    return this;
  }

  /** A placeholder, for the value that `slot` takes from a request's inputs. */
  parameter(slot: Slot): string {
    this.#slots.push(slot);
    return this.dialect.placeholder(this.#slots.length);
  }

  fragment({ sql, parameters }: Fragment): this {
    let position = 0;
    return this.write(
      replacePlaceholders(sql, () => {
        const value = this.dialect.bind(parameters[position++] as DatabaseValue);
        return this.parameter(() => value);
      }),
    );
  }

  finish(): Statement {
    const slots = [...this.#slots];
    return { text: this.#text, bind: (inputs) => slots.map((slot) => slot(inputs)) };
  }
}

const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\\\?|\?/g;

/** Replaces each `?` outside quotes; `\?` is an escaped question mark (an operator of PostgreSQL). */
function replacePlaceholders(sql: string, placeholder: () => string): string {
  return sql.replace(quotedOrPlaceholder, (token) => {
    if (token === '?') return placeholder();
    return token === String.raw`\?` ? '?' : token;
  });
}
