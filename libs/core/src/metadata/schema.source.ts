import { classSchema, type SchemaSide } from './classes/class.schema.js';
import { UnknownSchema, type JsonSchema } from '../model/json.schema.js';

/** A schema that may tell itself as JSON Schema: Standard JSON Schema 1, as zod has it. */
interface StandardSchema {
  readonly '~standard': { readonly version: number; readonly vendor: string };
}

/**
 * The form of values: a JSON Schema, a class whose properties have decorators of class-validator or `@nestjs/swagger`, or
 * a Standard Schema (https://standardschema.dev) that can tell itself as JSON Schema.
 */
export type SchemaSource = JsonSchema | StandardSchema | (abstract new (...parameters: never[]) => object);

type Converter = Readonly<Partial<Record<SchemaSide, (options: { readonly target: string }) => JsonSchema>>>;

/** The JSON Schema of a source. One that cannot tell it allows any value in documents. */
export function jsonSchemaOf(source: SchemaSource, side: SchemaSide): JsonSchema {
  if ('~standard' in source) return standardSchema(source, side);
  return typeof source === 'function' ? classSchema(source, side) : source;
}

function standardSchema({ '~standard': standard }: StandardSchema, side: SchemaSide): JsonSchema {
  const { jsonSchema } = standard as { readonly jsonSchema?: Converter };
  const convert = jsonSchema?.[side];
  if (convert === undefined)
    return unknown(`a schema of ${standard.vendor} does not tell itself as JSON Schema`);
  try {
    return convert({ target: 'draft-2020-12' });
  } catch (error) {
    return unknown(error instanceof Error ? error.message : String(error));
  }
}

function unknown(reason: string): JsonSchema {
  return { $ref: new UnknownSchema(reason) };
}
