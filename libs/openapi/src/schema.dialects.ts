import type { OpenApiObject } from '@nest-endpoints/core/internal';

/** The keywords of a schema of OpenAPI 3.0. The meta-schema of that version allows nothing else. */
const keywordsOf30: ReadonlySet<string> = new Set([
  ...[
    'title',
    'multipleOf',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
  ],
  ...[
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
    'maxProperties',
    'minProperties',
    'required',
    'enum',
    'type',
  ],
  ...[
    'not',
    'allOf',
    'oneOf',
    'anyOf',
    'items',
    'properties',
    'additionalProperties',
    'description',
    'format',
  ],
  ...[
    'default',
    'nullable',
    'discriminator',
    'readOnly',
    'writeOnly',
    'example',
    'externalDocs',
    'deprecated',
    'xml',
  ],
  '$ref',
]);

/** Keywords that tell a schema from anything else in a document. */
const tells = [
  'type',
  'anyOf',
  'oneOf',
  'allOf',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'if',
  'not',
  'items',
];

/**
 * Gives a schema as OpenAPI 3.0 has it: without keywords that came later, and with boolean exclusive bounds. The result
 * may allow more, never less.
 */
export function inDialectOf30(node: OpenApiObject): OpenApiObject {
  if (!isSchema(node)) return node;
  const kept = Object.entries({ ...node, ...wider(node) }).filter(
    ([key, value]) => value !== undefined && (keywordsOf30.has(key) || key.startsWith('x-')),
  );
  return bounded(
    bounded(Object.fromEntries(kept), 'minimum', 'exclusiveMinimum', Math.max),
    'maximum',
    'exclusiveMaximum',
    Math.min,
  );
}

/**
 * The keywords that speak of what is left by others which that version lacks: alone, they would forbid what those allow. It knows `true`
 * and `false` for `additionalProperties` alone.
 */
function wider({ patternProperties, prefixItems, ...node }: OpenApiObject): OpenApiObject {
  const { additionalProperties, items, not } = node;
  const named = Object.values(Object(patternProperties) as OpenApiObject);
  const isClosed = additionalProperties !== undefined && additionalProperties !== true;
  const isTold = prefixItems !== undefined || typeof items === 'boolean';
  return {
    ...(isClosed && named.length > 0 ? { additionalProperties: anyOf(named, additionalProperties) } : {}),
    ...(isTold ? { items: anyOf(prefixItems ?? [], items) } : {}),
    ...(typeof not === 'boolean' ? { not: not ? {} : undefined } : {}),
  };
}

/** A schema for what one of several allows; any where the last one does, or where there is none. */
function anyOf(some: unknown, last: unknown): unknown {
  if (last === undefined || last === true) return {};
  const choices = [...(some as unknown[]), ...(last === false ? [] : [last])];
  return choices.length < 2 ? (choices[0] ?? {}) : { anyOf: choices };
}

function bounded(
  schema: OpenApiObject,
  keyword: string,
  exclusive: string,
  narrower: (...bounds: number[]) => number,
): OpenApiObject {
  const { [exclusive]: bound, [keyword]: other, ...rest } = schema;
  if (typeof bound !== 'number') return schema;
  const limit = typeof other === 'number' ? narrower(bound, other) : bound;
  return { ...rest, [keyword]: limit, ...(limit === bound ? { [exclusive]: true } : {}) };
}

function isSchema(node: OpenApiObject): boolean {
  // Parameters and headers have a `schema`, security schemes a `type` that no schema has.
  if ('schema' in node || 'in' in node || 'flows' in node || 'openIdConnectUrl' in node || 'scheme' in node)
    return false;
  return tells.some((key) => key in node);
}

/** Keywords that may refuse null, whatever type stands beside them. */
const judges = ['allOf', 'anyOf', 'oneOf', '$ref', 'not', 'if'];

/** A schema as OpenAPI 3.1 and later have it: null is a type like others (JSON Schema draft 2020-12). */
export function inDialectOf31(node: OpenApiObject): OpenApiObject {
  const { nullable, ...schema } = node;
  if (typeof nullable !== 'boolean') return node;
  const { type, enum: values } = schema;
  if (!nullable) return schema;
  // Null must be allowed by all of a schema, not by its type alone.
  if (judges.some((keyword) => keyword in schema)) return { anyOf: [schema, { type: 'null' }] };
  const withNull =
    Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {};
  return { ...schema, ...(typeof type === 'string' ? { type: [type, 'null'] } : {}), ...withNull };
}
