import type { ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { EndpointAccess } from '../../endpoint/endpoint.access.js';
import { EndpointContext, type EndpointFacts } from '../../endpoint/endpoint.context.js';
import { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Handler } from '../../endpoint/compiled.kind.js';
import type { ObservedRequest, RequestObserver, Stage } from '../../endpoint/request/request.observer.js';
import type { Database } from '../../database/database.js';
import { statusOf } from '../../wire/outcome.table.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import { HttpEdge } from '../http.edge.js';
import type { Exchange } from '../exchange.js';
import { RequestFigures } from './request.figures.js';
import { RequestLog } from './request.log.js';
import { serverTiming } from './server.timing.js';
import { Tracing } from './tracing.js';

/** The status that nginx logs where the client has gone before there was an answer. */
const clientGone = 499;

type Access = Pick<EndpointAccess, 'authenticate' | 'authorize'>;

/** Measures requests for whoever wants to know. Where nobody does, requests go their way without it. */
@Injectable()
export class Observation {
  readonly #logger = new Logger('Endpoints');
  readonly #observers: readonly RequestObserver[];
  readonly #tracing = Tracing.registered();
  /** True if answers have `Server-Timing`. */
  readonly #tellsClients: boolean;
  readonly isOn: boolean;

  constructor(
    { options: { requestLog = false, serverTiming = false, observers = [] } }: EndpointDirectory,
    private readonly edge: HttpEdge,
  ) {
    this.#observers = requestLog ? [...observers, new RequestLog()] : observers;
    this.#tellsClients = serverTiming;
    this.isOn = serverTiming || this.#observers.length > 0 || this.#tracing !== undefined;
  }

  /** Measures a request from here on. */
  begin(exchange: Exchange, response: ServerResponse): void {
    const { part } = exchange;
    const figures = (exchange.figures = new RequestFigures(part?.whole));
    // Of a part the whole request tells.
    if (this.#observers.length === 0 || part?.isAlone === false) return;
    response.once('close', () => {
      if (figures.isOurs || exchange.responder !== undefined)
        this.#tell(observed(exchange, figures, response));
    });
  }

  /** The body is there. */
  bodyEnded(figures: RequestFigures): void {
    const took = figures.duration;
    figures.stages.set('body', took);
    this.#tracing?.past('body', took);
  }

  /** The answer is made; undefined where its headers tell nothing of it. */
  timingOf({ figures }: Exchange): string | undefined {
    if (figures === undefined) return undefined;
    figures.isOurs = true;
    return this.#tellsClients ? serverTiming(figures) : undefined;
  }

  /** Has the guards' stages measured. */
  access(access: Access, facts: EndpointFacts): Access {
    if (!this.isOn) return access;
    return {
      authenticate: (request, sender) =>
        this.#during('authenticate', facts, request, () => access.authenticate(request, sender)),
      authorize: (request) => this.#during('authorize', facts, request, () => access.authorize(request)),
    };
  }

  /** Has the handler measured. */
  handler(handler: Handler, facts: EndpointFacts): Handler {
    if (!this.isOn) return handler;
    return (request) => this.#during('handle', facts, request, () => handler(request));
  }

  /** Has the statements of requests measured. */
  listenTo(database: Database): void {
    if (!this.isOn) return;
    database.listen((took) => {
      if (EndpointContext.statementEnded(took)) this.#tracing?.past('statement', took);
    });
  }

  async #during<T>(
    stage: Stage,
    facts: EndpointFacts,
    { given }: EndpointRequest,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const { figures } = this.edge.exchangeOf(given);
    const begun = performance.now();
    try {
      return await (this.#tracing === undefined ? work() : this.#tracing.during(stage, facts, work));
    } finally {
      figures?.stages.set(stage, performance.now() - begun);
    }
  }

  #tell(request: ObservedRequest): void {
    for (const observer of this.#observers)
      try {
        observer.requestEnded(request);
      } catch (error) {
        this.#logger.error(`An observer failed [${request.requestId}]: ${String(error)}`);
      }
  }
}

function observed(
  { responder, route, raw, refusedAs }: Exchange,
  figures: RequestFigures,
  response: ServerResponse,
): ObservedRequest {
  const { method = 'GET', headers } = raw;
  const facts = responder?.kind === 'endpoint' ? responder.endpoint.facts : undefined;
  const statusCode = response.headersSent ? response.statusCode : clientGone;
  const { duration, statements, statementTime, stages, operations } = figures;
  return {
    requestId: responder?.request.requestId ?? EndpointRequest.idOf(headers),
    method,
    route:
      facts?.path ?? (route.match?.kind === 'endpoint' ? route.match.leaf.pattern.toString() : undefined),
    kind: facts?.kind,
    statusCode,
    status: refusedAs ?? statusOf(statusCode),
    isComplete: response.writableFinished,
    duration,
    statements,
    statementTime,
    stages,
    operations,
    deprecated: responder?.style.settings.deprecation !== undefined,
  };
}
