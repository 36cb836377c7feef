import {
  ArrayType,
  BigIntType,
  BooleanType,
  CharacterType,
  DateTimeType,
  DateType,
  DecimalType,
  DoubleType,
  EnumType,
  FloatType,
  IntegerType,
  JsonType,
  MediumIntType,
  SmallIntType,
  StringType,
  TextType,
  TinyIntType,
  Type,
  types,
  UuidType,
  type EntityMetadata,
  type EntityProperty,
  type Platform,
} from '@mikro-orm/core';
import { BaseMySqlPlatform, BasePostgreSqlPlatform } from '@mikro-orm/sql';
import type { ColumnFacts, ColumnType, ListFacts } from '../model/column.type.js';
import { BigIntegerColumn } from '../model/columns/big-integer.column.js';
import { BooleanColumn } from '../model/columns/boolean.column.js';
import { CreatedColumn } from '../model/columns/created.column.js';
import { DateColumn } from '../model/columns/date.column.js';
import { DatetimeColumn } from '../model/columns/datetime.column.js';
import { DecimalColumn } from '../model/columns/decimal.column.js';
import { FloatColumn } from '../model/columns/float.column.js';
import { IntegerColumn } from '../model/columns/integer.column.js';
import { JsonColumn } from '../model/columns/json.column.js';
import { ListColumn } from '../model/columns/list.column.js';
import { SelectColumn } from '../model/columns/select.column.js';
import { StringColumn } from '../model/columns/string.column.js';
import { UnreadableColumn } from '../model/columns/unreadable.column.js';
import { UpdatedColumn } from '../model/columns/updated.column.js';
import { UuidColumn } from '../model/columns/uuid.column.js';
import { isUnique } from '../model/unique.property.js';
import type { Validator } from '../model/validator.js';
import { MaximumLength } from '../model/validators/maximum-length.validator.js';
import { Required } from '../model/validators/required.validator.js';
import { Unique } from '../model/validators/unique.validator.js';
import { declaredType } from './declared.type.js';
import { keyPropertyOf, partingPropertiesOf } from './keys/key.property.js';
import { ownedParentOf } from './relation.property.js';
import { isShared, storedType } from './stored.fields.js';

type MappedType = abstract new (...parameters: never[]) => Type<unknown>;

type Rule = (property: TypedProperty, platform: Platform) => ColumnType;

/** The facts that decide the column type of a property, or of an item of a list. */
type TypedProperty = Pick<EntityProperty, 'columnTypes' | 'runtimeType' | 'type'> &
  Partial<Pick<EntityProperty, 'array' | 'customType' | 'enum' | 'items' | 'onCreate' | 'onUpdate'>>;

/** The column types for the types of MikroORM. The first that fits wins. */
const columnTypes: readonly (readonly [MappedType, Rule])[] = [
  [ArrayType, listColumn],
  [UuidType, () => new UuidColumn()],
  [BooleanType, () => new BooleanColumn()],
  [DateTimeType, instantColumn],
  [DateType, () => new DateColumn()],
  [JsonType, () => new JsonColumn()],
  [
    BigIntType,
    ({ runtimeType }) => (runtimeType === 'number' ? new IntegerColumn() : new BigIntegerColumn()),
  ],
  [DecimalType, () => new DecimalColumn()],
  [DoubleType, () => new FloatColumn()],
  [FloatType, () => new FloatColumn()],
  [SmallIntType, () => new IntegerColumn()],
  [TinyIntType, () => new IntegerColumn()],
  [MediumIntType, () => new IntegerColumn()],
  [IntegerType, () => new IntegerColumn()],
  [StringType, () => new StringColumn()],
  [TextType, () => new StringColumn()],
  [CharacterType, () => new StringColumn()],
  [EnumType, () => new StringColumn()],
];

const builtInTypes = new Set<unknown>(Object.values(types));

/** The user's own type of a property, which converts between JSON values and the database; MikroORM's own do not count. */
export function conversionOf({ customType }: TypedProperty): Type<unknown> | undefined {
  return customType === undefined || builtInTypes.has(customType.constructor) ? undefined : customType;
}

/** The column types of what users' own MikroORM types give; their database type says nothing about that. */
const runtimeTypes: ReadonlyMap<string, () => ColumnType> = new Map<string, () => ColumnType>([
  ['string', () => new StringColumn()],
  ['number', () => new FloatColumn()],
  ['bigint', () => new BigIntegerColumn()],
  ['Date', () => new DatetimeColumn()],
  ['object', () => new JsonColumn()],
]);

/** The column type that a property's metadata suggests (decisions: Columns and validators). */
function columnTypeOf(property: TypedProperty, platform: Platform): ColumnType {
  const { items, runtimeType, customType } = property;
  if (property.enum === true && items !== undefined && property.array !== true)
    return new SelectColumn(items);
  if (runtimeType === 'boolean') return new BooleanColumn();
  const conversion = conversionOf(property);
  const converted = conversion === undefined ? undefined : runtimeTypes.get(runtimeType);
  if (converted !== undefined) return converted();
  const mapped = conversion === undefined ? customType : undefined;
  const type = mapped ?? platform.getMappedType(declaredType(property, platform) || 'text');
  const rule = columnTypes.find(([mappedType]) => type instanceof mappedType);
  if (rule !== undefined) return rule[1](property, platform);
  return new UnreadableColumn(property.columnTypes[0] ?? 'an unknown type');
}

/** The suggested type with the range and digits of its database column. */
export function narrowedTypeOf(property: EntityProperty, platform: Platform): ColumnType {
  const type = columnTypeOf(property, platform);
  return type.narrow?.(factsOf(property, platform)) ?? type;
}

function instantColumn({ onCreate, onUpdate }: TypedProperty): ColumnType {
  if (onUpdate !== undefined) return new UpdatedColumn();
  return onCreate === undefined ? new DatetimeColumn() : new CreatedColumn();
}

/** A list of what the database's list holds; where that is text, the property may still say that it is a list of numbers. */
function listColumn({ items, columnTypes, type }: TypedProperty, platform: Platform): ColumnType {
  if (items !== undefined) return new ListColumn(new SelectColumn(items));
  const [declared = 'text'] = columnTypes;
  const itemType = itemTypeOf(declared);
  if (type === 'number[]' && itemType === 'text') return new ListColumn(new FloatColumn());
  const item = columnTypeOf({ columnTypes: [itemType], runtimeType: '', type: '' }, platform);
  // A list of lists must be as wide in every row, which no item's type can see.
  const isReadable = item.unusableBecause === undefined && item.storage !== 'list';
  return isReadable ? new ListColumn(item) : new UnreadableColumn(declared);
}

/** `varchar(20)[]` → `varchar(20)`. Databases without lists keep them as text. */
function itemTypeOf(declared: string): string {
  return declared.replace(/\[\]$/, '');
}

/** The rules that a property's metadata implies. */
export function validatorsOf(
  meta: EntityMetadata,
  property: EntityProperty,
  platform: Platform,
): Validator[] {
  const facts = factsOf(property, platform);
  const { databaseType, length } = facts.list?.items ?? facts;
  const validators: Validator[] = [];
  if (!isNullable(property) && !isFilledWithoutClient(property)) validators.push(new Required());
  if (length !== undefined && databaseType.includes('char')) validators.push(new MaximumLength(length));
  if (isUnique(meta, property, partingPropertiesOf(meta))) validators.push(new Unique());
  return validators;
}

export function isNullable({ nullable }: EntityProperty): boolean {
  return nullable === true;
}

/** True if the database or the entity gives the property a value when the client sends none. */
function isFilledWithoutClient(property: EntityProperty): boolean {
  return (
    property.default !== undefined ||
    property.defaultRaw !== undefined ||
    property.autoincrement === true ||
    property.onCreate !== undefined ||
    property.generated !== undefined ||
    property.formula !== undefined ||
    property.version === true
  );
}

export function factsOf(property: EntityProperty, platform: Platform): ColumnFacts {
  const { customType, items } = property;
  const columnTypes = isShared(property) ? [storedType(property)] : property.columnTypes;
  // A key of a parent is as wide as the parent's own.
  const parent = ownedParentOf(property);
  const { type } = parent === undefined ? property : keyPropertyOf(parent);
  const list = customType instanceof ArrayType ? listFactsOf(customType, property) : undefined;
  const facts = factsOfType(declaredType({ columnTypes, type }, platform), property);
  return {
    ...facts,
    // Who converts values knows how they are stored.
    ...(conversionOf(property) === undefined && padded.test(facts.databaseType) ? blanksOf(platform) : {}),
    looksIntoJson: facts.databaseType === 'jsonb' && platform instanceof BasePostgreSqlPlatform,
    holdsJson: customType instanceof JsonType || conversionOf(property) !== undefined,
    ...(items === undefined ? {} : { items }),
    ...(list === undefined ? {} : { list }),
  };
}

/** Types whose texts are all of one length. */
const padded = /^(?:(?:national )?(?:character|char)|nchar|bpchar)$/;

function blanksOf(platform: Platform): Pick<ColumnFacts, 'blanks'> {
  if (platform instanceof BasePostgreSqlPlatform) return { blanks: 'fill' };
  return platform instanceof BaseMySqlPlatform ? { blanks: 'cut' } : {};
}

/** @param declared the database type as the property has it, e.g. `varchar(20)` */
function factsOfType(declared: string, { length, precision, scale }: EntityProperty): ColumnFacts {
  const numbers = [...declared.matchAll(/\d+/g)].map(Number);
  const databaseType = declared
    .replace(/\(.*\)/, '')
    .trim()
    .toLowerCase();
  const exact = databaseType === 'numeric' || databaseType === 'decimal';
  return {
    databaseType,
    ...defined('length', databaseType.includes('char') ? (numbers[0] ?? length) : length),
    ...defined('secondDigits', /^(?:datetime|timestamp)/.test(databaseType) ? numbers[0] : undefined),
    ...defined('precision', exact ? (precision ?? numbers[0]) : undefined),
    ...defined('scale', exact ? (scale ?? numbers[1]) : undefined),
  };
}

/** MikroORM's own type of the property reads and writes the database's text, so that an entity holds the same items. */
function listFactsOf(type: ArrayType<unknown>, property: EntityProperty): ListFacts | undefined {
  const { platform } = type;
  if (platform === undefined) return undefined;
  return {
    items: factsOfType(itemTypeOf(property.columnTypes[0] ?? ''), property),
    read: (text) => type.convertToJSValue(text, platform) ?? [],
    write: (items) =>
      type.convertToDatabaseValue(type.convertToJSValue([...items], platform), platform) ?? '',
  };
}

function defined<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}
