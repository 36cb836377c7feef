import type { Handler, KindTraits } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { dropReply } from '../../endpoint/dropped.reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { RawReply } from '../../endpoint/reply.js';
import type { HeaderLines } from '../../wire/answer.js';
import { entityTags, type EntityTagList } from '../../wire/entity.tag.list.js';

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
    if (!isAmong(entityTag, known)) return reply;
    dropReply(reply);
    // Caches put the headers of a 304 into the answer that they have: a type of its own would be that answer's (RFC 9110, 15.4.5).
    return new RawReply('', '', headers, notModified, false, reply.entityTag);
  };
}

/**
 * True if the client says that it has the answer with this tag. A kind that sends parts of answers asks this first: a client that
 * has the whole gets no part of it (RFC 9110, 13.2.2).
 */
export function isKnown({ headers }: Pick<EndpointRequest, 'headers'>, entityTag: string): boolean {
  const text = headers['if-none-match'];
  return text !== undefined && isAmong(entityTag, entityTags('If-None-Match', text));
}

/** True if a tag is listed; the weak comparison counts (RFC 9110, 13.1.2). */
function isAmong(entityTag: string, known: EntityTagList | 'any'): boolean {
  return known === 'any' || known.weak.includes(entityTag.slice(1, -1));
}

/** The entity tag that a kind of the user's puts among its headers. */
function tagIn(headers: HeaderLines): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'etag')?.[1];
}
