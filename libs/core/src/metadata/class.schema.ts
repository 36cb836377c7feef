import { createRequire } from 'node:module';
import { NamedSchema, type JsonSchema } from '../model/json.schema.js';
import { usedClassValidator } from './class.validator.js';
import { isConditional, keywordsOf, type Constraint } from './constraint.keywords.js';
import { saysMissing } from '../options/missing.package.js';

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

const known = new WeakMap<Class, NamedSchema>();

/**
 * Reads the schema that class-validator and `@nestjs/swagger` give a class's properties. Nested classes are found through
 * class-transformer's `Type`, swagger's `ApiProperty`, and the types that TypeScript leaves on decorated properties.
 */
export function classSchema(type: Class): JsonSchema {
  const named = known.get(type) ?? new NamedSchema(type.name, () => objectOf(type));
  known.set(type, named);
  return { $ref: named };
}

function objectOf(type: Class): JsonSchema {
  const constraints = constraintsOf(type);
  const told = swaggerPropertiesOf(type);
  const names = new Set([...constraints.map(({ propertyName }) => propertyName), ...told.keys()]);
  const properties = [...names].map((name) => {
    const own = constraints.filter(({ propertyName }) => propertyName === name);
    return { name, ...propertyOf(type, name, own, told.get(name)) };
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    required: properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

function propertyOf(
  type: Class,
  name: string,
  constraints: readonly Constraint[],
  { required, schema: told = {} }: SwaggerProperty = {},
): { readonly schema: JsonSchema; readonly isRequired: boolean } {
  const optional = constraints.some((one) => one.name === 'isOptional') || isConditional(constraints);
  const reflected: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
  const nested = nestedOf(type, name, constraints, reflected);
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
  type: Class,
  name: string,
  constraints: readonly Constraint[],
  reflected: unknown,
): JsonSchema | undefined {
  const nested = transformedType(type, name) ?? reflected;
  const isNested = constraints.some((one) => one.type === 'nestedValidation');
  return isNested && isClass(nested) ? classSchema(nested) : undefined;
}

function isClass(value: unknown): value is Class {
  return typeof value === 'function' && !builtIn.has(value);
}

function constraintsOf(type: Class): readonly Constraint[] {
  const storage = usedClassValidator()?.getMetadataStorage();
  return storage?.getTargetValidationMetadatas(type, '', false, false) ?? [];
}

const require = createRequire(import.meta.url);

/** The file in which class-transformer keeps what its decorators say. */
const storagePath = 'class-transformer/cjs/storage.js';

interface TransformerStorage {
  findTypeMetadata(target: Class, property: string): { readonly typeFunction?: () => unknown } | undefined;
}

/** Reads the type from class-transformer's `Type`; undefined without it, or without the package. */
function transformedType(type: Class, name: string): unknown {
  try {
    const { defaultMetadataStorage } = require(storagePath) as {
      readonly defaultMetadataStorage: TransformerStorage;
    };
    return defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction?.();
  } catch (error) {
    if (saysMissing(error)) return undefined;
    throw error;
  }
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
function swaggerPropertiesOf({ prototype }: Class): ReadonlyMap<string, SwaggerProperty> {
  const target = prototype as object;
  const names = (Reflect.getMetadata('swagger/apiModelPropertiesArray', target) ?? []) as readonly string[];
  return new Map(
    names.map((tagged) => {
      const name = tagged.slice(1);
      return [
        name,
        swaggerProperty(Reflect.getMetadata('swagger/apiModelProperties', target, name) as object),
      ];
    }),
  );
}

function swaggerProperty(metadata: object): SwaggerProperty {
  const { type, isArray, nullable, example, required } = metadata as Readonly<Record<string, unknown>>;
  const told = Object.entries(metadata).filter(
    ([key, value]) => swaggerKeywords.includes(key) && value !== undefined,
  );
  const single: JsonSchema = { ...typeSchema(type), ...(Object.fromEntries(told) as JsonSchema) };
  const listed: JsonSchema = isArray === true ? { type: 'array', items: single } : single;
  const examples = example === undefined ? {} : { examples: [example] };
  const schema = nullable === true ? { anyOf: [listed, { type: 'null' }] } : listed;
  return { required: required !== false, schema: { ...schema, ...examples } };
}

/** `String`, `'string'`, a class, a list of one, or a function that gives one of them. */
function typeSchema(type: unknown): JsonSchema {
  if (type === undefined) return {};
  if (typeof type === 'string') return { type };
  if (Array.isArray(type)) return { type: 'array', items: typeSchema(type[0]) };
  const simple = builtIn.get(type);
  if (simple !== undefined) return simple;
  if (!isClass(type)) return {};
  return Object.hasOwn(type, 'prototype')
    ? classSchema(type)
    : typeSchema((type as unknown as () => unknown)());
}
