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
   * The JSON of a text that is the value of a column. Numbers stay as they were typed: they may have more digits than a number here.
   * A text that is not of its column's type stays text, so that the endpoint says what is wrong.
   */
  jsonOf(text: string, schema: unknown): string {
    const alternatives = this.alternativesOf(schema);
    const types = new Set(alternatives.flatMap(({ type }) => type ?? []));
    const isText = types.has('string');
    const number = types.has('number') || types.has('integer') ? numberOf(text, types) : undefined;
    // A column that takes both keeps all digits of a text.
    if (number !== undefined && (!isText || String(Number(number)) === number)) return number;
    if (types.has('boolean') && (text === 'true' || text === 'false')) return text;
    const isNullable = types.has('null') || alternatives.some(({ nullable }) => nullable === true);
    if (!isText && isNullable && text === 'null') return text;
    if (isListOfWords(alternatives) && !text.startsWith('[')) return JSON.stringify(text.split(','));
    const isAnything = types.size === 0 && schema !== undefined;
    const isJson = types.has('array') || types.has('object') || isAnything;
    return isJson && isJsonText(text) ? text : JSON.stringify(text);
  }
}

/** True if a schema is for a list of known words, which are typed with commas between them, as in a query string. */
function isListOfWords(alternatives: readonly OpenApiObject[]): boolean {
  return alternatives.some(
    ({ type, items }) => type === 'array' && Object.hasOwn(Object(items) as object, 'enum'),
  );
}

/** The number of JSON that a text is; undefined where it is none of these types. */
function numberOf(text: string, types: ReadonlySet<unknown>): string | undefined {
  if (types.has('number') && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  return types.has('integer') && /^-?\d+$/.test(text) ? text.replace(/^(-?)0+(?=\d)/, '$1') : undefined;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
