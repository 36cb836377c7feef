import type { ColumnStorage } from './column.storage.js';
import { plainNumber } from './values/decimal.text.js';
import type { JsonSchema } from './json.schema.js';
import type { Operator } from './operator.js';
import type { RequestFacts } from './request.facts.js';
import type { TimeSpan } from './values/time.span.js';

/** A value as it is bound to a statement. A `Date` is an instant; the dialect writes it as its database does. */
export type DatabaseValue = string | number | bigint | boolean | Date | null;

/** What MikroORM's metadata knows of the database column behind a property. */
export interface ColumnFacts {
  /** The column's type without length, lower case, e.g. `smallint`, `character varying`. */
  readonly databaseType: string;
  readonly length?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** The values of an enum property. */
  readonly items?: readonly (string | number)[];
  /** What the database column alone suggests, for types that stand around another one. */
  readonly suggested?: ColumnType;
  /** Whether MikroORM keeps any JSON value in the property. */
  readonly holdsJson?: boolean;
  /** On a property that MikroORM keeps as a list in one database column, e.g. `text[]`. */
  readonly list?: ListFacts;
}

/** What MikroORM's metadata knows of a list in one database column. */
export interface ListFacts {
  /** What it knows of the items. */
  readonly items: ColumnFacts;
  /** The items of a list in the text the database has for it. */
  read(text: string): readonly unknown[];
  /** That text. */
  write(items: readonly DatabaseValue[]): string;
}

/**
 * What the values of a column are: how they are read, refused, stored and written. One class per type of the
 * contract; a user adds one by extending this class (or one of ours) and naming it in `defineColumns` or
 * `columnOverrides`. Instances hold no state of a request.
 */
export abstract class ColumnType {
  /** The contract's name of the type, e.g. `Integer`. */
  abstract readonly name: string;

  /** How the values are kept, which says what the database can do with them. Default: one value each. */
  readonly storage: ColumnStorage = 'scalar';

  /**
   * Whether the database keeps the values as text, so that `like` looks at them as they are. Default false: `like` makes
   * text of them first, whatever they are, e.g. an enum type of the database.
   */
  readonly isText: boolean = false;

  /** Whether the values are true and false, which `is` and `is not` then take beside null. */
  readonly isBoolean: boolean = false;

  /** Whether `transform_input_types` forces text to this type (contract: Integer, Float, Boolean, Timestamp). */
  readonly forcesText: boolean = false;

  /** `create` and `update` mark values the service sets itself; such columns cannot be writeable. */
  readonly setAutomatically: 'create' | 'update' | undefined = undefined;

  /** The search operators that make sense on this type. Default: those that {@link storage} allows. */
  readonly operators: readonly Operator[] | undefined = undefined;

  /** Whether records can be sorted by such values. Default: where {@link storage} allows it. */
  readonly isSortable: boolean | undefined = undefined;

  /** Whether an equality also meets values that are written the same, and how wide that is in milliseconds. */
  readonly equalityWidth: number = 0;

  /**
   * Whether the database must hand the value over as text, because a driver would parse or round it. Default: JSON and
   * lists alone.
   */
  readonly readAsText: boolean | undefined = undefined;

  /** What values are ordered by, for rules that compare those of two columns; undefined where none should. */
  readonly ordering: 'time' | 'number' | undefined = undefined;

  /** Claims of the authorization data that {@link fromRequest} takes, which tell senders of the same request apart. */
  readonly claimNames: readonly string[] = [];

  /** Why no endpoint can use a column of this type, in words that follow its name; undefined when it can. */
  readonly unusableBecause: string | undefined = undefined;

  /** JSON Schema of the values on the wire. */
  abstract readonly schema: JsonSchema;

  /** JSON Schema of the values that clients may send, where more is accepted than is written. Default: {@link schema}. */
  get inputSchema(): JsonSchema {
    return this.schema;
  }

  /** JSON Schema of the text that {@link forcesText} reads as a value of this type. */
  readonly textSchema: JsonSchema = { type: 'string' };

  /** Why a JSON value is not of this type, as the contract words it; undefined when it is. A null is never of a type. */
  abstract complaint(value: unknown): string | undefined;

  /** The JSON text of a value that the database or a driver handed over. Never called with null. */
  abstract toWire(value: unknown): string;

  /** Reads text of a query string or path. Text that is not of this type comes back as it is, for {@link complaint}. */
  fromText(text: string): unknown {
    return text;
  }

  /** The value to bind, for a value without a complaint. Default: the value; JSON text of what is kept as JSON. */
  toDatabase(value: unknown): DatabaseValue {
    return this.storage === 'scalar' ? (value as DatabaseValue) : JSON.stringify(value);
  }

  /**
   * The value an entity's property takes; MikroORM's own types convert it further. Default: {@link toDatabase}; of what
   * is kept as JSON the value.
   */
  toEntity(value: unknown): unknown {
    return this.storage === 'scalar' ? this.toDatabase(value) : value;
  }

  /** When a JSON value is, for a type whose {@link ordering} is time. */
  timeOf(_value: unknown): TimeSpan {
    throw new TypeError(`${this.name} values are not ordered by time`);
  }

  /** A JSON value as a decimal number without an exponent, for a type whose {@link ordering} is number. */
  numberOf(value: unknown): string {
    return typeof value === 'number' ? plainNumber(value) : String(value);
  }

  /**
   * The JSON value that the service gives this column of a new record; undefined when the request has none to give.
   * A column of a type with this method is set on Create and is never writeable.
   */
  fromRequest?(request: RequestFacts): unknown;

  /** Why a property cannot keep such values, which stops the start; undefined when it can. */
  misfit?(facts: ColumnFacts): string | undefined;

  /** This type, narrowed to what a database column can hold; a type that has nothing to narrow leaves it out. */
  narrow?(facts: ColumnFacts): ColumnType;

  /** A copy with other properties, of the same class: a type of the user's own that extends one of ours stays its own. */
  protected with(changes: Readonly<Record<string, unknown>>): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, changes);
  }
}
