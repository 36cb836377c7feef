import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { HeaderDescription } from '../description/operation.description.js';
import type { AnswerSchemas } from './answers.js';

const members = {
  type: { type: 'string', enum: ['about:blank'], description: 'The status code says what it is.' },
  title: { type: 'string', description: 'The status code in words.' },
  status: { type: 'integer', minimum: 400, maximum: 599 },
  detail: { type: 'string', description: 'Says in one sentence what is wrong.' },
} as const satisfies Record<string, JsonSchema>;

const required = ['type', 'title', 'status'];

const problem: JsonSchema = {
  $ref: new NamedSchema('Problem', {
    type: 'object',
    description: 'Problem details (RFC 9457).',
    properties: members,
    required,
    additionalProperties: false,
  }),
};

const inputProblem: JsonSchema = {
  $ref: new NamedSchema('InputProblem', {
    type: 'object',
    description: 'Problem details (RFC 9457) with what is wrong by member.',
    properties: {
      ...members,
      errors: {
        type: 'object',
        description: 'Messages by JSON pointer (RFC 6901).',
        additionalProperties: { type: 'string' },
        examples: [{ '/name': "'name' is required." }],
      },
    },
    required: [...required, 'errors'],
    additionalProperties: false,
  }),
};

const link: HeaderDescription = {
  description: 'The pages around this one (RFC 8288): `first`, `prev` and `next`.',
};

const total: HeaderDescription = {
  description: 'The number of matching records.',
  schema: { type: 'integer', minimum: 0 },
};

/** The schemas of plain answers, which are the same in every casing: what is cased is the data. */
export const plainSchemas: AnswerSchemas = {
  success: ({ data }) => data,
  pageHeaders: (paging) => ({
    Link: link,
    ...(paging === 'any' || paging.counts ? { 'X-Total-Count': total } : {}),
  }),
  refusals: { client_error: problem, input_errors: inputProblem, failure: problem },
  early: {},
};
