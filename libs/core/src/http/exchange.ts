import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '../access/request.context.js';
import type { EndpointFacts, RequestScope } from '../endpoint/endpoint.context.js';
import type { NativeSource } from '../endpoint/request/endpoint.request.js';
import type { RawBody } from '../request/raw.body.js';
import type { Database } from '../database/database.js';
import type { Identity } from '../model/registered.identity.js';
import type { Scoped } from '../visibility/scoped.records.js';
import type { Session } from '../visibility/session.js';
import type { FoundRoute } from '../routing/route.table.js';
import type { Answer, HeaderLines } from '../wire/answer.js';
import type { StatusWord } from '../wire/outcome.table.js';
import type { Refusal } from '../wire/refusals.js';
import type { Lane } from './admission/lane.js';
import type { PartOutcome } from './dispatch/part.outcome.js';
import type { RequestFigures } from './observation/request.figures.js';
import type { Outcome, Responder } from './responder.js';

const noBody: RawBody = { kind: 'none' };

/** A request or a response as Node has it above HTTP/1. */
interface Framed {
  readonly stream?: {
    readonly endAfterHeaders: boolean;
    readonly destroyed: boolean;
    readonly aborted: boolean;
    readonly rstCode: number | undefined;
  };
}

/** Finds who answers a request. */
interface Finder {
  responderOf(native: unknown, exchange: Exchange): Responder;
}

/**
 * Exchange of one request for one answer, on its way through the pipeline. Each step leaves here what the steps after it
 * need. `EndpointContext` tells of it, too.
 */
export class Exchange implements RequestScope, Outcome {
  response: ServerResponse | undefined;
  /** The reason for refusing it before anything of it is looked at; undefined where nothing is wrong with it. */
  flaw: Refusal | undefined;
  /** The figures that are measured; undefined where nobody wants to know. */
  figures: RequestFigures | undefined;
  /** The body as it came, once it is collected. */
  body = noBody;
  /** True once its body was left where it is until limits have let it in. */
  isBodyAwaited = false;
  /** The headers that limits tell of themselves; undefined where none has judged it. */
  limitLines: HeaderLines | undefined;
  /** Among which requests it has a place; undefined while it has none. */
  lane: Lane | undefined;
  /** The platform's own request, or Node's on the straight road, once the body is collected. */
  native: unknown;
  /** The source of the platform's request on the straight road, where {@link native} is Node's. */
  source: NativeSource | undefined;
  /** Finds who answers, when somebody first asks: middleware of the user's may do so, and change the request before. */
  finder: Finder | undefined;
  /** The responder; undefined until somebody has asked. */
  responder: Responder | undefined;
  /** The request line that its route was found by: somebody may change it before the platform looks. */
  readonly method: string | undefined;
  url: string | undefined;
  answer: Answer | undefined;
  refusedAs: StatusWord | undefined;
  /** The outcome as the request is told of which this one is a part; undefined for most. */
  part: PartOutcome | undefined;
  /** The session of the request that this one is a part of, in which it takes part; undefined for most. No client can put one here. */
  whole: Session | undefined;

  constructor(
    readonly raw: IncomingMessage,
    public route: FoundRoute,
  ) {
    this.method = raw.method;
    this.url = raw.url;
  }

  /** True if the request announces a body. */
  get hasBody(): boolean {
    const { raw } = this;
    // Above HTTP/1 frames say where a body ends, so that it needs no header.
    if (raw.httpVersionMajor > 1) return (raw as Framed).stream?.endAfterHeaders !== true;
    const { 'transfer-encoding': coding, 'content-length': length } = raw.headers;
    return coding !== undefined || (length !== undefined && Number(length) !== 0);
  }

  get requestId(): string {
    return this.#known.request.requestId;
  }

  get identity(): Identity {
    return this.#known.request.authorizationData;
  }

  get endpoint(): EndpointFacts {
    const responder = this.#known;
    if (responder.kind === 'endpoint') return responder.endpoint.facts;
    throw new Error('Nobody answers this request, so that nothing runs as part of it');
  }

  get view(): RequestContext {
    return this.#known.request.context();
  }

  get scoped(): Scoped {
    return this.#known.request.scoped;
  }

  sessionOn(database: Database): Session | undefined {
    const responder = this.#known;
    const isOurs = responder.kind === 'endpoint' && responder.endpoint.database === database;
    if (!isOurs) return undefined;
    return responder.sender.isKnown ? responder.request.session : responder.sender.nobody;
  }

  /**
   * Lets go of what only the answer needed. Node's timer of an idle connection keeps the context of the last request, and that
   * keeps this exchange: thousands of idle clients would hold as many bodies and answers. The session stays: work that nobody
   * waited for may still use its entity manager.
   */
  letGo(): void {
    this.answer = undefined;
    this.body = noBody;
  }

  statementEnded(took: number): void {
    this.figures?.statementEnded(took);
  }

  get #known(): Responder {
    const responder = this.responder ?? this.finder?.responderOf(this.native, this);
    if (responder !== undefined) return responder;
    throw new Error('Nobody knows yet who answers this request');
  }
}

/**
 * True if nothing reaches the client of a response any more: it has gone, or its answer is out or was cut. Node's responses of HTTP/2
 * say neither that they are closed nor that they are destroyed: their streams do.
 */
export function hasLeft(response: ServerResponse): boolean {
  return response.destroyed || response.closed || (response as Framed).stream?.destroyed === true;
}

/** True if a client of HTTP/2 has given its request up. Node ends what it has read of the body as if it were whole. */
export function isReset(request: IncomingMessage): boolean {
  const { stream } = request as Framed;
  return stream !== undefined && (stream.aborted || (stream.rstCode ?? 0) !== 0);
}
