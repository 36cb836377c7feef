import type { DocumentedOutput } from '@nest-endpoints/core/internal';
import type { PlainSchemas } from './plain.schema.js';
import type { ObjectSchema } from './tool.js';

/** The schema of what a call gives: the data of the endpoint's answer, and the pagination beside it. */
export function toolOutputOf({ data, pagination }: DocumentedOutput, schemas: PlainSchemas): ObjectSchema {
  return {
    type: 'object',
    properties: {
      data: schemas.plain(data),
      pagination: schemas.plain(pagination),
      entity_tag: { type: 'string', description: 'The version of the record, for if_match.' },
    },
    required: ['data', 'pagination'],
    additionalProperties: false,
  };
}
