import { ReferenceKind, type EntityMetadata, type EntityProperty, type Platform } from '@mikro-orm/core';
import { keyPropertyOf } from '../metadata/keys/key.property.js';
import { storedFields } from '../metadata/stored.fields.js';
import type { Dialect } from '../sql/dialect.js';
import type { PlainComparison, PlainCondition } from '../sql/restriction.js';
import { NotAuthorized } from '../wire/refusals.js';
import { ComparedColumn } from './compared.column.js';

/** The operators of MikroORM that compare a column with one value. */
const filterOperators = new Map<string, PlainComparison>([
  ['$eq', '='],
  ['$ne', '!='],
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
]);

const operatorsOf = new Map([...filterOperators].map(([operator, comparison]) => [comparison, operator]));

/**
 * Reads filter objects of MikroORM that only compare columns of the entity's own table with values: `{ deletedAt: null }`,
 * `{ tenant: 5, state: { $in: ['open', 'late'] } }`. Such a filter is a condition of our statements and needs no sub-select.
 */
export class PlainFilters {
  readonly #columns = new Map<EntityProperty, ComparedColumn>();

  constructor(private readonly dialect: Dialect) {}

  /**
   * Reads the conditions of a filter; undefined where it says anything else, which MikroORM translates.
   * @param isStored whether its values are what the database keeps, as `applyFilters` gives them. Default: those of entities
   * @throws NotAuthorized for a value of an entity that its column cannot have
   */
  read(meta: EntityMetadata, filter: unknown, isStored = false): readonly PlainCondition[] | undefined {
    if (!isFilterObject(filter) || Object.getOwnPropertySymbols(filter).length > 0) return undefined;
    const conditions: PlainCondition[] = [];
    for (const [name, given] of Object.entries(filter)) {
      const read =
        name === '$and' ? this.#all(meta, given, isStored) : this.#column(meta, name, given, isStored);
      if (read === undefined) return undefined;
      conditions.push(...read);
    }
    return conditions;
  }

  /**
   * A comparison with a value of JSON; undefined for any other value.
   * @param property as {@link plainProperty} gives it
   * @param value a text, number or boolean, or a list of these
   * @param isExact whether texts are compared to the last letter, whatever their collation takes for the same
   */
  comparison(property: EntityProperty, value: unknown, isExact = true): PlainCondition | undefined {
    const condition = this.#compared(property, Array.isArray(value) ? 'in' : '=', value, false);
    if (isExact || condition?.exact === undefined) return condition;
    return { ...condition, exact: undefined };
  }

  #all(meta: EntityMetadata, given: unknown, isStored: boolean): readonly PlainCondition[] | undefined {
    if (!Array.isArray(given)) return undefined;
    const conditions: PlainCondition[] = [];
    for (const one of given) {
      const read = this.read(meta, one, isStored);
      if (read === undefined) return undefined;
      conditions.push(...read);
    }
    return conditions;
  }

  #column(
    meta: EntityMetadata,
    name: string,
    given: unknown,
    isStored: boolean,
  ): readonly PlainCondition[] | undefined {
    const property = plainProperty(meta, name);
    if (property === undefined) return undefined;
    if (!isFilterObject(given))
      return listed(this.#judged(property, Array.isArray(given) ? 'in' : '=', given, isStored));
    // Raw SQL is kept under symbols.
    if (Object.getOwnPropertySymbols(given).length > 0) return undefined;
    const conditions: PlainCondition[] = [];
    for (const [operator, value] of Object.entries(given)) {
      const comparison = operator === '$in' ? 'in' : filterOperators.get(operator);
      const read = comparison === undefined ? undefined : this.#judged(property, comparison, value, isStored);
      if (read === undefined) return undefined;
      conditions.push(read);
    }
    return conditions.length === 0 ? undefined : conditions;
  }

  /** Refuses what somebody claims and the column does not have, where MySQL would compare with the digits of it. */
  #judged(
    property: EntityProperty,
    comparison: PlainComparison,
    given: unknown,
    isStored: boolean,
  ): PlainCondition | undefined {
    const condition = this.#compared(property, comparison, given, isStored);
    if (condition === undefined || isStored || given === null) return condition;
    const column = this.#columnOf(property);
    if ([given].flat().every((one) => column.takes(one))) return condition;
    throw new NotAuthorized({ cause: new TypeError(`'${property.name}' cannot have the value of a rule`) });
  }

  #compared(
    property: EntityProperty,
    comparison: PlainComparison,
    given: unknown,
    isStored: boolean,
  ): PlainCondition | undefined {
    if (given === null && comparison === '=') return { property, comparison: 'is null', isStored };
    if (given === null && comparison === '!=') return { property, comparison: 'is not null', isStored };
    const isList = comparison === 'in';
    // An empty list is MikroORM's to say; it means no record.
    const isReadable = isList ? isListOfScalars(given) : isScalar(given);
    if (!isReadable) return undefined;
    const value = isListOfScalars(given)
      ? given.map((one) => this.#bound(property, one, isStored))
      : this.#bound(property, given as Scalar, isStored);
    // What filters of MikroORM say holds for whoever asks, and is compared as MikroORM does.
    const isExact = !isStored && (isList || comparison === '=');
    const exact = isExact ? this.#columnOf(property).exact : undefined;
    return { property, comparison, value, given, isStored, exact };
  }

  /** The value as it is bound. MySQL compares a text with a number as numbers, and every text without digits is 0 there. */
  #bound(property: EntityProperty, value: Scalar, isStored: boolean): unknown {
    const { dialect } = this;
    const platform: Platform = dialect.platform;
    const type = isStored ? undefined : (keyOf(property) ?? property).customType;
    const stored = (
      type === undefined ? value : type.convertToDatabaseValue(value, platform, { fromQuery: true })
    ) as Scalar;
    const isOther = typeof stored === 'number' || typeof stored === 'boolean' || typeof stored === 'bigint';
    return dialect.bind(isOther && this.#columnOf(property).isText ? String(stored) : stored);
  }

  #columnOf(property: EntityProperty): ComparedColumn {
    const known = this.#columns.get(property);
    if (known !== undefined) return known;
    const column = new ComparedColumn(this.dialect, property, keyOf(property) ?? property);
    this.#columns.set(property, column);
    return column;
  }
}

type Scalar = string | number | bigint | boolean;

const scalars: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean']);

/** Dates are MikroORM's: how it writes them depends on the driver. */
function isScalar(value: unknown): value is Scalar {
  return scalars.has(typeof value) && !Number.isNaN(value);
}

function isListOfScalars(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value) && value.length > 0 && value.every(isScalar);
}

function listed<T>(one: T | undefined): readonly T[] | undefined {
  return one === undefined ? undefined : [one];
}

/** A property that is one stored column, whose values MikroORM compares as they are. */
export function plainProperty(meta: EntityMetadata, name: string): EntityProperty | undefined {
  const properties: Readonly<Record<string, EntityProperty>> = meta.properties;
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined) return undefined;
  const isKey =
    property.kind === ReferenceKind.MANY_TO_ONE ||
    (property.kind === ReferenceKind.ONE_TO_ONE && property.owner);
  if (property.kind !== ReferenceKind.SCALAR && !isKey) return undefined;
  if (property.persist === false || property.formula !== undefined || storedFields(property).length !== 1)
    return undefined;
  const key = keyOf(property);
  if (isKey && key === undefined) return undefined;
  const { customType, array } = key ?? property;
  const isConverted =
    customType?.convertToDatabaseValueSQL !== undefined || customType?.convertToJSValueSQL !== undefined;
  return array === true || isConverted || isJson(property) ? undefined : property;
}

function isJson({ columnTypes: [type = ''] }: EntityProperty): boolean {
  return type.startsWith('json') || type.endsWith('[]');
}

/** The key that a relation's own column holds; undefined for other properties, and where the key is a relation itself. */
export function keyOf({ kind, targetMeta }: EntityProperty): EntityProperty | undefined {
  if (kind === ReferenceKind.SCALAR || targetMeta === undefined) return undefined;
  const key = keyPropertyOf(targetMeta);
  return key.kind === ReferenceKind.SCALAR ? key : undefined;
}

/** True if a value is a filter object of MikroORM, and no query, entity or list. */
export function isFilterObject(entry: unknown): entry is object {
  if (typeof entry !== 'object' || entry === null) return false;
  const prototype: unknown = Object.getPrototypeOf(entry);
  return prototype === Object.prototype || prototype === null;
}

/**
 * The filter object that says the same as some conditions of rules. MikroORM adds its own filters itself: their values are
 * stored ones already.
 */
export function filterObjectOf(conditions: readonly PlainCondition[]): object | undefined {
  const own = conditions.filter(({ isStored }) => isStored !== true);
  if (own.length === 0) return undefined;
  return {
    $and: own.map(({ property, comparison, given }) => ({
      [property.name]: comparedBy(comparison, given),
    })),
  };
}

/** The comparison of a condition with its stored value, as MikroORM writes it. */
export function comparedWith({ comparison, value }: PlainCondition): object {
  return comparedBy(comparison, value);
}

function comparedBy(comparison: PlainComparison, given: unknown): object {
  if (comparison === 'is null') return { $eq: null };
  if (comparison === 'is not null') return { $ne: null };
  if (comparison === 'in') return { $in: given };
  return { [operatorsOf.get(comparison) ?? '$eq']: given };
}
