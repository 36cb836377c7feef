import type { OperationDescription } from '../endpoint/description/operation.description.js';
import { NamedSchema, type JsonSchema } from '../model/json.schema.js';

/** Complaints of our own types, by the type that a value is of. */
const wrong: Readonly<Record<string, string>> = {
  integer: 'value should be an integer',
  number: 'value should be a number',
  boolean: 'value should be a boolean',
  array: 'value should be a list',
};

/** A complaint that an operation may be refused with: a member of its own body, or one of its parameters. */
export function refusedSample(operation: OperationDescription): readonly [name: string, message: string] {
  const { properties = {}, required = [] } = plain(operation.body?.schema ?? {});
  const { queryParameters, requiredParameters = [], pathParameters = {} } = operation;
  const asked = queryParameters === 'any' ? {} : (queryParameters ?? {});
  const must = [...required, ...requiredParameters][0];
  if (must !== undefined) return [must, `'${must}' is required.`];
  const [name, schema] = Object.entries({ ...pathParameters, ...asked, ...properties }).at(-1) ?? [];
  if (name === undefined) return ['name', "'name' is required."];
  const [type = ''] = [plain(schema ?? {}).type ?? []].flat();
  return [name, wrong[type] ?? 'value is not allowed'];
}

function plain(schema: JsonSchema): JsonSchema {
  return schema.$ref instanceof NamedSchema ? schema.$ref.schema : schema;
}
