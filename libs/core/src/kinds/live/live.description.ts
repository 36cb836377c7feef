import type { KindContext } from '../../endpoint/kind.context.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { Representation } from '../../endpoint/answers/representation.js';

/** The description of an endpoint with its stream beside it, where it has one. */
export function liveDescribed(
  { names }: KindContext,
  representations: readonly Representation[],
  described: OperationDescription,
): OperationDescription {
  if (representations.length === 0) return described;
  const [data, id, snapshot] = ['data', 'id', 'snapshot'].map((word) => names.control(word));
  const mediaType = representations[0]?.mediaType;
  const { queryParameters = {}, headerParameters, refusals = [] } = described;
  const description = `Server-sent events. \`snapshot\` has the first page as \`${data}\`; \`changed\` a new or changed record as \`${data}\`; \`left\` the \`${id}\` of a record that is none of these any more; \`reset\` says to forget all of it; \`ping\` says nothing.`;
  return {
    ...described,
    queryParameters:
      queryParameters === 'any'
        ? 'any'
        : {
            ...queryParameters,
            [String(snapshot)]: {
              type: 'boolean',
              description: 'Of a stream: `false` leaves the first page out.',
              ...(mediaType === undefined ? {} : { 'x-media-type': mediaType }),
            },
          },
    headerParameters: {
      ...headerParameters,
      'Last-Event-ID': {
        description: 'Of a stream: the last `id` that the client has, to go on from there.',
      },
    },
    representations: Object.fromEntries(
      representations.map(({ mediaType }) => [mediaType, { type: 'string', description }]),
    ),
    refusals:
      refusals === 'any' ? refusals : [...new Set([...refusals, 'badRequest', 'tooManyRequests'] as const)],
  };
}
