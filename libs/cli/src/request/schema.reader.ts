import type { OpenApiObject } from '@nest-endpoints/core/internal';

const references = '#/components/schemas/';

/** Reads schemas as operations have them, and the texts of a command line by them. */
export class SchemaReader {
  constructor(private readonly schemas: ReadonlyMap<string, OpenApiObject>) {}

  /** The schema itself, where a reference to it is given. */
  resolved(schema: unknown): OpenApiObject {
    const { $ref } = Object(schema) as { readonly $ref?: unknown };
    if (typeof $ref !== 'string' || !$ref.startsWith(references)) return Object(schema) as OpenApiObject;
    return this.schemas.get($ref.slice(references.length)) ?? {};
  }

  propertiesOf(schema: unknown): ReadonlyMap<string, OpenApiObject> {
    const found = new Map<string, OpenApiObject>();
    for (const one of this.alternativesOf(schema))
      for (const [name, property] of Object.entries(Object(one['properties']) as OpenApiObject))
        found.set(name, this.resolved(property));
    return found;
  }

  /** The schema, and those it is put together from. */
  alternativesOf(schema: unknown, depth = 0): readonly OpenApiObject[] {
    const own = this.resolved(schema);
    // A schema may refer to itself.
    if (depth > 4) return [own];
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => own[word] ?? []);
    return [own, ...parts.flatMap((part) => this.alternativesOf(part, depth + 1))];
  }

  /**
   * Reads a text as the value of a column. A text that is not of its type stays text, so that the endpoint says what is
   * wrong.
   */
  valueOf(text: string, schema: unknown): unknown {
    const alternatives = this.alternativesOf(schema);
    const types = new Set(alternatives.flatMap(({ type }) => type ?? []));
    if (types.has('integer') && /^-?\d{1,16}$/.test(text)) return Number(text);
    if (types.has('number') && isJsonNumber(text)) return Number(text);
    if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
    const isText = types.has('string');
    const isNullable = types.has('null') || alternatives.some(({ nullable }) => nullable === true);
    if (!isText && isNullable && text === 'null') return null;
    if (isListOfWords(alternatives) && !text.startsWith('[')) return text.split(',');
    const isAnything = types.size === 0 && schema !== undefined;
    if (types.has('array') || types.has('object') || isAnything) return jsonOr(text);
    return text;
  }
}

/** True if a schema is for a list of known words, which are typed with commas between them, as in a query string. */
function isListOfWords(alternatives: readonly OpenApiObject[]): boolean {
  return alternatives.some(
    ({ type, items }) => type === 'array' && Object.hasOwn(Object(items) as object, 'enum'),
  );
}

function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
