import type { OpenApiObject } from '@nest-endpoints/core/internal';

/** Keywords of JSON Schema; documents know others. */
const keywords: ReadonlySet<string> = new Set([
  ...['type', 'format', 'enum', 'title', 'description', 'default', 'deprecated'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...['properties', 'patternProperties', 'propertyNames', 'additionalProperties', 'required'],
  ...['minProperties', 'maxProperties', 'dependentSchemas', 'unevaluatedProperties'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else'],
]);

const single = [
  ...['items', 'contains', 'propertyNames', 'additionalProperties', 'unevaluatedProperties'],
  ...['not', 'if', 'then', 'else'],
];
const listed = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const named = ['properties', 'patternProperties', 'dependentSchemas'];

const references = '#/components/schemas/';

/** The most references within each other that are written out. */
const deepest = 12;

/**
 * Writes schemas of documents as every provider of models reads them: without references, without lists of types, and with
 * keywords of JSON Schema alone. What refers to itself allows any value there.
 */
export class PlainSchemas {
  constructor(private readonly schemas: ReadonlyMap<string, OpenApiObject>) {}

  plain(schema: unknown): OpenApiObject {
    return this.#plain(schema, []);
  }

  #plain(schema: unknown, open: readonly string[]): OpenApiObject {
    if (!isObject(schema)) return {};
    const { $ref } = schema;
    if (typeof $ref === 'string') return this.#referred($ref, open);
    const { nullable, ...rest } = schema;
    const entries = Object.entries(rest).flatMap(([keyword, value]): [string, unknown][] =>
      keywords.has(keyword) ? [[keyword, this.#value(keyword, value, open)]] : [],
    );
    const plain = inOneType(Object.fromEntries(entries));
    return nullable === true ? orNull(plain) : plain;
  }

  #referred($ref: string, open: readonly string[]): OpenApiObject {
    const name = $ref.startsWith(references) ? $ref.slice(references.length) : '';
    const schema = this.schemas.get(name);
    if (schema === undefined || open.includes(name) || open.length >= deepest) return {};
    return this.#plain(schema, [...open, name]);
  }

  #value(keyword: string, value: unknown, open: readonly string[]): unknown {
    if (single.includes(keyword)) return typeof value === 'boolean' ? value : this.#plain(value, open);
    if (listed.includes(keyword))
      return Array.isArray(value) ? value.map((one) => this.#plain(one, open)) : [];
    if (!named.includes(keyword)) return value;
    return Object.fromEntries(
      Object.entries(Object(value) as OpenApiObject).map(([name, one]) => [name, this.#plain(one, open)]),
    );
  }
}

/** Documents of OpenAPI 3.0 say null by a flag, and exclusive bounds too. */
function orNull(schema: OpenApiObject): OpenApiObject {
  if (Object.keys(schema).length === 0) return schema;
  const { description, default: usual, ...rest } = schema;
  const values: unknown = rest['enum'];
  const others = Array.isArray(values)
    ? { ...rest, enum: (values as readonly unknown[]).filter((one) => one !== null) }
    : rest;
  return {
    ...(description === undefined ? {} : { description }),
    ...(usual === undefined ? {} : { default: usual }),
    anyOf: [others, { type: 'null' }],
  };
}

/** The keywords that need a type beside them. */
const typeOf: Readonly<Record<string, string>> = {
  ...{ minLength: 'string', maxLength: 'string', pattern: 'string', format: 'string' },
  ...{ minimum: 'number', maximum: 'number', exclusiveMinimum: 'number', exclusiveMaximum: 'number' },
  ...{ multipleOf: 'number', items: 'array', minItems: 'array', maxItems: 'array', uniqueItems: 'array' },
  ...{ properties: 'object', additionalProperties: 'object', patternProperties: 'object' },
  ...{ required: 'object', minProperties: 'object', maxProperties: 'object', propertyNames: 'object' },
};

/** Several types are a choice; a keyword that needs one has it. */
function inOneType(schema: OpenApiObject): OpenApiObject {
  const { type, ...rest } = schema;
  if (Array.isArray(type)) {
    const { description, ...others } = rest;
    const choices = (type as readonly string[]).map((one) => ({ ...others, type: one }));
    return { ...(description === undefined ? {} : { description }), anyOf: choices };
  }
  if (type !== undefined) return schema;
  const needed = Object.keys(rest).flatMap((keyword) =>
    Object.hasOwn(typeOf, keyword) ? [typeOf[keyword]] : [],
  )[0];
  return needed === undefined ? schema : { type: needed, ...rest };
}

function isObject(value: unknown): value is OpenApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
