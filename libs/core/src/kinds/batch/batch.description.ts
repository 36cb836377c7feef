import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { httpMethods } from '../../endpoint/http.method.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { IdempotencyOptions } from '../../endpoint/options/endpoint.options.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import { casingSuffix } from '../record/record.description.js';
import { Idempotency } from '../write/idempotency.js';
import { ownHeaders, targetPattern } from './operation.shape.js';

const text: JsonSchema = { type: 'string' };
const path: JsonSchema = {
  type: 'string',
  pattern: `^${targetPattern}$`,
  description: 'With the query string; {trip.id} is a value of an earlier answer.',
};
const name: JsonSchema = {
  type: 'string',
  pattern: '^[A-Za-z]\\w{0,63}$',
  description: 'A name for the answer, by which later operations refer to it.',
};

const headers: JsonSchema = {
  type: 'object',
  additionalProperties: text,
  description: `Of these: ${ownHeaders.join(', ')}.`,
};

/** Describes a batch in one generic schema: what an operation takes and gives is told at its own path. */
export function batchDescription(
  context: KindContext,
  most: number,
  source: IdempotencyOptions,
): OperationDescription {
  const word = (one: string): string => context.names.control(one);
  const suffix = casingSuffix(context);
  const replay = Idempotency.described(source);
  const operation = objectOf(
    [
      [word('method'), { type: 'string', enum: httpMethods }],
      [word('path'), path],
      [word('headers'), headers],
      [word('body'), { description: 'The JSON body; left out for none.' }],
      [word('as'), name],
      [
        word('with'),
        {
          type: 'object',
          additionalProperties: text,
          description: 'Members of the body that are values of earlier answers, e.g. trip.id.',
        },
      ],
    ],
    [word('method'), word('path')],
  );
  const answer = objectOf(
    [
      [word('status_code'), { type: 'integer' }],
      [word('data'), {}],
      [word('pagination'), { type: 'object' }],
      [word('entity_tag'), text],
    ],
    [word('status_code'), word('data'), word('pagination')],
  );
  const operations: JsonSchema = {
    type: 'array',
    items: { $ref: new NamedSchema(`BatchOperation${suffix}`, operation) },
    minItems: 1,
    maxItems: most,
  };
  return {
    verb: 'batch',
    summary: 'Run several operations as one',
    description:
      'Runs operations one after the other in one transaction. The first that does not succeed undoes all of them, and the answer has its status.',
    body: { schema: objectOf([[word('operations'), operations]], [word('operations')]), isRequired: true },
    headerParameters: replay.headerParameters,
    answer: {
      kind: 'envelope',
      name: `BatchAnswer${suffix}`,
      data: { type: 'array', items: { $ref: new NamedSchema(`BatchResult${suffix}`, answer) } },
      headers: replay.headers,
    },
    refusals: 'any',
    runsCallables: true,
  };
}

function objectOf(
  properties: readonly (readonly [string, JsonSchema])[],
  required: readonly string[] = [],
): JsonSchema {
  const schema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
  return required.length === 0 ? schema : { ...schema, required };
}
