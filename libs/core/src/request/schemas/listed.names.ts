import { NamedSchema, UnknownSchema, type JsonSchema } from '../../model/json.schema.js';
import { jsonSchemaOf, type SchemaSource } from '../../metadata/schema.source.js';

/** The form of one parameter's values: always a list, a list where it is repeated, or the last value. */
export type ParameterForm = 'list' | 'either' | 'last';

/**
 * Says what a schema takes as a list, where one name may be sent several times.
 *
 * @returns the form of a name; undefined where the schema does not tell what it takes
 */
export function parameterForms(source: SchemaSource): ((name: string) => ParameterForm) | undefined {
  const root = jsonSchemaOf(source, 'input');
  const resolved = resolve(root, root);
  if (resolved === undefined) return undefined;
  const { properties = {}, additionalProperties = false } = resolved;
  const others = typeof additionalProperties === 'object' ? formOf(additionalProperties, root) : 'last';
  const forms = new Map(Object.entries(properties).map(([name, schema]) => [name, formOf(schema, root)]));
  return (name) => forms.get(name) ?? others;
}

/** The names of the parameters that a schema tells of; undefined where it does not tell what it takes. */
export function declaredNames(source: SchemaSource): ReadonlySet<string> | undefined {
  const root = jsonSchemaOf(source, 'input');
  const resolved = resolve(root, root);
  return resolved === undefined ? undefined : new Set(Object.keys(resolved.properties ?? {}));
}

/** A schema that says nothing may be told anything: what it is made of judges itself. */
function formOf(schema: JsonSchema, root: JsonSchema): ParameterForm {
  const types = typesOf(schema, root, 0).filter((type) => type !== 'null');
  if (!types.includes('array') && !types.includes('any')) return 'last';
  return types.every((type) => type === 'array') ? 'list' : 'either';
}

/** The most references that may lead from one to the next: they may go around. */
const deepest = 16;

function typesOf(schema: JsonSchema, root: JsonSchema, depth: number): readonly string[] {
  const found = depth > deepest ? undefined : resolve(schema, root);
  if (found === undefined) return ['any'];
  const { type, anyOf, oneOf, allOf, const: constant } = found;
  if (type !== undefined) return [type].flat();
  if (constant !== undefined || found.enum !== undefined) return ['string'];
  const parts = anyOf ?? oneOf ?? allOf;
  if (parts === undefined) return ['any'];
  const all = parts.flatMap((part) => typesOf(part, root, depth + 1));
  // All parts hold at once: what one of them says decides.
  return parts === allOf && all.some((one) => one !== 'any') ? all.filter((one) => one !== 'any') : all;
}

/** A schema itself, where it may stand behind a name; undefined where nobody knows it. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const { $ref } = schema;
  if ($ref === undefined) return schema;
  if ($ref instanceof UnknownSchema) return undefined;
  if ($ref instanceof NamedSchema) return $ref.schema;
  const name = /^#\/\$defs\/(.+)$/.exec($ref)?.[1];
  return name === undefined ? root : root.$defs?.[name];
}
