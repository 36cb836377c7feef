import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import { usedClassValidator } from './class.validator.js';
import { isConditional, keywordsOf, type Constraint } from '../constraint.keywords.js';
import { sentName, transformedType } from './transformed.class.js';

type Class = abstract new (...parameters: never[]) => object;

const builtIn: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [BigInt, { type: 'integer' }],
  [Date, { type: 'string', format: 'date-time' }],
  [Array, { type: 'array', items: {} }],
  [Object, {}],
]);

/** The side of a schema that changes values: what goes in, or what comes out. */
export type SchemaSide = 'input' | 'output';

/** Schemas of both sides; of the input's alone where names differ. */
const known = new WeakMap<Class, NamedSchema>();
const knownInputs = new WeakMap<Class, NamedSchema>();

/**
 * Reads the schema that class-validator and `@nestjs/swagger` give a class's properties. Nested classes are found through
 * class-transformer's `Type`, swagger's `ApiProperty`, and the types that TypeScript leaves on decorated properties.
 *
 * @param side of an input has the names of class-transformer's `Expose`: instances are made of it. Nothing is made of an output
 */
export function classSchema(type: Class, side: SchemaSide): JsonSchema {
  const isRenamed = side === 'input' && renames(type);
  const schemas = isRenamed ? knownInputs : known;
  const named = schemas.get(type) ?? new NamedSchema(type.name, () => objectOf(type, side));
  schemas.set(type, named);
  return { $ref: named };
}

/** True if a class, or one within it, has members that are sent under other names. */
function renames(type: Class, seen = new Set<Class>()): boolean {
  seen.add(type);
  return namesOf(type).some((name) => {
    if (sentName(type, name) !== name) return true;
    const nested = [transformedType(type, name), reflectedType(type, name), swaggerClass(type, name)];
    return nested.some((one) => isClass(one) && !seen.has(one) && renames(one, seen));
  });
}

function namesOf(type: Class): readonly string[] {
  const validated = constraintsOf(type).map(({ propertyName }) => propertyName);
  return [...new Set([...validated, ...swaggerNames(type)])];
}

function reflectedType({ prototype }: Class, name: string): unknown {
  return Reflect.getMetadata('design:type', prototype as object, name);
}

function objectOf(type: Class, side: SchemaSide): JsonSchema {
  const constraints = constraintsOf(type);
  const told = swaggerPropertiesOf(type, side);
  const names = namesOf(type);
  const properties = names.map((name) => {
    const own = constraints.filter(({ propertyName }) => propertyName === name);
    const property = propertyOf({ type, name, side }, own, told.get(name));
    return { name: side === 'input' ? sentName(type, name) : name, ...property };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    required: properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** A property of a class on one side. */
interface Member {
  readonly type: Class;
  readonly name: string;
  readonly side: SchemaSide;
}

function propertyOf(
  member: Member,
  constraints: readonly Constraint[],
  { required, schema: told = {} }: SwaggerProperty = {},
): { readonly schema: JsonSchema; readonly isRequired: boolean } {
  const optional = constraints.some((one) => one.name === 'isOptional') || isConditional(constraints);
  const reflected = reflectedType(member.type, member.name);
  const nested = nestedOf(member, constraints, reflected);
  const own = isConditional(constraints) ? [] : constraints;
  const about = (each: boolean): JsonSchema =>
    Object.assign({}, ...own.filter((one) => (one.each ?? false) === each).map(keywordsOf)) as JsonSchema;
  const isList =
    reflected === Array || own.some(({ each, name: word }) => each === true || word === 'isArray');
  const items = { ...nested, ...about(true) };
  const single = { ...(nested ?? builtIn.get(reflected)), ...about(false) };
  const schema = isList ? { ...about(false), type: 'array', items } : single;
  return { schema: { ...schema, ...told }, isRequired: required ?? !optional };
}

/** The schema of a property, or of its items, that is of a class itself. */
function nestedOf(
  { type, name, side }: Member,
  constraints: readonly Constraint[],
  reflected: unknown,
): JsonSchema | undefined {
  const nested = transformedType(type, name) ?? reflected;
  const isNested = constraints.some((one) => one.type === 'nestedValidation');
  return isNested && isClass(nested) ? classSchema(nested, side) : undefined;
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && !builtIn.has(value);
}

function constraintsOf(type: Class): readonly Constraint[] {
  const storage = usedClassValidator()?.getMetadataStorage();
  return storage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}

interface SwaggerProperty {
  readonly required?: boolean;
  readonly schema?: JsonSchema;
}

/** Keywords of `ApiProperty` that are JSON Schema as they are. */
const swaggerKeywords: readonly string[] = [
  ...[
    'description',
    'format',
    'enum',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'default',
    'title',
  ],
  ...[
    'items',
    'properties',
    'additionalProperties',
    'anyOf',
    'oneOf',
    'allOf',
    'minItems',
    'maxItems',
    'multipleOf',
  ],
];

/** Reads the properties that `ApiProperty` left on a class, under swagger's own keys. */
function swaggerPropertiesOf(type: Class, side: SchemaSide): ReadonlyMap<string, SwaggerProperty> {
  return new Map(
    swaggerNames(type).map((name) => [name, swaggerProperty(swaggerMetadata(type, name), side)]),
  );
}

function swaggerNames({ prototype }: Class): readonly string[] {
  const key = 'swagger/apiModelPropertiesArray';
  const tagged = (Reflect.getMetadata(key, prototype as object) ?? []) as readonly string[];
  return tagged.map((name) => name.slice(1));
}

function swaggerMetadata({ prototype }: Class, name: string): object {
  return Object(Reflect.getMetadata('swagger/apiModelProperties', prototype as object, name)) as object;
}

/** The class that `ApiProperty` says a property, or an item of it, is of; undefined for none. */
function swaggerClass(type: Class, name: string): unknown {
  const { type: told } = swaggerMetadata(type, name) as { readonly type?: unknown };
  const [one] = [told].flat() as readonly unknown[];
  if (typeof one !== 'function' || Object.hasOwn(one, 'prototype')) return one;
  return [(one as () => unknown)()].flat()[0];
}

function swaggerProperty(metadata: object, side: SchemaSide): SwaggerProperty {
  const { type, isArray, nullable, example, required } = metadata as Readonly<Record<string, unknown>>;
  const told = Object.entries(metadata).filter(
    ([key, value]) => swaggerKeywords.includes(key) && value !== undefined,
  );
  const single: JsonSchema = { ...typeSchema(type, side), ...(Object.fromEntries(told) as JsonSchema) };
  const listed: JsonSchema = isArray === true ? { type: 'array', items: single } : single;
  const examples = example === undefined ? {} : { examples: [example] };
  const schema = nullable === true ? { anyOf: [listed, { type: 'null' }] } : listed;
  return { required: required !== false, schema: { ...schema, ...examples } };
}

/** `String`, `'string'`, a class, a list of one, or a function that gives one of them. */
function typeSchema(type: unknown, side: SchemaSide): JsonSchema {
  if (type === undefined) return {};
  if (typeof type === 'string') return { type };
  if (Array.isArray(type)) return { type: 'array', items: typeSchema(type[0], side) };
  const simple = builtIn.get(type);
  if (simple !== undefined) return simple;
  if (!isClass(type)) return {};
  return Object.hasOwn(type, 'prototype')
    ? classSchema(type, side)
    : typeSchema((type as unknown as () => unknown)(), side);
}
