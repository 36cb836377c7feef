import { isRaw, ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { DatabaseValue } from '../../model/column.type.js';
import type { Dialect } from '../../sql/dialect.js';
import { holdsKey } from '../../sql/table.sql.js';

/** Values of a row to write, by property, as they are bound. */
export type RowValues = Map<EntityProperty, unknown>;

type Sample = Readonly<Record<string, unknown>>;

/**
 * The values that MikroORM gives to properties nobody has set: what the entity's constructor leaves, `onCreate`,
 * `onUpdate` and defaults, in its order.
 */
export class FilledValues {
  readonly #filled: readonly EntityProperty[];
  /** The properties whose values change with every Update. */
  readonly updated: readonly EntityProperty[];
  readonly #required: readonly EntityProperty[];
  readonly #constructs: boolean;
  /** The version, which the database gives to a new row, and which counts its changes. */
  readonly counted: EntityProperty | undefined;

  constructor(
    private readonly meta: EntityMetadata,
    private readonly dialect: Dialect,
  ) {
    const stored = storedProperties(meta);
    this.counted = meta.props.find(({ version }) => version === true);
    this.updated = stored.filter(({ onUpdate }) => onUpdate !== undefined);
    this.#required = stored.filter(isRequired);
    const sample = sampleOf(meta) ?? {};
    const isSet = ({ name }: EntityProperty): boolean => sample[name] !== undefined;
    this.#constructs = stored.some(
      (property) => isSet(property) && sample[property.name] !== property.default,
    );
    this.#filled = stored.filter(
      (property) => property.onCreate !== undefined || property.default !== undefined || isSet(property),
    );
  }

  /** Gives the reason why these values cannot be known without an entity; undefined when they can. */
  static reasonAgainst(meta: EntityMetadata): string | undefined {
    if ((meta.constructorParams ?? []).length > 0) return 'the constructor of the entity has parameters';
    const stored = storedProperties(meta);
    const computed = stored.find((property) => isAccessor(meta, property));
    if (computed !== undefined) return `'${computed.name}' is an accessor of the class`;
    const asking = stored.find(({ onCreate, onUpdate }) => [onCreate, onUpdate].some(asksEntity));
    if (asking !== undefined) return `onCreate or onUpdate of '${asking.name}' looks at the entity`;
    const sample = sampleOf(meta);
    if (sample === undefined) return 'the entity cannot be constructed without values';
    const related = stored.find(
      (one) =>
        holdsKey(one) &&
        (sample[one.name] != null || one.onCreate !== undefined || one.onUpdate !== undefined),
    );
    return related === undefined ? undefined : `'${related.name}' has a value from the start`;
  }

  /** The required properties of a new entity that have a value neither from these nor from the entity itself. */
  static unfilled(meta: EntityMetadata, given: ReadonlySet<EntityProperty>): readonly EntityProperty[] {
    const sample = sampleOf(meta);
    // A constructor with parameters sets what it likes.
    if (sample === undefined) return [];
    const isFilled = (property: EntityProperty): boolean =>
      given.has(property) ||
      sample[property.name] !== undefined ||
      property.name === meta.root.discriminatorColumn ||
      isAccessor(meta, property);
    return storedProperties(meta).filter((property) => isRequired(property) && !isFilled(property));
  }

  /** Adds to a new row what nobody has set; false when some value is missing, or none that is known how to write. */
  create(row: RowValues): boolean {
    const sample = this.#constructs ? sampleOf(this.meta) : undefined;
    for (const property of this.#filled) {
      const isSent = row.has(property);
      if (isSent && (row.get(property) !== null || property.onCreate === undefined)) continue;
      const value = filled(property, isSent ? null : sample?.[property.name]);
      if (value !== undefined && !this.#put(row, property, value)) return false;
    }
    return this.#required.every((property) => row.get(property) !== undefined && row.get(property) !== null);
  }

  /** Adds to a changed row what changes with it; false when some value is none that is known how to write. */
  update(row: RowValues): boolean {
    return this.updated.every((property) =>
      this.#put(row, property, (property.onUpdate as () => unknown)() ?? null),
    );
  }

  #put(row: RowValues, property: EntityProperty, value: unknown): boolean {
    const { platform } = this.dialect;
    const { customType } = property;
    const given: unknown =
      customType !== undefined && value !== null ? customType.convertToDatabaseValue(value, platform) : value;
    if (typeof given === 'object' && given !== null && !(given instanceof Date)) return false;
    row.set(property, this.dialect.bind(given as DatabaseValue));
    return true;
  }
}

/** Gives the value that MikroORM sets on a property whose value is `current`; undefined leaves it to the database. */
function filled({ onCreate, default: standard }: EntityProperty, current: unknown): unknown {
  if (onCreate !== undefined && (current === null || current === undefined))
    return (onCreate as () => unknown)();
  if (current !== undefined) return current;
  return standard === null || isRaw(standard) ? undefined : standard;
}

/** Own columns of the table that MikroORM writes; a version is the database's own. */
function storedProperties(meta: EntityMetadata): EntityProperty[] {
  return meta.props.filter(
    (property) =>
      (property.kind === ReferenceKind.SCALAR || holdsKey(property)) &&
      property.persist !== false &&
      property.version !== true &&
      property.formula === undefined &&
      property.generated === undefined,
  );
}

/** True if a function may look at the entity it is given: `() => …` cannot, whatever else is written in it. */
function asksEntity(callback: ((...given: never[]) => unknown) | undefined): boolean {
  return callback !== undefined && !/^\(\s*\)\s*=>/.test(Function.prototype.toString.call(callback));
}

/** True if the class computes a value. MikroORM itself puts setters alone there. */
function isAccessor(meta: EntityMetadata, property: EntityProperty): boolean {
  if (property.kind !== ReferenceKind.SCALAR) return false;
  if (property.getter === true) return true;
  for (let type: unknown = meta.class.prototype; typeof type === 'object' && type !== null;) {
    const descriptor = Object.getOwnPropertyDescriptor(type, property.name);
    if (descriptor !== undefined) return descriptor.get !== undefined;
    type = Object.getPrototypeOf(type);
  }
  return false;
}

/** True if MikroORM refuses to store an entity without a value here (`validateRequired`). */
function isRequired(property: EntityProperty): boolean {
  const { nullable, autoincrement, default: standard, defaultRaw, onCreate } = property;
  return ![nullable, autoincrement, standard, defaultRaw, onCreate].some(Boolean);
}

/** Makes an instance to see what the constructor leaves in its properties; undefined when it cannot do without values. */
function sampleOf({ class: Entity }: EntityMetadata): Sample | undefined {
  try {
    return new (Entity as new () => Sample)();
  } catch {
    return undefined;
  }
}
