import type { IncomingHttpHeaders } from 'node:http';
import type { Storage } from './storage.js';
import type { Replicas } from '../replicas/replicas.js';
import type { WriteMark } from '../replicas/write.mark.js';
import type { HeaderLine } from '../wire/answer.js';
import { BadRequest, Refusal } from '../wire/refusals.js';
import type { Handler } from './compiled.kind.js';
import type { Effect } from './endpoint.js';
import type { EndpointRequest } from './request/endpoint.request.js';
import { isSafe } from './http.method.js';
import type { OperationDescription } from './description/operation.description.js';
import { StreamBody } from '../wire/stream.body.js';
import { PlainReply, RawReply, TextReply, type Reply } from './reply.js';
import { dropReply } from './dropped.reply.js';
import type { ConsistencyToken } from '../replicas/consistency.token.js';
import { RecentWrites } from '../replicas/recent.writes.js';

/** The header in which an answer says what was written, and a request what must be seen. */
export const consistencyHeader = 'X-Consistency';

const headerKey = 'x-consistency';

/** Has clients read what they have written to one database (decision 0037). */
export class ReadYourWrites {
  readonly #name: string;
  readonly #replicas: Replicas | undefined;

  /**
   * @param storage undefined in an application without MikroORM
   * @param time how long a write is taken to be on its way where nobody can tell, in milliseconds
   * @param tell hears why the primary could not say where its log stands; then time alone decides
   * @param now in milliseconds since 1970
   */
  constructor(
    storage: Storage | undefined,
    private readonly token: ConsistencyToken,
    private readonly time: number,
    private readonly tell: (error: unknown) => void,
    private readonly recent = new RecentWrites(),
    private readonly now: () => number = Date.now,
  ) {
    this.#replicas = storage?.replicas;
    this.#name = storage?.database.orm.config.get('contextName') ?? '';
    this.#replicas?.whenTold(() => {
      this.#sweep();
    });
  }

  /** Collects the writes that a client must see: those that its token names, and those that are remembered for it. */
  marksOf(request: EndpointRequest): readonly WriteMark[] {
    const { expected, authorizationData } = request;
    const remembered = [...this.recent.of(authorizationData)];
    return expected === undefined ? remembered : [expected, ...remembered];
  }

  /** A handler that gives tokens. */
  around(handler: Handler, effect: Effect): Handler {
    const replicas = this.#replicas;
    if (replicas === undefined) return handler;
    return async (request) => {
      // What a part writes is committed with the whole, which tells.
      if (request.isPart || !writes(effect, request)) return handler(request);
      const reply = await this.#remembered(request, handler);
      const { authorizationData: who, cancellation } = request;
      const body = streamed(reply);
      // What it wrote is committed, and its answer will say so. What makes a stream must still hear that its client has gone.
      if (body === undefined) cancellation.forbid();
      try {
        const mark =
          body === undefined ? await this.#remember(who, replicas) : this.#rememberFlow(who, body, replicas);
        return withHeader(reply, [consistencyHeader, this.token.seal(this.#name, mark)]);
      } catch (error) {
        dropReply(reply);
        throw error;
      }
    };
  }

  /** Adds the headers to the description of an operation. */
  describe(description: OperationDescription, effect: Effect): OperationDescription {
    const { headerParameters, answer } = description;
    const read = {
      ...description,
      headerParameters: {
        ...headerParameters,
        [consistencyHeader]: { description: 'What the answer to an earlier write said in it.' },
      },
    };
    const gives = effect !== 'reads' && this.#replicas !== undefined;
    if (!gives) return read;
    const said = { description: 'Sent back with later requests, it has them see what was written.' };
    return { ...read, answer: { ...answer, headers: { ...answer.headers, [consistencyHeader]: said } } };
  }

  /**
   * Reads the write that the client says it must see. It is asked before gates, because gates may read, and one request
   * reads in one place.
   *
   * @throws BadRequest for a token that none of these processes has given
   */
  judge(headers: IncomingHttpHeaders): WriteMark | undefined {
    const text = headers[headerKey];
    if (text === undefined) return undefined;
    const opened = typeof text === 'string' ? this.token.open(text) : undefined;
    if (opened === undefined)
      throw new BadRequest(
        `The header ${consistencyHeader} must be what an earlier answer of this service said in it`,
      );
    if (opened.database !== this.#name) return undefined;
    const { mark } = opened;
    return { ...mark, until: mark.at + this.time };
  }

  /** Remembers a write that failed for the service's own reasons, because nobody knows what it has done. */
  async #remembered(request: EndpointRequest, handler: Handler): ReturnType<Handler> {
    try {
      return await handler(request);
    } catch (error) {
      if (!(error instanceof Refusal) || error.statusCode >= 500)
        this.recent.add(request.authorizationData, this.#markAt(undefined));
      throw error;
    }
  }

  /** Remembers what is written while an answer flows. Its headers are out before that, so that they tell the time alone. */
  #rememberFlow(who: unknown, { readable }: StreamBody, replicas: Replicas): WriteMark {
    const mark = this.#markAt(undefined);
    this.recent.add(who, mark);
    readable.once('close', () => {
      this.recent.add(who, this.#markAt(undefined));
      // Who has gone may leave a write on its way: then time alone decides.
      if (readable.readableEnded) void this.#remember(who, replicas);
    });
    return mark;
  }

  /** Remembers what was just committed. */
  async #remember(who: unknown, replicas: Replicas): Promise<WriteMark> {
    const mark = this.#markAt(await this.#written(replicas));
    this.recent.add(who, mark);
    this.#sweep();
    replicas.ask();
    return mark;
  }

  /** Asks for the end of the log. The write is committed whether this is known or not, and is answered so. */
  async #written(replicas: Replicas): Promise<WriteMark['position']> {
    try {
      return await replicas.written();
    } catch (error) {
      this.tell(error);
      return undefined;
    }
  }

  #markAt(position: WriteMark['position']): WriteMark {
    const at = this.now();
    return { at, until: at + this.time, position };
  }

  #sweep(): void {
    const replicas = this.#replicas?.all ?? [];
    // Asking whether it has arrived has the question asked again, until it has.
    this.recent.sweep((mark) => replicas.every((replica) => replica.shows(mark)));
  }
}

function writes(effect: Effect, { method }: EndpointRequest): boolean {
  return effect === 'method' ? !isSafe(method) : effect === 'writes';
}

function streamed(reply: Reply): StreamBody | undefined {
  return reply instanceof RawReply && reply.body instanceof StreamBody ? reply.body : undefined;
}

function withHeader(reply: Reply, line: HeaderLine): Reply {
  const headers = [...reply.headers, line];
  const { statusCode, entityTag } = reply;
  if (reply instanceof RawReply) {
    const { body, contentType, isForwarded, takesType } = reply;
    return new RawReply(body, contentType, headers, statusCode, isForwarded, entityTag, takesType);
  }
  const { data, pagination, location } = reply;
  return reply instanceof TextReply
    ? new TextReply(reply.data, pagination, statusCode, headers, entityTag, location)
    : new PlainReply(data, pagination, statusCode, headers, entityTag, location);
}
