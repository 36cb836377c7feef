import type { KindTraits } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { IdempotencyOptions } from '../../endpoint/options/endpoint.options.js';
import { TextReply } from '../../endpoint/reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { canonicalPath, requestPath } from '../../endpoint/route.pattern.js';
import type { KeptAnswers, KeptRequest, RequestMark } from '../../records/idempotency/kept.answers.js';
import { Conflict, ServiceUnavailable } from '../../wire/refusals.js';
import { Idempotency } from '../write/idempotency.js';
import { RequestMarks } from '../write/request.marks.js';
import { RequestSender } from '../write/request.sender.js';

const samePath = { textOf: (path: string): string => canonicalPath(requestPath(path).segments) };

/** Answers a batch that was sent before under the same `Idempotency-Key`. Made once per endpoint. */
export class KeptBatch implements KindTraits {
  readonly reads = ['Idempotency-Key'];
  readonly keepsAnswers = true;

  private constructor(
    private readonly kept: KeptAnswers,
    private readonly marks: RequestMarks,
  ) {}

  /** Undefined for an endpoint that reads no keys. @throws ConfigurationError where answers cannot be kept */
  static of(context: KindContext, source: IdempotencyOptions): KeptBatch | undefined {
    const { idempotency = false } = source;
    if (idempotency === false) return undefined;
    const sender = RequestSender.of(context, undefined, source.idempotencySender);
    const kept = Idempotency.keptFor(context);
    const marks = new RequestMarks(context, kept, idempotency === 'required', sender, samePath);
    return new KeptBatch(kept, marks);
  }

  /** Makes the mark by which the request is known; undefined when it brings no key. @throws BadRequest */
  markOf(request: EndpointRequest, body: ReadonlyMap<string, unknown>): Promise<RequestMark | undefined> {
    return this.marks.markOf(request, body);
  }

  /**
   * Runs a batch once for a mark. Its answer is kept together with what it writes, or undone with it.
   *
   * @param run gives the JSON text of the data
   * @throws Conflict when the key belongs to another request
   */
  async once(
    { session }: EndpointRequest,
    mark: RequestMark,
    run: () => Promise<string>,
  ): Promise<TextReply> {
    const { kept, marks } = this;
    const known = await kept.findLive(session, mark);
    if (known !== undefined) return replayOf(known, mark);
    return session.shared(async () => {
      if (!(await kept.claim(session, mark, marks.time)))
        return replayOf(await kept.find(session, mark), mark);
      const data = await run();
      const reply = new TextReply(data);
      const { statusCode, entityTag } = reply;
      await kept.keep(session, mark, { statusCode, data, entityTag, recordKey: undefined });
      return reply;
    });
  }
}

function replayOf(first: KeptRequest | undefined, mark: RequestMark): TextReply {
  // Swept in this very moment, on a database that does not lock what it looks at.
  if (first === undefined) throw new ServiceUnavailable();
  if (first.request !== mark.request)
    throw new Conflict('The Idempotency-Key was sent with another request before');
  return new TextReply(first.data, undefined, first.statusCode, Idempotency.replayed);
}
