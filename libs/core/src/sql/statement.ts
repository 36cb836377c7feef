import type { EntityProperty } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { SearchSetting } from '../model/columns/searched/search.sql.js';
import type { CursorValues } from '../query/query.plan.js';
import type { DatabaseValue } from '../model/column.type.js';
import type { ChangeOrigin } from './changes/change.origin.js';
import type { Dialect } from './dialect.js';
import type { Fragment, Restrictions } from './restriction.js';

/** The values that a request fills into a statement. A statement takes what it was written for. */
export interface StatementInputs {
  /** The values of the conditions, in their order. */
  readonly values?: readonly unknown[];
  readonly restrictions?: Restrictions;
  /** Sub-selects of keys that narrow the records, beside the conditions. */
  readonly narrowed?: readonly Fragment[];
  /** The page size; one record more is read, which tells whether there are more. */
  readonly limit?: number;
  readonly start?: number;
  readonly after?: CursorValues;
  /** The values that records are ranked by, in the order of the sorts. */
  readonly ranks?: readonly { readonly value?: unknown }[];
  /** The values of a row that is written, as they are bound. */
  readonly row?: ReadonlyMap<EntityProperty, unknown>;
  /** The values that the row gets instead where it is there already, as they are bound. */
  readonly changes?: ReadonlyMap<EntityProperty, unknown>;
  /** The JSON values they were made of. */
  readonly sent?: ReadonlyMap<Column, unknown>;
  /** The values of the conditions on what is measured of groups, in their order. */
  readonly measured?: readonly unknown[];
  /** The time zone of the spans of time that records are grouped by. */
  readonly timeZone?: string;
  /** The pattern of the values of a group. */
  readonly pattern?: string;
  /** The values of many rows that are written, as they are bound: a list for each set of columns. */
  readonly rows?: readonly (readonly ReadonlyMap<EntityProperty, unknown>[])[];
  /** The values by which many records are found that are written, as they are bound. */
  readonly keys?: readonly unknown[];
  /** The versions that each of them may be in; null where it is any. */
  readonly versions?: readonly (readonly unknown[] | null)[];
  /** The keys of the records whose related records are read. */
  readonly owners?: readonly unknown[];
  /** The origin of what is written, for the log of changes. */
  readonly origin?: ChangeOrigin;
  /** The settings of the server that hold for the statement, of the request alone. */
  readonly settings?: readonly SearchSetting[];
}

/** A finished statement: its text, and how the values of a request become its parameters. */
export interface Statement extends StatementTraits {
  readonly text: string;
  readonly bind: (inputs: StatementInputs) => unknown[];
}

/**
 * The way in which a statement may be prepared on a connection.
 *
 * - `kept`: once, because one plan is good for all values;
 * - `renewed`: again before PostgreSQL may keep a plan that knows no values, which makes a free search many times slower;
 * - `none`: it is sent whole each time.
 */
export type Preparation = 'kept' | 'renewed' | 'none';

/** The facts about a statement beside its text. */
export interface StatementTraits {
  readonly preparation: Preparation;
  /**
   * True if it reads one record by a unique value, or a few by their keys, so that it is over at once and may be sent
   * together with others.
   */
  readonly isLookup: boolean;
  /** True if some value goes to a type of the user's own, which wants it as MikroORM's driver gives it. */
  readonly needsDriver: boolean;
  /** The settings of the server that hold for the statement alone; empty for most. */
  readonly settings: readonly SearchSetting[];
}

export type Slot = (inputs: StatementInputs) => unknown;

const noSettings: readonly SearchSetting[] = [];

/** Writes a statement from left to right, so that parameters stand in the order of their placeholders. */
export class StatementWriter {
  #text = '';
  /**
   * The sources of the parameters. A number is the position of a condition, whose value is bound as it is; a property, that of the
   * row that is written.
   */
  readonly #slots: (Slot | number | EntityProperty)[] = [];
  #aliases = 0;
  #exists = 0;
  readonly #settings = new Map<string, string>();

  /** @param placeholder how parameters are written: as the dialect has them, or `?` for a {@link Fragment} */
  constructor(
    readonly dialect: Dialect,
    private readonly placeholder = (position: number): string => dialect.placeholder(position),
  ) {}

  write(text: string): this {
    this.#text += text;
    return this;
  }

  /** A placeholder, for the value that `slot` takes from a request's inputs. */
  parameter(slot: Slot): string {
    this.#slots.push(slot);
    return this.placeholder(this.#slots.length);
  }

  /** A placeholder for the value of the condition at a position, which is bound as it is. */
  value(position: number): string {
    this.#slots.push(position);
    return this.placeholder(this.#slots.length);
  }

  /** A placeholder for the value of a property in the row that is written. */
  written(property: EntityProperty): string {
    this.#slots.push(property);
    return this.placeholder(this.#slots.length);
  }

  /** The text of a fragment, whose values each request brings anew. */
  fragment(sql: string, of: (inputs: StatementInputs) => Fragment | undefined): this {
    let position = 0;
    return this.write(
      replacePlaceholders(sql, () => {
        const index = position++;
        return this.parameter((inputs) => this.dialect.bind(of(inputs)?.parameters[index] as DatabaseValue));
      }),
    );
  }

  /** Gives what `write` writes, for another place of the statement: where placeholders are numbered, order is free. */
  apart(write: (writer: this) => void): string {
    const before = this.#text;
    this.#text = '';
    write(this);
    const text = this.#text;
    this.#text = before;
    return text;
  }

  /** Counts one more `exists` of the statement. @returns their number, this one included */
  exists(): number {
    return ++this.#exists;
  }

  /** True once a search was written that has an index of its own. */
  isSearched = false;

  /** Has the statement sent with a setting. Of thresholds the lowest one holds, which lets everything through that another one does. */
  set([name, value]: SearchSetting): this {
    const known = this.#settings.get(name);
    if (known === undefined || Number(value) < Number(known)) this.#settings.set(name, value);
    return this;
  }

  /** An alias that the statement does not have yet: `e0`, `e1`, …. */
  alias(): string {
    return `e${this.#aliases++}`;
  }

  finish({
    preparation = 'none',
    isLookup = false,
    needsDriver = false,
  }: Partial<Omit<StatementTraits, 'settings'>> = {}): Statement {
    const slots = [...this.#slots];
    const { dialect } = this;
    const bind = (inputs: StatementInputs): unknown[] => {
      const values: unknown[] = [];
      for (const slot of slots)
        if (typeof slot === 'function') values.push(slot(inputs));
        else if (typeof slot === 'object') values.push(inputs.row?.get(slot));
        else {
          const value = (inputs.values?.[slot] ?? null) as DatabaseValue;
          // Numbers and texts are bound as they are, everywhere.
          const isPlain = typeof value === 'number' || typeof value === 'string';
          values.push(isPlain ? value : dialect.bind(value));
        }
      return values;
    };
    const settings = this.#settings.size === 0 ? noSettings : [...this.#settings];
    return { text: this.#text, bind, preparation, isLookup, needsDriver, settings };
  }
}

/**
 * The places that hide a question mark (PostgreSQL, 4.1: escape strings, dollar quotes and comments too), and question
 * marks.
 */
const quotedOrPlaceholder =
  /\b[eE]'(?:[^'\\]|\\.|'')*'|\$((?:[a-z_]\w*)?)\$.*?\$\1\$|--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\\\?|\?/gis;

/** Replaces each `?` outside quotes; `\?` is an escaped question mark (an operator of PostgreSQL). */
function replacePlaceholders(sql: string, placeholder: () => string): string {
  return sql.replace(quotedOrPlaceholder, (token) => {
    if (token === '?') return placeholder();
    return token === String.raw`\?` ? '?' : token;
  });
}

/** Writes the SQL as part of a {@link Fragment}, in which a question mark outside quotes is a placeholder. */
export function inFragment(sql: string): string {
  return sql.replace(quotedOrPlaceholder, (token) => (token === '?' ? String.raw`\?` : token));
}
