import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger, type Type } from '@nestjs/common';
import { EndpointContext } from '../endpoint/endpoint.context.js';
import { PlainReply, RawReply, TextReply, type Reply } from '../endpoint/reply.js';
import type { LimitGate } from '../endpoint/limits/limit.gate.js';
import { Shutdown } from '../endpoint/shutdown.js';
import { checkEscapes } from '../request/query.string.js';
import { Answer } from '../wire/answer.js';
import { BadRequest, Gone, NotFound, NotImplemented, type Refusal } from '../wire/refusals.js';
import { Reception } from './admission/reception.js';
import { AnswerSender, closeAfter, type WriteAnswer } from './answers/answer.sender.js';
import { dataAnswer, plainAnswer, rawAnswer } from './answers/answer.writer.js';
import { RefusalWriter } from './answers/refusal.writer.js';
import type { Exchange } from './exchange.js';
import { HttpEdge } from './http.edge.js';
import { Observation } from './observation/observation.js';
import { RequestWatch } from './request.watch.js';
import type { EndpointResponder } from './responder.js';

type Write = WriteAnswer<ServerResponse>;

/**
 * Pipeline of one request. {@link answer} is all of it, and what the straight road calls. On the platform's road Nest calls
 * each step from where it stands:
 *
 * 1. **route**: the route table finds the endpoint, when the request arrives ({@link Exchange}), on either road;
 * 2. **collect**: its turn on the connection, its body, and a place among the requests in flight ({@link Reception});
 * 3. **admit**: authenticate and authorize, before anything of the request is judged (the guard);
 * 4. **handle**: read input, validate, act, by what the endpoint's kind compiled at the start (the controller);
 * 5. **answer**: a reply in text is finished here, a plain one by the envelope and casing interceptors.
 *
 * Whatever is thrown on the way becomes an answer in the refusal writer, which the envelope filter calls there.
 */
@Injectable()
export class Pipeline {
  readonly #logger = new Logger('Endpoints');

  constructor(
    private readonly edge: HttpEdge,
    private readonly reception: Reception,
    private readonly watch: RequestWatch,
    private readonly observation: Observation,
    private readonly refusals: RefusalWriter,
    private readonly sender: AnswerSender,
    private readonly shutdown: Shutdown,
  ) {}

  /** Begins the exchange of a request. A listener of the server, before all others. */
  readonly route = (request: IncomingMessage, response: ServerResponse): void => {
    const exchange = this.edge.exchangeOf(request);
    exchange.response = response;
    const { headers, rawHeaders } = request;
    if (headers.host === undefined && this.edge.answersUnknownPaths && needsHost(request))
      exchange.flaw = new BadRequest(noHost);
    // Node keeps the first one, and tells nobody of the others.
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2)
      if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
    if (hosts > 1 || headers['transfer-encoding'] !== undefined) this.#findFlaw(exchange, hosts);
    if (this.shutdown.hasBegun || exchange.flaw !== undefined) closeAfter(response);
    if (this.observation.isOn) this.observation.begin(exchange, response);
    // A request line in absolute form has a path, too.
    const isSpeltSo = exchange.route.path.isCanonical && request.url?.startsWith('/') === true;
    if (exchange.flaw !== undefined || !isSpeltSo) this.edge.canonicalize(exchange);
  };

  /** Answers a request that nothing of the user's stands around. @param write writes an answer to the response */
  answer(exchange: Exchange, response: ServerResponse, write: Write): void {
    this.collect(exchange, exchange.raw, (refusal) => {
      this.#answer(exchange, refusal, response, write).catch((error: unknown) => {
        // Nobody is left to tell the client anything.
        this.#logger.error(error);
        response.destroy();
      });
    });
  }

  /**
   * Waits until a request can be worked on, or gives the refusal. What comes after it runs as part of the request, as
   * `EndpointContext` tells.
   *
   * @param native the platform's own request
   */
  collect(exchange: Exchange, native: unknown, done: (refusal?: Refusal) => void): void {
    const { match } = exchange.route;
    const isLimited =
      match?.kind === 'endpoint' && match.leaf.endpoint.readsBody && this.edge.isLimited(match.leaf);
    const received = (refusal?: Refusal): void => {
      if (refusal !== undefined) {
        done(refusal);
        return;
      }
      if (exchange.figures !== undefined && !exchange.isBodyAwaited)
        this.observation.bodyEnded(exchange.figures);
      if (match?.kind !== 'endpoint') {
        done();
        return;
      }
      exchange.native = native;
      exchange.finder = this.edge;
      EndpointContext.run(exchange, done);
    };
    this.reception.receive(exchange, received, isLimited);
  }

  /**
   * Finds out who sent a request, and whether they may use the endpoint.
   *
   * @param controller the one that Nest called. Routers match more than the contract does: Express ignores letter case,
   *   Fastify prefers fixed words
   * @throws NotFound where the route table has chosen another endpoint, or none
   */
  admit(native: unknown, controller: Type): true | Promise<true> {
    const responder = this.edge.responderOf(native);
    if (responder.kind === 'miss' || responder.endpoint.controller !== controller) throw new NotFound();
    return this.#admitted(responder, this.edge.exchangeOf(native));
  }

  /** Runs the endpoint's handler. A plain reply is given as it is. */
  async handle(native: unknown): Promise<Answer | Reply> {
    const responder = this.edge.responderOf(native);
    if (responder.kind === 'miss') throw new NotFound();
    const reply = await this.#handled(responder);
    return reply instanceof TextReply || reply instanceof RawReply ? answerOf(responder, reply) : reply;
  }

  /** Finds what is wrong with how a request to an endpoint was sent. Other controllers have their own ways with it. */
  #findFlaw(exchange: Exchange, hosts: number): void {
    const { route, raw } = exchange;
    if (route.match === undefined && !this.edge.isTaken(exchange)) return;
    if (hosts > 1) exchange.flaw = new BadRequest(severalHosts);
    else if (raw.headers['transfer-encoding']?.toLowerCase() !== 'chunked')
      exchange.flaw = new NotImplemented();
  }

  async #answer(
    exchange: Exchange,
    refusal: Refusal | undefined,
    response: ServerResponse,
    write: Write,
  ): Promise<void> {
    try {
      if (refusal !== undefined) throw refusal;
      const responder = this.edge.responderOf(exchange.raw, exchange);
      if (responder.kind === 'miss') throw new NotFound();
      const admission = this.#admitted(responder, exchange);
      if (admission !== true) await admission;
      const answer = answerOf(responder, await this.#handled(responder));
      this.sender.send(exchange, answer instanceof Answer ? answer : await answer, response, write);
    } catch (error) {
      const answer = await this.refusals.answer(error, exchange.raw);
      if (response.headersSent) throw error;
      this.sender.send(exchange, answer, response, write);
    }
  }

  /**
   * Admits a request: at once where nobody has to be waited for to know it.
   * @throws Gone before anybody is authenticated, where the endpoint has stopped answering
   */
  #admitted(responder: EndpointResponder, exchange: Exchange): true | Promise<true> {
    const { limits, ending } = responder.endpoint;
    if (ending?.isGone(Date.now()) === true) {
      limits?.announce(exchange);
      throw new Gone();
    }
    if (limits !== undefined) return this.#limited(responder, limits, exchange);
    const { endpoint, request, sender } = responder;
    const { access } = endpoint;
    if (access !== undefined) {
      const knowing = access.authenticate(request, sender);
      return knowing === undefined
        ? access.authorize(request)
        : knowing.then(() => access.authorize(request));
    }
    sender.isKnown = true;
    return true;
  }

  /** Admits a request to an endpoint with limits: these are asked before its body is read. */
  async #limited(
    { endpoint: { access }, request, sender }: EndpointResponder,
    limits: LimitGate,
    exchange: Exchange,
  ): Promise<true> {
    const isCounted = exchange.part?.isRepeated === true;
    const judged = isCounted ? undefined : await limits.beforeAuthentication(request, exchange);
    if (access === undefined) sender.isKnown = true;
    else await access.authenticate(request, sender);
    if (judged !== undefined) await limits.afterAuthentication(request, exchange, judged);
    if (exchange.isBodyAwaited) {
      await this.reception.rest(exchange);
      if (exchange.figures !== undefined) this.observation.bodyEnded(exchange.figures);
    }
    await access?.authorize(request);
    return true;
  }

  #handled({ endpoint, request, exchange }: EndpointResponder): Promise<Reply> {
    if (request.queryString.includes('%')) checkEscapes(request.queryString);
    // A part of a request cannot be left out because its client has it.
    const isConditional = request.headers['if-none-match'] !== undefined && exchange.part === undefined;
    const handler = isConditional ? endpoint.conditionalHandler : endpoint.handler;
    return this.watch.over(request, endpoint.timeout, exchange.response, handler);
  }
}

const noHost = 'The request has no Host header';

/** RFC 9112, 3.2. */
const severalHosts = 'The request has several Host headers';

/** RFC 9112, 3.2. Node would refuse it, with an empty body. */
function needsHost({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && httpVersionMinor === 1;
}

function answerOf(responder: EndpointResponder, reply: Reply): Answer | Promise<Answer> {
  if (reply instanceof RawReply) return rawAnswer(responder, reply);
  if (reply instanceof PlainReply) return plainAnswer(responder, reply);
  return dataAnswer(responder, reply.data, reply);
}
