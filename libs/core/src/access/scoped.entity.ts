import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { conversionOf } from '../metadata/suggested.column.js';
import type { ColumnType } from '../model/column.type.js';
import type { RequestFacts } from '../model/request.facts.js';
import { hasRoom } from '../model/values/has.room.js';
import { isStorable } from '../model/values/storable.text.js';
import type { Dialect } from '../sql/dialect.js';
import { RecentEntries } from '../limits/recent.entries.js';
import { Restriction, type PlainCondition } from '../sql/restriction.js';
import { comparedTypeOf, isComparable } from '../database/compared.column.js';
import { keyOf, PlainFilters, plainProperty } from '../database/plain.filter.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { NotAuthorized, NotFound } from '../wire/refusals.js';
import type { RecordScope, ScopeCondition } from './record.scope.js';

/** The longest text that a column without a length is compared with, in characters. */
const longestText = 1000;

/** The values whose restrictions are remembered, and the longest text among them in characters: clients choose some of these. */
const remembered = { values: 200, length: 64 };

/** A column that a scope is about, and what it is compared with. */
export interface ScopedColumn {
  readonly property: EntityProperty;
  readonly value: ScopeCondition['value'];
  readonly isText: boolean;
  readonly isOfSubject: boolean;
}

/** A scope of one rule on one entity. Made when the application starts; requests bring the values. */
export class ScopedEntity {
  readonly isSticky: boolean;
  readonly columns: readonly ScopedColumn[];
  readonly #otherwise: NonNullable<RecordScope['otherwise']>;
  readonly #types: readonly ColumnType[];
  /** The types that know how the column has a value; undefined where a type of the user's MikroORM says it. */
  readonly #spelling: readonly (ColumnType | undefined)[];
  readonly #plain: PlainFilters;
  /** Restrictions by what was compared: requests of one tenant have the same. */
  readonly #known = new RecentEntries<unknown, Restriction>(remembered.values);

  /**
   * @param owner how error messages call the rule
   * @throws ConfigurationError for a property that is no column of the entity's own table
   */
  constructor(
    private readonly owner: string,
    meta: EntityMetadata,
    { conditions, isSticky = false, otherwise = 'notAuthorized' }: RecordScope,
    dialect: Dialect,
  ) {
    this.isSticky = isSticky;
    this.#otherwise = otherwise;
    this.columns = conditions.map(({ propertyName, value, isText = false, isOfSubject = false }) => {
      const property = plainProperty(meta, propertyName);
      if (property !== undefined) return { property, value, isText, isOfSubject };
      const problem = `'${propertyName}' is no plain column of ${meta.className}`;
      throw new ConfigurationError(owner, 'scopeOf', problem);
    });
    this.#types = this.columns.map(({ property }) => comparedTypeOf(dialect, keyOf(property) ?? property));
    this.#spelling = this.columns.map(({ property }, index) =>
      conversionOf(keyOf(property) ?? property) === undefined ? this.#types[index] : undefined,
    );
    this.#plain = new PlainFilters(dialect);
  }

  /** The value of a column that records stay within. @throws NotAuthorized where the request has none that fits */
  ownValue(property: EntityProperty, request: RequestFacts): unknown {
    // What is compared is what the column has.
    const conditions = this.restriction(request)?.conditions;
    return conditions?.find((condition) => condition.property === property)?.given;
  }

  /** The conditions with the values of a request. @throws NotAuthorized where it has none that fits */
  bound(request: RequestFacts): readonly PlainCondition[] {
    return this.with(this.columns.map(({ value }) => value(request)));
  }

  /** The conditions with a value for each column. @throws NotAuthorized for one that does not fit */
  with(values: readonly unknown[]): readonly PlainCondition[] {
    return this.columns.map((column, index) => this.#bound(column, index, values[index]));
  }

  /** The records that these conditions let a request see; undefined for all. @throws NotAuthorized as {@link bound} does */
  restriction(request: RequestFacts): Restriction | undefined {
    const [column, ...others] = this.columns;
    if (column === undefined) return undefined;
    if (others.length > 0) return new Restriction({ conditions: this.bound(request) });
    const value = column.value(request);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const restriction = new Restriction({ conditions: [this.#bound(column, 0, value)] });
    if (this.#spelling[0] !== undefined && isRemembered(value)) this.#known.set(value, restriction);
    return restriction;
  }

  #given(index: number, value: unknown): unknown {
    const isText = this.columns[index]?.isText === true && typeof value === 'string';
    return isText ? this.#types[index]?.fromText(value) : value;
  }

  #bound({ property, isOfSubject, isText }: ScopedColumn, index: number, value: unknown): PlainCondition {
    const given = this.#given(index, value);
    // A path names a record as every lookup does: as the collation has it.
    const condition = this.#fits(property, index, given)
      ? this.#plain.comparison(property, this.#stored(index, given), !isText)
      : undefined;
    if (condition === undefined || given === null) throw this.#refusal(property);
    const told = isOfSubject ? { ...condition, isOfSubject } : condition;
    return this.isSticky ? { ...told, isSticky: true } : told;
  }

  /**
   * A value that fits, as the column has it: a UUID in small letters, a number without zeros that say nothing. SQLite and MariaDB
   * compare the letters, and a new record has this value.
   */
  #stored(index: number, given: unknown): unknown {
    const type = this.#spelling[index];
    if (type === undefined) return given;
    return Array.isArray(given) ? given.map((one) => storedOf(type, one)) : storedOf(type, given);
  }

  #refusal({ name }: EntityProperty): Error {
    const cause = new Error(`${this.owner}: the request has no value for '${name}'`);
    if (this.#otherwise === 'failure') return cause;
    return this.#otherwise === 'notFound' ? new NotFound({ cause }) : new NotAuthorized({ cause });
  }

  /**
   * True if a request can be told its records by a value: one that the column cannot hold would be an error of the database.
   * A rule that only shows compares a text with a number, and a list item by item, as the database does.
   */
  #fits(property: EntityProperty, index: number, value: unknown): boolean {
    const type = this.#types[index];
    if (!this.isSticky) return [value].flat().every((one) => type === undefined || isComparable(type, one));
    if (typeof value === 'string' && (value.length > (property.length ?? longestText) || !isStorable(value)))
      return false;
    if (value === undefined || value === null || type?.complaint(value) !== undefined) return false;
    const spelling = this.#spelling[index];
    return spelling === undefined || hasRoom(spelling, value);
  }
}

/** True for a value that is the same for who asks next: no list, whose items may change, and no long text. */
function isRemembered(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= remembered.length;
  return typeof value === 'number' || typeof value === 'boolean';
}

/** A rule that only shows may have a number for a text, or the other way around. Instants stay as they are said. */
function storedOf(type: ColumnType, value: unknown): unknown {
  const own = type.complaint(value) === undefined ? value : type.fromText(String(value));
  if (type.complaint(own) !== undefined) return value;
  const stored = type.toDatabase(own);
  return stored instanceof Date ? value : stored;
}
