import { jsonSchemaOf } from '../../metadata/schema.source.js';
import type { KindTraits } from '../compiled.kind.js';
import type { Endpoint } from '../endpoint.js';
import type { OperationDescription } from './operation.description.js';

/** The description of an endpoint whose kind tells nothing of it: any parameters and any JSON, but `outputSchema`. */
export function unknownOperation(
  { kind, readsBody, options }: Endpoint,
  { isConditional = false }: KindTraits,
): OperationDescription {
  const { outputSchema } = options;
  return {
    verb: kind.charAt(0).toLowerCase() + kind.slice(1),
    summary: kind,
    body: readsBody ? { schema: { type: 'object' }, isRequired: false } : undefined,
    queryParameters: 'any',
    answer: {
      kind: 'envelope',
      data: outputSchema === undefined ? {} : jsonSchemaOf(outputSchema, 'output'),
      paging: 'any',
    },
    isConditional,
    refusals: 'any',
  };
}
