import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { MiddlewareRefusals } from './middleware.refusals.js';
import { teachQuery } from './query.method.js';
import { QuietRoutes } from './quiet.routes.js';
import { Shutdown } from '../endpoint/shutdown.js';
import { Answer } from '../wire/answer.js';
import { NotFound, type Refusal } from '../wire/refusals.js';
import { haveWait } from '../http/admission/pipelining.js';
import { AnswerSender, closeAfter } from '../http/answers/answer.sender.js';
import { Preflight } from '../http/answers/preflight.js';
import { isForPreflight } from '../http/roads/own.layers.js';
import type { PlatformSide } from '../http/roads/platform.side.js';
import { StraightRoad } from '../http/roads/straight.road.js';
import { closeUnread } from '../http/closing/lingering.close.js';
import { answerClientError, answerExpectation } from '../http/platforms/client.error.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';
import { expressPlatform } from '../http/platforms/express.platform.js';
import { fastifyPlatform } from '../http/platforms/fastify.platform.js';
import { Pipeline } from '../http/pipeline.js';
import { HttpEdge } from '../http/http.edge.js';
import type { HttpPlatform } from '../http/platforms/http.platform.js';
import { RefusalWriter } from '../http/answers/refusal.writer.js';

const platforms: ReadonlyMap<string, HttpPlatform> = new Map([
  ['express', expressPlatform],
  ['fastify', fastifyPlatform],
]);

type Next = (error?: unknown) => void;
type Callback = (...parameters: unknown[]) => unknown;

/** Sets up the HTTP platform, once per application, for what a generated controller cannot do. */
@Injectable()
export class PlatformSetup implements OnModuleInit {
  readonly #logger = new Logger('Endpoints');
  /** Undefined while there is no platform. */
  #side: PlatformSide | undefined;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
    private readonly refusals: RefusalWriter,
    private readonly pipeline: Pipeline,
    private readonly shutdown: Shutdown,
    private readonly sender: AnswerSender,
    private readonly road: StraightRoad,
    private readonly routes: QuietRoutes,
    private readonly preflight: Preflight,
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
    if (process.env['NODE_ENV'] === 'production') this.#warnOfProxies(adapter);
    server.prependListener('request', this.pipeline.route);
    if (this.#side !== undefined) this.road.lay(server, this.#side);
    if (server.listenerCount('checkContinue') === 0)
      server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
        if (this.edge.isTaken(this.edge.exchangeOf(request))) haveWait(request);
        else response.writeContinue();
        server.emit('request', request, response);
      });
    if (this.edge.answersUnknownPaths) {
      const { format } = this.directory.fallbackOf([]).style;
      server.removeAllListeners('clientError');
      Object.assign(server, { requireHostHeader: false });
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
        closeUnread(request, response);
        answerExpectation(format, response);
      });
      server.on('clientError', (error: Error, socket: Duplex) => {
        answerClientError(format, error, socket);
      });
    }
  }

  /** Behind a proxy that nobody has told of, all clients have one address. */
  #warnOfProxies(adapter: AbstractHttpAdapter): void {
    if (platforms.get(adapter.getType())?.trustsProxy(adapter) === true) return;
    const [limit] = this.directory.limits.filter(({ seesAddresses }) => seesAddresses);
    if (limit === undefined) return;
    const about = `The limit '${limit.name}' counts by addresses, and no proxy is trusted`;
    this.#logger.warn(
      `${about}: behind one, all clients have its address; set 'trust proxy' of the platform`,
    );
  }

  #extend(adapter: AbstractHttpAdapter): void {
    const platform = platforms.get(adapter.getType());
    if (platform === undefined)
      throw new Error(
        `@nest-endpoints/core runs on ${[...platforms.keys()].join(' and ')}, not on ${adapter.getType()}`,
      );
    teachQuery(adapter, platform);
    this.#side = platform.sideOf(adapter, this.edge, this.directory.options);
    const thrown = new MiddlewareRefusals(adapter, this.edge);
    platform.collectBodies(adapter, this.edge, this.pipeline);
    platform.arrangeRoutes(adapter, this.edge);
    const init = adapter.init.bind(adapter);
    adapter.init = async (): Promise<void> => {
      this.routes.begin();
      await init();
    };
    const reply = adapter.reply.bind(adapter) as Callback;
    adapter.reply = (response: unknown, body: unknown, statusCode?: number): unknown => {
      const native = platform.requestOf(response);
      const exchange = this.edge.exchangeOf(native);
      const answer = body instanceof Answer ? body : exchange.answer;
      if (answer === undefined) {
        const error = thrown.of(exchange, body, statusCode);
        if (error !== undefined && this.#isOurs(adapter, platform, native)) {
          this.#refuse(adapter, exchange.flaw ?? error, native, response);
          return undefined;
        }
        if (this.shutdown.hasBegun) closeAfter(exchange.response);
        return reply(response, body, statusCode);
      }
      this.sender.send(exchange, answer, response, platform.send);
      return undefined;
    };
    this.#answerPreflights(adapter);
    this.#answerUnknownPaths(adapter, platform);
    this.#answerErrorsBeforeHandlers(adapter, platform);
  }

  /** True if a request is for one of our endpoints, or for none at all where we answer that. */
  #isOurs(adapter: AbstractHttpAdapter, platform: HttpPlatform, native: unknown): boolean {
    const exchange = this.edge.exchangeOf(native);
    if (this.edge.isTaken(exchange)) return true;
    return this.edge.answersMiss(exchange) && platform.isUnknown(adapter, native, this.edge);
  }

  /** Answers a request that was refused where nobody waits for the answer. */
  #refuse(adapter: AbstractHttpAdapter, error: unknown, native: unknown, response: unknown): void {
    this.refusals.send(adapter, error, native, response).catch((failure: unknown) => {
      this.#logger.error(failure);
      this.edge.exchangeOf(native).response?.destroy();
    });
  }

  /** Nest registers a handler for the paths of preflights, in front of which guards, interceptors and versions stand. */
  #answerPreflights(adapter: AbstractHttpAdapter): void {
    const answer = (native: unknown, response: unknown): void => {
      this.preflight
        .answer(native)
        .then((answered) => {
          adapter.reply(response, answered);
        })
        .catch((error: unknown) => {
          this.#refuse(adapter, error, native, response);
        });
    };
    const register = adapter.options.bind(adapter) as Callback;
    adapter.options = (...parameters: unknown[]): unknown => {
      const handler = parameters.at(-1);
      return isForPreflight(handler) ? register(...parameters.slice(0, -1), answer) : register(...parameters);
    };
  }

  /** Nest registers its own handler of unknown paths later, through this method. */
  #answerUnknownPaths(adapter: AbstractHttpAdapter, { answersOutsidePrefix }: HttpPlatform): void {
    const register = adapter.setNotFoundHandler.bind(adapter) as Callback;
    adapter.setNotFoundHandler = (handler: Callback, prefix?: string, excluded?: unknown): unknown => {
      const answer = (request: unknown, response: unknown, next: Next): unknown => {
        if (!this.edge.answersMiss(this.edge.exchangeOf(request))) return handler(request, response, next);
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
        const exchange = this.edge.exchangeOf(request);
        if (this.edge.isTaken(exchange)) return this.refusals.send(adapter, error, request, response);
        if (this.edge.answersMiss(exchange) && platform.isUnknown(adapter, request, this.edge))
          return this.refusals.send(adapter, this.#missed(request), request, response);
        return handler(error, request, response, next);
      }, prefix);
  }

  /** Makes the refusal of a request that nobody answers. */
  #missed(native: unknown): Refusal {
    return this.edge.exchangeOf(native).flaw ?? new NotFound();
  }
}
