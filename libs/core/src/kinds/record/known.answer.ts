import type { Handler, KindTraits } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { RawReply } from '../../endpoint/reply.js';
import { jsonContentType, type HeaderLines } from '../../wire/answer.js';
import { entityTags } from '../../wire/entity.tag.list.js';

const ok = 200;
const notModified = 304;

/** The traits of a kind whose answers clients may have already. */
export const conditional = {
  isConditional: true,
  reads: ['If-None-Match'],
} as const satisfies KindTraits;

/** The description of such a handler. */
export const conditionalRead = {
  isConditional: true,
  headerParameters: {
    'If-None-Match': {
      description: 'Entity tags of answers that the client has: a 304 says that one is still right.',
    },
  },
} as const satisfies Partial<OperationDescription>;

/**
 * A handler for requests with `If-None-Match`: it answers a client which has the answer already with its tag alone, a
 * 304.
 */
export function notModifiedWhereKnown(handler: Handler): Handler {
  return async (request) => {
    const known = entityTags('If-None-Match', request.headers['if-none-match'] ?? '');
    const reply = await handler(request);
    const { headers, statusCode } = reply;
    const entityTag = reply.entityTag ?? tagIn(headers);
    if (entityTag === undefined || statusCode !== ok) return reply;
    if (known !== 'any' && !known.weak.includes(entityTag.slice(1, -1))) return reply;
    return new RawReply('', jsonContentType, headers, notModified, false, reply.entityTag);
  };
}

/** The entity tag that a kind of the user's puts among its headers. */
function tagIn(headers: HeaderLines): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'etag')?.[1];
}
