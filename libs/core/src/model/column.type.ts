import type { ColumnStorage } from './column.storage.js';
import { plainNumber } from './values/decimal.text.js';
import type { JsonSchema } from './json.schema.js';
import type { Operator } from './operator.js';
import type { RequestFacts } from './request.facts.js';
import type { SearchSql, VirtualExpression } from './columns/searched/search.sql.js';
import type { TimeSpan } from './values/time.span.js';

/** A value as it is bound to a statement. A `Date` is an instant; the dialect writes it as its database does. */
export type DatabaseValue = string | number | bigint | boolean | Date | null;

/**
 * The arithmetic of numbers: whole ones, whose sum is exact; decimals, whose sum and mean are; and floating-point ones, of
 * which neither is.
 */
export type Arithmetic = 'integer' | 'decimal' | 'float';

/** The facts that MikroORM's metadata has about the database column of a property. */
export interface ColumnFacts {
  /** The column's type without length, lower case, e.g. `smallint`, `character varying`. */
  readonly databaseType: string;
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** On a column of instants: the digits of a second that it keeps, where it says so. */
  readonly secondDigits?: number;
  /** On `char(n)`: what the database does with blanks at the end, which say nothing there. */
  readonly blanks?: 'fill' | 'cut';
  /** The values of an enum property. */
  readonly items?: readonly (string | number)[];
  /** The type that the database column alone suggests, for types that stand around another one. */
  readonly suggested?: ColumnType;
  /** True if the database looks into the JSON of such a column by an operator. */
  readonly looksIntoJson?: boolean;
  /** True if MikroORM keeps any JSON value in the property. */
  readonly holdsJson?: boolean;
  /** On a property that MikroORM keeps as a list in one database column, e.g. `text[]`. */
  readonly list?: ListFacts;
}

/** The facts that MikroORM's metadata has about a list in one database column. */
export interface ListFacts {
  /** The facts about the items. */
  readonly items: ColumnFacts;
  /** The items of a list in the text the database has for it. */
  read(text: string): readonly unknown[];
  /** Writes that text. */
  write(items: readonly DatabaseValue[]): string;
}

/**
 * The type of a column's values: how they are read, refused, stored and written. One class per type of the contract. A
 * user adds one by extending this class (or one of ours) and naming it in `defineColumns` or `columnOverrides`. Instances
 * hold no state of a request.
 */
export abstract class ColumnType {
  /** The contract's name of the type, e.g. `Integer`. */
  abstract readonly name: string;

  /** The way in which the values are kept. It decides what the database can do with them. Default: one value each. */
  readonly storage: ColumnStorage = 'scalar';

  /**
   * True if the database keeps the values as text, so that `like` compares them as they are. Default false: `like` makes
   * text of them first, e.g. of an enum type of the database.
   */
  readonly isText: boolean = false;

  /** True if the values are true and false. `is` and `is not` take these beside null then. */
  readonly isBoolean: boolean = false;

  /** True if `transform_input_types` forces text to this type (contract: Integer, Float, Boolean, Timestamp). */
  readonly forcesText: boolean = false;

  /** `create` and `update` mark values the service sets itself; such columns cannot be writeable. */
  readonly setAutomatically: 'create' | 'update' | undefined = undefined;

  /** The search operators that make sense on this type. Default: those that {@link storage} allows. */
  readonly operators: readonly Operator[] | undefined = undefined;

  /** True if records can be sorted by such values. Default: where {@link storage} allows it. */
  readonly isSortable: boolean | undefined = undefined;

  /**
   * The width of an equality, in milliseconds. An equality meets all values that are written the same. Default 0: one
   * value.
   */
  readonly equalityWidth: number = 0;

  /**
   * True if the database must give the value as text, because a driver would parse or round it. Default: JSON and lists
   * alone.
   */
  readonly readAsText: boolean | undefined = undefined;

  /** The order of the values, for rules that compare two columns; undefined where none should. */
  readonly ordering: 'time' | 'number' | undefined = undefined;

  /**
   * The arithmetic of the values: what their sum and their mean are. Undefined where they are not added up. Default:
   * undefined.
   */
  readonly arithmetic: Arithmetic | undefined = undefined;

  /**
   * True if the service sets the value of {@link fromRequest} with every Update that changes something, too. Default
   * false: a Create sets it, and an Update leaves it alone.
   */
  readonly isSetOnUpdate: boolean = false;

  /** Claims of the authorization data that {@link fromRequest} takes, which tell senders of the same request apart. */
  readonly claimNames: readonly string[] = [];

  /** The reason why no endpoint can use a column of this type, in words that follow its name; undefined when one can. */
  readonly unusableBecause: string | undefined = undefined;

  /**
   * True if what is written of a value changes while the record does not, such as a url that expires: then the version of a
   * record does not tell if an answer is still right. Default false.
   */
  readonly isFleeting: boolean = false;

  /** A search of PostgreSQL's with SQL of its own, which {@link operators} has the word for; undefined for most. */
  readonly search: SearchSql | undefined = undefined;

  /** The expression of a column that no property keeps; undefined for one that a property keeps. */
  readonly virtual: VirtualExpression | undefined = undefined;

  /** JSON Schema of the values on the wire. */
  abstract readonly schema: JsonSchema;

  /** JSON Schema of the values that clients may send, where more is accepted than is written. Default: {@link schema}. */
  get inputSchema(): JsonSchema {
    return this.schema;
  }

  /** JSON Schema of what a client may write in a path or a query string. Default: {@link schema}. */
  get wordSchema(): JsonSchema {
    return this.schema;
  }

  /** JSON Schema of the text that {@link forcesText} reads as a value of this type. */
  readonly textSchema: JsonSchema = { type: 'string' };

  /**
   * Gives the reason why a JSON value is not of this type, in the words of the contract; undefined when it is. Null is
   * never of a type.
   */
  abstract complaint(value: unknown): string | undefined;

  /**
   * The JSON text of a value that the database or a driver handed over; `null` for one that {@link schema} has no word for. Never
   * called with null.
   */
  abstract toWire(value: unknown): string;

  /** Reads text of a query string or path. Text that is not of this type comes back as it is, for {@link complaint}. */
  fromText(text: string): unknown {
    return text;
  }

  /**
   * A value that is not null as rows have it, of the JSON that the log of changes has for it. Default: its JSON text. Not asked where
   * {@link storage} is scalar.
   *
   * @param exact the same, with a number that JavaScript has no equal of as `JSON.rawJSON` has it
   */
  fromRecorded(json: unknown, exact: unknown = json): unknown {
    return JSON.stringify(exact);
  }

  /** The value to bind, for a value without a complaint. Default: the value; JSON text of what is kept as JSON. */
  toDatabase(value: unknown): DatabaseValue {
    return this.storage === 'scalar' ? (value as DatabaseValue) : JSON.stringify(value);
  }

  /** A value without a complaint as the column keeps it: with the digits that it has room for, say. Default: the value. */
  toKept(value: unknown): unknown {
    return value;
  }

  /**
   * The text by which equal values are known, of a value as {@link toDatabase}, rows and entities have it. Default: its JSON
   * text, or its own where it has none.
   */
  keyText(value: unknown): string {
    const text = this.toWire(value);
    return text === 'null' ? String(value) : text;
  }

  /**
   * The value an entity's property takes; MikroORM's own types convert it further. Default: {@link toDatabase}; of what
   * is kept as JSON the value.
   */
  toEntity(value: unknown): unknown {
    return this.storage === 'scalar' ? this.toDatabase(value) : value;
  }

  /** Gives the time of a JSON value, for a type whose {@link ordering} is time. */
  timeOf(_value: unknown): TimeSpan {
    throw new TypeError(`${this.name} values are not ordered by time`);
  }

  /** A JSON value as a decimal number without an exponent, for a type whose {@link ordering} is number. */
  numberOf(value: unknown): string {
    return typeof value === 'number' ? plainNumber(value) : String(value);
  }

  /**
   * The JSON value that the service gives this column of a new record; undefined when the request has none to give.
   * A column of a type with this method is set on Create and is never writeable; see {@link isSetOnUpdate}.
   */
  fromRequest?(request: RequestFacts): unknown;

  /** Gives the reason why a property cannot keep such values, which stops the start; undefined when it can. */
  misfit?(facts: ColumnFacts): string | undefined;

  /** This type, narrowed to what a database column can hold; a type that has nothing to narrow leaves it out. */
  narrow?(facts: ColumnFacts): ColumnType;

  /** A copy with other properties, of the same class: a type of the user's own that extends one of ours stays its own. */
  protected with(changes: Readonly<Record<string, unknown>>): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, changes);
  }
}
