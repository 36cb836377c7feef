import type { KindContext } from '../../endpoint/kind.context.js';
import type { EnvelopedAnswer } from '../../endpoint/description/operation.description.js';
import { termSchema } from '../../model/column.schema.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { ColumnPath, Model } from '../../model/model.js';
import { subjectOf } from '../record/record.description.js';
import type { BulkShown } from './bulk.options.js';
import type { BulkOutput } from './bulk.output.js';

/** An object with these members, and no others. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false };
}

/** A list with at least one entry. */
export function entriesOf(items: JsonSchema, maxItems: number): JsonSchema {
  return { type: 'array', items, minItems: 1, maxItems };
}

/** The schema of what a client calls a record by. */
export function keySchema({ column }: ColumnPath, forcesText = false): JsonSchema {
  return termSchema(column, forcesText);
}

/** The answer with many records, or with what they are called by. */
export function listedAnswer(
  context: KindContext,
  model: Model,
  output: BulkOutput,
  { answer = 'records' }: { readonly answer?: BulkShown | undefined },
): EnvelopedAnswer {
  const name = `${subjectOf(context, model)}${answer === 'ids' ? 'Ids' : 'Records'}`;
  return { kind: 'envelope', name, data: output.schema() };
}

/** A body that documents know by a name. */
export function namedBody(
  name: string,
  schema: JsonSchema,
): { readonly schema: JsonSchema; readonly isRequired: true } {
  return { schema: { $ref: new NamedSchema(name, schema) }, isRequired: true };
}
