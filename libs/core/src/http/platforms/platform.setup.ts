import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { canonicalPath } from '../../endpoint/route.pattern.js';
import { QuietRoutes } from '../quiet.routes.js';
import { Shutdown } from '../../endpoint/shutdown.js';
import { Answer } from '../../wire/answer.js';
import { BadRequest, NotFound, type Refusal } from '../../wire/refusals.js';
import { Delivery } from '../admission/delivery.js';
import { haveWait } from '../admission/pipeline.js';
import { closeUnread } from '../closing/lingering.close.js';
import { answerClientError, answerExpectation } from './client.error.js';
import { hasBody } from '../body.collector.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { expressPlatform } from './express.platform.js';
import { fastifyPlatform } from './fastify.platform.js';
import { EndpointGateway } from '../endpoint.gateway.js';
import { Observation } from '../observation/observation.js';
import { HttpEdge } from '../http.edge.js';
import type { HttpPlatform } from './http.platform.js';
import { rawRequest } from '../raw.request.js';
import type { Visit } from '../visit.js';
import { RefusalWriter } from '../answers/refusal.writer.js';

const platforms: ReadonlyMap<string, HttpPlatform> = new Map([
  ['express', expressPlatform],
  ['fastify', fastifyPlatform],
]);

type Next = (error?: unknown) => void;
type Callback = (...parameters: unknown[]) => unknown;

/** Teaches the HTTP platform, once per application, what a generated controller cannot do from where it stands. */
@Injectable()
export class PlatformSetup implements OnModuleInit {
  readonly #logger = new Logger('Endpoints');

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
    private readonly refusals: RefusalWriter,
    private readonly gateway: EndpointGateway,
    private readonly shutdown: Shutdown,
    private readonly observation: Observation,
    private readonly delivery: Delivery,
    private readonly routes: QuietRoutes,
  ) {
    const adapter = adapterHost.httpAdapter as AbstractHttpAdapter | undefined;
    // In a testing module the providers are made before the adapter is.
    if (adapter === undefined)
      adapterHost.init$.subscribe(() => {
        this.#extend(adapterHost.httpAdapter);
      });
    else this.#extend(adapter);
  }

  onModuleInit(): void {
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | undefined;
    const server = adapter?.getHttpServer() as Server | undefined;
    if (adapter === undefined || server === undefined) return;
    const warning = platforms.get(adapter.getType())?.warning(adapter);
    if (warning !== undefined) this.#logger.warn(warning);
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const visit = this.edge.visitOf(request);
      visit.response = response;
      if (this.edge.answersUnknownPaths && lacksHost(request)) visit.flaw = new BadRequest(noHost);
      if (this.shutdown.hasBegun || visit.flaw !== undefined) closeAfter(response);
      if (this.observation.isOn) this.observation.begin(visit, request, response);
      this.#canonicalize(request);
    });
    if (server.listenerCount('checkContinue') === 0)
      server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
        if (this.edge.isTaken(request)) haveWait(request);
        else response.writeContinue();
        server.emit('request', request, response);
      });
    if (this.edge.answersUnknownPaths) {
      const { envelope } = this.directory.placeOf([]).style;
      server.removeAllListeners('clientError');
      Object.assign(server, { requireHostHeader: false });
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
        closeUnread(request, response);
        answerExpectation(envelope, response);
      });
      server.on('clientError', (error: Error, socket: Duplex) => {
        answerClientError(envelope, error, socket);
      });
    }
  }

  #extend(adapter: AbstractHttpAdapter): void {
    const platform = platforms.get(adapter.getType());
    if (platform === undefined)
      throw new Error(
        `@nest-endpoints/core runs on ${[...platforms.keys()].join(' and ')}, not on ${adapter.getType()}`,
      );
    platform.collectBodies(adapter, this.edge, (native, work) => {
      this.gateway.within(native, work);
    });
    platform.arrangeRoutes(adapter, this.edge);
    const init = adapter.init.bind(adapter);
    adapter.init = async (): Promise<void> => {
      this.routes.begin();
      await init();
    };
    const reply = adapter.reply.bind(adapter) as Callback;
    adapter.reply = (response: unknown, body: unknown, statusCode?: number): unknown => {
      const native = platform.requestOf(response);
      const visit = this.edge.visitOf(rawRequest(native));
      if (this.shutdown.hasBegun) closeAfter(visit.response);
      const answer = body instanceof Answer ? body : visit.answer;
      if (answer === undefined) return reply(response, body, statusCode);
      if (this.observation.isOn) this.#tellTiming(visit);
      const raw = rawRequest(native);
      if (visit.response !== undefined && hasBody(raw) && !raw.complete) closeUnread(raw, visit.response);
      platform.send(response, answer, this.gateway.requestIdOf(native));
      this.delivery.sent(visit, answer);
      return undefined;
    };
    this.#answerUnknownPaths(adapter, platform);
    this.#answerErrorsBeforeHandlers(adapter, platform);
  }

  #tellTiming(visit: Visit): void {
    const timing = this.observation.timingOf(visit);
    if (timing !== undefined) visit.response?.setHeader('Server-Timing', timing);
  }

  /** Nest registers its own handler of unknown paths later, through this method. */
  #answerUnknownPaths(adapter: AbstractHttpAdapter, { answersOutsidePrefix }: HttpPlatform): void {
    const register = adapter.setNotFoundHandler.bind(adapter) as Callback;
    adapter.setNotFoundHandler = (handler: Callback, prefix?: string, excluded?: unknown): unknown => {
      const answer = (request: unknown, response: unknown, next: Next): unknown => {
        if (!this.edge.answersMiss(rawRequest(request))) return handler(request, response, next);
        return this.refusals.send(adapter, this.#missed(request), request, response);
      };
      const registered = register(answer, prefix, excluded);
      const isPrefixed = prefix !== undefined && prefix !== '';
      return isPrefixed && !answersOutsidePrefix && this.edge.answersUnknownPaths
        ? register(answer)
        : registered;
    };
  }

  /** Errors of body parsers and routers, which no filter of a controller sees. */
  #answerErrorsBeforeHandlers(adapter: AbstractHttpAdapter, platform: HttpPlatform): void {
    const register = adapter.setErrorHandler.bind(adapter) as Callback;
    adapter.setErrorHandler = (handler: Callback, prefix?: string): unknown =>
      register((error: unknown, request: unknown, response: unknown, next: Next): unknown => {
        const raw = rawRequest(request);
        if (this.edge.isTaken(raw)) return this.refusals.send(adapter, error, request, response);
        if (this.edge.answersMiss(raw) && platform.isUnknown(adapter, request, this.edge))
          return this.refusals.send(adapter, this.#missed(request), request, response);
        return handler(error, request, response, next);
      }, prefix);
  }

  /** Why nobody answers a request. */
  #missed(native: unknown): Refusal {
    return this.edge.visitOf(rawRequest(native)).flaw ?? new NotFound();
  }

  /**
   * Slashes and percent-encoding mean the same on every platform, because the routers see one spelling of our paths.
   * A malformed path is moved to where no route is, because Fastify would answer it before anybody is asked.
   */
  #canonicalize(request: IncomingMessage): void {
    const { path, match, queryString } = this.edge.routeOf(request);
    // A request line in absolute form has a path, too.
    const isSpeltSo = path.isCanonical && request.url?.startsWith('/') === true;
    if (this.edge.visitOf(request).flaw !== undefined) request.url = nowhere;
    else if (path.isMalformed && (match !== undefined || this.edge.answersUnknownPaths))
      request.url = nowhere;
    else if (!isSpeltSo && this.edge.isTaken(request)) {
      const query = queryString === '' ? '' : `?${queryString}`;
      const url = `${canonicalPath(path.segments)}${query}`;
      if (url !== request.url) request.url = url;
    }
  }
}

const nowhere = '/%00';

const noHost = 'The request has no Host header';

/** RFC 9112, 3.2. Node would refuse it, with an empty body. */
function lacksHost({ headers, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMajor === 1 && httpVersionMinor === 1;
}

/** Has the client open another connection for its next request, which then reaches another process. */
function closeAfter(response: ServerResponse | undefined): void {
  if (response?.headersSent === false && response.req.httpVersionMajor === 1)
    response.setHeader('Connection', 'close');
}
