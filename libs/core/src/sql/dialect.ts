import type { EntityProperty } from '@mikro-orm/core';
import { BaseMySqlPlatform, BasePostgreSqlPlatform, SqlitePlatform } from '@mikro-orm/sql';
import type { AbstractSqlPlatform } from '@mikro-orm/sql';
import { storedType } from '../metadata/stored.fields.js';
import type { Column } from '../model/column.js';
import type { DatabaseValue } from '../model/column.type.js';
import type { Direction } from '../query/query.plan.js';
import {
  standard,
  type DatabaseClock,
  type DialectRules,
  type ListParameter,
} from './dialects/dialect.rules.js';
import { isMariaDb } from './dialects/mysql.family.js';
import { mariaDb, mySql } from './dialects/mysql.rules.js';
import { isLooseCollation } from './dialects/exact.text.js';
import { postgreSql } from './dialects/postgresql.rules.js';
import { sqlite } from './dialects/sqlite.rules.js';

/** Types whose values are text, or numbers that are exact in JavaScript, whoever reads them. */
const exactTypes =
  /^(?:text|citext|varchar|char|character(?: varying)?|smallint|int|integer|int[24]|(?:small)?serial)(?:\(\d+\))?$/;

/** Types that PostgreSQL compares with a pattern as they are. */
const textTypes = /^(?:\w+\.)?(?:(?:ci)?text|(?:var|bp)?char|character|name)\b/i;

const families = [
  [BasePostgreSqlPlatform, postgreSql],
  [BaseMySqlPlatform, mySql],
  [SqlitePlatform, sqlite],
] as const satisfies readonly (readonly [abstract new () => AbstractSqlPlatform, DialectRules])[];

/** The SQL of the database behind a MikroORM platform. */
export class Dialect {
  readonly #rules: DialectRules;

  constructor(readonly platform: AbstractSqlPlatform) {
    const rules = families.find(([family]) => platform instanceof family)?.[1] ?? standard;
    this.#rules = rules === mySql && isMariaDb(platform) ? mariaDb : rules;
  }

  get backslash(): string {
    return this.#rules.backslash;
  }

  /** The comparison with a pattern for which capital letters are small ones; in SQLite those of ASCII alone. */
  likeInAnyCase(expression: string, pattern: string): string {
    return this.#rules.likeInAnyCase(expression, pattern);
  }

  /** True if a page and its count are one statement, where the count is only made when the page is full. */
  get countsWithPage(): boolean {
    return this.#rules.countsWithPage;
  }

  /** True if an index finds what a comparison of rows is about, `(a, b) > (1, 2)`. */
  get comparesRows(): boolean {
    return this.#rules.comparesRows;
  }

  get hasLateral(): boolean {
    return this.#rules.hasLateral;
  }

  /** The text that keeps a sub-select of `exists` out of the search for an order of joins. */
  get apart(): string {
    return this.#rules.apart;
  }

  /** True if a list of values is one parameter, so that its length does not change the statement. */
  get bindsLists(): boolean {
    return this.#rules.among !== undefined;
  }

  /** True if exact values are each compared alone, because lists of them are compared in double precision. */
  get roundsLists(): boolean {
    return this.#rules.roundsLists === true;
  }

  /** The text around a sub-select behind `in`, which may have a limit. */
  get within(): DialectRules['within'] {
    return this.#rules.within;
  }

  /** The isolation in which a transaction sees what others have committed; undefined for the usual one. */
  get isolation(): DialectRules['isolation'] {
    return this.#rules.isolation;
  }

  /** The column that tells versions of a row apart; undefined where a statement sees one alone. */
  get rowVersion(): string | undefined {
    return this.#rules.rowVersion;
  }

  /** The value of a column in the order of its texts or numbers. */
  ranked(expression: string, { columnTypes }: EntityProperty): string {
    return this.#rules.ranked?.(expression, columnTypes[0] ?? '') ?? expression;
  }

  /** True if policies of the database can hide rows from roles. */
  get hasRowLevelSecurity(): boolean {
    return this.#rules.hasRowLevelSecurity;
  }

  /** True if a select can leave out the rows that others have locked. */
  get skipsLocked(): boolean {
    return this.#rules.skipsLocked;
  }

  /** True if its catalogue is PostgreSQL's, which knows the columns of constraints. */
  get hasCatalogue(): boolean {
    return this.#rules.catalogue === 'pg_catalog';
  }

  /** The catalogue that knows the columns of constraints; undefined for none. */
  get catalogue(): DialectRules['catalogue'] {
    return this.#rules.catalogue;
  }

  /** The things among which `information_schema` has one check of a name. */
  get checksAreNamedIn(): DialectRules['checksAreNamedIn'] {
    return this.#rules.checksAreNamedIn;
  }

  /** The words by which `insert` tells what becomes of a row that is there; undefined where it has none with `returning`. */
  get upsert(): DialectRules['upsert'] {
    return this.#rules.upsert;
  }

  /** True if the values of a column are read as text, whatever its type. */
  readsAsText({ property, conversion }: Pick<Column, 'property' | 'conversion'>): boolean {
    return conversion === undefined && this.#rules.slowTypes?.test(storedType(property)) === true;
  }

  /** The test that a stored value of a property is another than a new one. */
  differs(stored: string, value: string, property: EntityProperty): string {
    return (
      this.#rules.differs?.(stored, value, storedType(property)) ?? `${stored} is distinct from ${value}`
    );
  }

  /** True if {@link differs} finds every difference between values of a property's type. */
  comparesAll(property: EntityProperty): boolean {
    return this.#rules.comparable?.test(storedType(property)) ?? true;
  }

  /** True if {@link differs} tells values of every type apart. */
  get comparesEveryType(): boolean {
    return this.#rules.incomparable === undefined;
  }

  /** True if {@link differs} tells values of a property's type apart. */
  canCompare(property: EntityProperty): boolean {
    return this.#rules.incomparable?.test(storedType(property)) !== true;
  }

  /** The answers of statements that write. */
  get returning(): DialectRules['returning'] {
    return this.#rules.returning;
  }

  /** The text that turns a select into a statement that tells its estimated number of rows; undefined where there is none. */
  get explain(): string | undefined {
    return this.#rules.explain;
  }

  /** The clock of the database; undefined where answers are not kept. */
  get clock(): DatabaseClock | undefined {
    return this.#rules.clock;
  }

  quote(identifier: string): string {
    return this.platform.quoteIdentifier(identifier);
  }

  placeholder(position: number): string {
    return this.#rules.placeholder(position);
  }

  /** Makes the database hand a value over as text, so that no driver parses it. */
  asText(expression: string): string {
    return this.#rules.asText(expression);
  }

  /** The result of a calculation that is compared as a decimal number, without rounding. */
  asDecimal(expression: string): string {
    return this.#rules.asDecimal(expression);
  }

  /** The number as one of double precision. */
  asDouble(expression: string): string {
    return this.#rules.asDouble(expression);
  }

  /** The exact value in a form that JSON keeps, and that compares with the expression behind {@link fromCursor}. */
  asCursor(expression: string): string {
    return this.#rules.asCursor(expression);
  }

  /** The function that makes a parameter of what {@link asCursor} gave; undefined where that is one as it is. */
  get fromCursor(): DialectRules['fromCursor'] {
    return this.#rules.fromCursor;
  }

  /** The value of a formula, comparable with bound values of its property's type. */
  computed(expression: string, property: EntityProperty): string {
    return this.#rules.computed?.(expression, storedType(property)) ?? expression;
  }

  /** True if {@link cast} knows the type of a property. */
  canCast(property: EntityProperty): boolean {
    return this.cast('', property) !== undefined;
  }

  /** A parameter of a select with the type that the column of a property would give it; undefined where none is known. */
  cast(placeholder: string, property: EntityProperty): string | undefined {
    if (this.#rules.cast === undefined) return placeholder;
    return this.#rules.cast(placeholder, storedType(property));
  }

  /** True if an entity may have another integer than the database, because the driver rounded it. */
  rounds(value: unknown, property: EntityProperty): boolean {
    if (this.#rules.roundsIntegers !== true || !/int/i.test(storedType(property))) return false;
    return !Number.isSafeInteger(Number(value));
  }

  /** True if drivers hand the values of a column over in a form that is as good as {@link asCursor}. */
  readsExactly({ property, conversion }: Pick<Column, 'property' | 'conversion'>): boolean {
    if (conversion !== undefined || this.#rules.roundsIntegers === true) return false;
    return exactTypes.test(storedType(property));
  }

  /** The digits of a second that a column of instants keeps. */
  secondDigitsOf(property: EntityProperty): number {
    const said = /\((\d)\)/.exec(storedType(property))?.[1];
    return said === undefined ? this.#rules.secondDigits : Number(said);
  }

  /**
   * The value of a text column of ours as it is compared with a pattern, whatever type of PostgreSQL it has: as it is shown. A cast to
   * text leaves the indexes of a domain of texts in use.
   */
  asPatternText(expression: string, property: EntityProperty): string {
    if (!this.hasCatalogue || property.formula !== undefined) return expression;
    const type = storedType(property);
    // Before PostgreSQL 18 no pattern is compared with a text under a collation that takes other letters for the same.
    if (textTypes.test(type))
      return isLooseCollation(property.collation) ? `${expression} collate "default"` : expression;
    // A cast makes `10.0.0.1/32` of an address.
    return /^inet$/i.test(type) ? `abbrev(${expression})` : this.asText(expression);
  }

  bind(value: DatabaseValue): unknown {
    if (typeof value === 'boolean') return this.#rules.boolean?.(value) ?? value;
    return value instanceof Date ? this.#rules.instant(value) : value;
  }

  /** {@link DialectRules.among}; undefined where every value must be a parameter of its own. */
  among(expression: string, width: number, parameter: ListParameter): string | undefined {
    return this.#rules.among?.(expression, width, parameter);
  }

  /**
   * Nulls come last ascending and first descending, on every database.
   * @param isNullable false for a value that is never null, which leaves the order to an index
   */
  order(expression: string, direction: Direction, isNullable = true): string {
    if (!isNullable || !this.platform.sortsNullsLowest()) return `${expression} ${direction}`;
    return `${expression} is null ${direction}, ${expression} ${direction}`;
  }
}
