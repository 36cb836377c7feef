import { NamedSchema, UnknownSchema, type JsonSchema } from '../model/json.schema.js';
import { NameRegister } from './name.register.js';
import { schemaPath, type OpenApiObject } from '../endpoint/description/open.api.js';

/** The place of a schema in a document, for warnings and for names. */
export interface SchemaPlace {
  /** The endpoint, as the log names it. */
  readonly owner: string;
  /** The word that tells the endpoint's schemas from those of others. */
  readonly hint: string;
}

/** Members whose values are schemas by name. */
const mapsOfSchemas: readonly string[] = ['properties', 'patternProperties', 'dependentSchemas'];
const schemas: readonly string[] = [
  ...['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'unevaluatedProperties'],
  ...['if', 'then', 'else'],
];
const listsOfSchemas: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const values: readonly string[] = ['enum', 'default', 'required'];

/** Keywords that only mean something in a file of their own. */
const left: readonly string[] = ['$schema', '$id', '$defs', 'definitions', '$comment'];

const deepest = 32;

/** All schemas of an application's documents, each under one name. */
export class SchemaCatalogue {
  readonly #names = new NameRegister<OpenApiObject>();
  readonly #named = new Map<NamedSchema, string>();
  readonly #open = new Set<NamedSchema>();
  readonly #reserved = new Map<NamedSchema, object>();
  readonly #definitions = new Map<object, Map<string, NamedSchema>>();

  /** @param warn takes a sentence about a schema that cannot be documented */
  constructor(private readonly warn: (problem: string) => void) {}

  /** The named schemas so far. */
  get entries(): ReadonlyMap<string, OpenApiObject> {
    return this.#names.entries;
  }

  /** A schema as documents have it. What is no schema allows everything, with a warning. */
  written(schema: unknown, place: SchemaPlace): OpenApiObject {
    return this.#written(schema, { ...place, root: schema, depth: 0 });
  }

  #written(schema: unknown, at: Position): OpenApiObject {
    if (schema === true) return {};
    if (schema === false) return { not: {} };
    if (!isObject(schema) || at.depth > deepest) {
      const problem = at.depth > deepest ? 'it is nested too deeply' : 'it is no JSON Schema';
      this.warn(`${at.owner}: a schema cannot be documented: ${problem}`);
      return {};
    }
    const { $ref } = schema;
    if ($ref instanceof UnknownSchema) {
      this.warn(`${at.owner}: ${$ref.reason}: it is documented as any value`);
      return {};
    }
    if ($ref instanceof NamedSchema) return { $ref: schemaPath + this.#nameOf($ref, at) };
    // A schema of the user's may stand inside of another: its references start where its definitions are.
    const root = '$defs' in schema || 'definitions' in schema ? schema : at.root;
    if (typeof $ref === 'string') return this.#local($ref, { ...at, root });
    return this.#members(schema, { ...at, root });
  }

  #nameOf(named: NamedSchema, at: Position): string {
    const known = this.#named.get(named);
    if (known !== undefined) return known;
    if (this.#open.has(named)) return this.#reserve(named, at);
    this.#open.add(named);
    const written = this.#written(named.schema, { ...at, root: named.schema, depth: 0 });
    this.#open.delete(named);
    const reserved = this.#reserved.get(named);
    if (reserved !== undefined) Object.assign(reserved, written);
    const name = this.#named.get(named) ?? this.#names.nameOf(written, named.name, at.hint);
    this.#named.set(named, name);
    return name;
  }

  /** A schema that refers to itself has its name before it is written. */
  #reserve(named: NamedSchema, at: Position): string {
    const reserved = {};
    const name = this.#names.newName(reserved, named.name, at.hint);
    this.#reserved.set(named, reserved);
    this.#named.set(named, name);
    return name;
  }

  /** A definition inside the schema itself. */
  #local($ref: string, at: Position): OpenApiObject {
    if ($ref.startsWith(schemaPath)) return { $ref };
    const [, keyword = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? [];
    const definitions = isObject(at.root) ? at.root[keyword] : undefined;
    const definition =
      isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!isObject(definitions) || definition === undefined) {
      const problem = `the reference '${$ref}' in a schema leads nowhere`;
      this.warn(`${at.owner}: ${problem}: it is documented as any value`);
      return {};
    }
    const names = this.#definitions.get(definitions) ?? new Map<string, NamedSchema>();
    this.#definitions.set(definitions, names);
    // Its own references start where those of the whole schema do.
    const named =
      names.get(name) ?? new NamedSchema(name, { ...(definition as JsonSchema), [keyword]: definitions });
    names.set(name, named);
    return { $ref: schemaPath + this.#nameOf(named, at) };
  }

  #members(schema: Readonly<Record<string, unknown>>, at: Position): OpenApiObject {
    const below = { ...at, depth: at.depth + 1 };
    const members: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (value === undefined || left.includes(keyword) || isVoid(keyword, value)) continue;
      if (mapsOfSchemas.includes(keyword)) members[keyword] = this.#each(value, below);
      else if (schemas.includes(keyword))
        members[keyword] = typeof value === 'boolean' ? value : this.#written(value, below);
      else if (listsOfSchemas.includes(keyword))
        members[keyword] = Array.isArray(value) ? value.map((one) => this.#written(one, below)) : [];
      else if (keyword === 'const') members['enum'] = [value];
      else if (keyword === 'examples') Object.assign(members, example(value));
      else if (keyword === 'pattern') Object.assign(members, this.#pattern(value, at));
      else if (values.includes(keyword) || typeof value !== 'function') members[keyword] = value;
    }
    return withoutNull(members);
  }

  #each(value: unknown, at: Position): OpenApiObject {
    if (!isObject(value)) return {};
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#written(one, at)]));
  }

  #pattern(value: unknown, { owner }: Position): OpenApiObject {
    try {
      new RegExp(String(value), 'u');
      return { pattern: value };
    } catch {
      this.warn(
        `${owner}: the pattern '${String(value)}' of a schema is no regular expression: it is left out`,
      );
      return {};
    }
  }
}

interface Position extends SchemaPlace {
  /** The schema that local references start at. */
  readonly root: unknown;
  readonly depth: number;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** OpenAPI 3.0 knows no empty list of required members. */
function isVoid(keyword: string, value: unknown): boolean {
  return keyword === 'required' && Array.isArray(value) && value.length === 0;
}

/** OpenAPI 3.0 has one example. */
function example(value: unknown): OpenApiObject {
  return Array.isArray(value) && value.length > 0 ? { example: value[0] as unknown } : {};
}

/** Null, said in the way of OpenAPI 3.0. */
function withoutNull(schema: Record<string, unknown>): OpenApiObject {
  const { type, ...rest } = schema;
  const choice = (['anyOf', 'oneOf'] as const).find((keyword) => Array.isArray(schema[keyword]));
  if (choice !== undefined) return choosingNull(schema, choice);
  const types = [type ?? []].flat();
  const others = types.filter((one) => one !== 'null');
  const [only] = others;
  if (types.length === 0) return schema;
  if (only === undefined) return { ...rest, enum: [null] };
  const isNullable = others.length < types.length ? { nullable: true } : {};
  if (others.length === 1) return listed({ ...rest, type: only, ...isNullable });
  const choices = others.map((one) => listed({ ...rest, type: one }));
  return { anyOf: isNullable.nullable === true ? [...choices, { enum: [null] }] : choices };
}

/** A single choice beside null is nullable itself, where it has a type to be it; others get a choice that is null. */
function choosingNull(schema: Record<string, unknown>, keyword: 'anyOf' | 'oneOf'): OpenApiObject {
  const choices = schema[keyword] as readonly OpenApiObject[];
  const isNull = ({ enum: allowed }: OpenApiObject): boolean =>
    Array.isArray(allowed) && allowed.length === 1 && allowed[0] === null;
  const others = choices.filter((one) => !isNull(one));
  const [only] = others;
  if (only === undefined || others.length !== 1) return schema;
  const { [keyword]: _choices, ...rest } = schema;
  if (choices.length === 1) return Object.keys(rest).length === 0 ? only : { ...rest, allOf: [only] };
  if (typeof only['type'] !== 'string') return schema;
  const allowed: unknown = only['enum'];
  const withNull =
    Array.isArray(allowed) && !allowed.includes(null) ? { enum: [...(allowed as unknown[]), null] } : {};
  return { ...only, ...rest, nullable: true, ...withNull };
}

/** OpenAPI 3.0 wants to know of every list what is in it. */
function listed(schema: OpenApiObject): OpenApiObject {
  return schema['type'] === 'array' && schema['items'] === undefined ? { ...schema, items: {} } : schema;
}
