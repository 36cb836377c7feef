import type { Handler, KindTraits } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { RawReply, type Reply } from '../../endpoint/reply.js';
import { jsonContentType } from '../../wire/answer.js';
import { EntityTagList } from '../../wire/entity.tag.list.js';

const ok = 200;
const notModified = 304;

/** The traits of a kind whose answers clients may have already. */
export const conditional = {
  isConditional: true,
  reads: ['If-None-Match'],
} as const satisfies KindTraits;

/** What documents tell of such a handler. */
export const conditionalRead = {
  isConditional: true,
  headerParameters: {
    'If-None-Match': {
      description: 'Entity tags of answers that the client has: a 304 says that one is still right.',
    },
  },
} as const satisfies Partial<OperationDescription>;

/** A handler that answers a client which has the answer already, by `If-None-Match`, with its tag alone: a 304. */
export function notModifiedWhereKnown(handler: Handler): Handler {
  return async (request) => {
    const { 'if-none-match': header } = request.headers;
    if (header === undefined) return handler(request);
    const known = EntityTagList.parse('If-None-Match', header);
    const reply = await handler(request);
    const tag = tagOf(reply);
    if (tag === undefined || reply.statusCode !== ok || !known.hasWeakly(tag)) return reply;
    return new RawReply('', jsonContentType, reply.headers, notModified);
  };
}

function tagOf({ headers }: Reply): string | undefined {
  return headers.find(([name]) => name === 'ETag')?.[1].slice(1, -1);
}
