import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyStream, RawBody } from '../request/raw.body.js';
import type { Refusal } from '../wire/refusals.js';
import type { BodyLimits } from './body.collector.js';

/** Counts a wait for the client, which may end in a refusal. @returns what ends the wait */
export type BodyWait = (refuse: (refusal: Refusal) => void) => () => void;

/**
 * Makes a stream of the body of a request. Each wait for the client is limited; what is not read is not taken from the
 * connection, so that a client sends no faster than its body is worked on.
 *
 * @param begin is called before the first byte is asked for
 */
export function bodyStream(
  request: IncomingMessage,
  { depth, untyped }: Pick<BodyLimits, 'depth' | 'untyped'>,
  begin: () => void,
  wait: BodyWait,
): BodyStream {
  const { headers } = request;
  const length = headers['transfer-encoding'] === undefined ? headers['content-length'] : undefined;
  return {
    kind: 'stream',
    contentType: headers['content-type'] ?? untyped,
    contentEncoding: headers['content-encoding'],
    announced: length === undefined ? undefined : Number(length),
    depth,
    async *chunks() {
      begin();
      // Not to be destroyed with its reader: the answer is still to be sent on its socket.
      const all = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
      try {
        for (;;) {
          const { done, value } = await awaited(all, wait);
          if (done === true) return;
          yield value;
        }
      } finally {
        // One that still waits for the client would answer when the client does.
        void all.return?.().catch(() => undefined);
      }
    },
  };
}

function awaited(
  all: AsyncIterator<Buffer, undefined>,
  wait: BodyWait,
): Promise<IteratorResult<Buffer, undefined>> {
  return new Promise((resolve, reject) => {
    const end = wait(reject);
    all.next().finally(end).then(resolve, reject);
  });
}

/** Makes a stream of a body that somebody has read already. */
export function streamOf(body: RawBody, { depth }: Pick<BodyLimits, 'depth'>): RawBody {
  if (body.kind !== 'bytes') return body;
  const { bytes, contentType, contentEncoding } = body;
  return {
    kind: 'stream',
    contentType,
    contentEncoding,
    announced: bytes.length,
    depth,
    chunks: () => Readable.from([bytes]),
  };
}
