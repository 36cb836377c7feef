import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { EndpointGroup } from '../endpoint/endpoint.group.js';
import { EndpointRequest } from '../endpoint/request/endpoint.request.js';
import { unknownSender, type Sender } from '../endpoint/request/sender.js';
import { canonicalPath, type PathParameters } from '../endpoint/route.pattern.js';
import type { Session } from '../visibility/session.js';
import type { LinkedEndpoint } from '../endpoint/versions/deprecation.options.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { EndpointDirectory } from './endpoint.directory.js';
import { planRoutes } from '../routing/route.plan.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import type { RouteTable } from '../routing/route.table.js';
import type { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import { Exchange } from './exchange.js';
import type { EndpointResponder, Outcome, Responder } from './responder.js';
import { Routes } from './routes.js';

const noGroups: readonly EndpointGroup[] = [];
const noParameters: PathParameters = Object.freeze({});

/** A path at which no route is. */
const nowhere = '/%00';

/** The path of an endpoint of the application, or of a group: the shortest one of what is in it. */
function pathOf(table: RouteTable, target: LinkedEndpoint): string {
  const patterns = [...table.takers()].flatMap((taker) => {
    if (taker.kind !== 'leaf') return [];
    const { endpoint, groups } = taker.leaf;
    const isIt = (endpoint as object) === target || groups.some((group) => (group as object) === target);
    return isIt ? [taker.pattern] : [];
  });
  const [shortest] = patterns.toSorted((a, b) => a.segments.length - b.segments.length);
  const name = `'${target.pattern.text}'`;
  if (shortest === undefined)
    throw new ConfigurationError('deprecated', 'link', `${name} is no endpoint of this application`);
  if (shortest.parameterNames.length === 0) return shortest.toString();
  const problem = `${name} has path parameters, so that it is no url: name the list or the group, or a url`;
  throw new ConfigurationError('deprecated', 'link', problem);
}

/** Assignment of a request to its endpoint. It lives as long as the request, so that it is of a class (`SentStatement`). */
class Assignment implements EndpointResponder {
  readonly kind = 'endpoint';

  constructor(
    readonly exchange: Outcome,
    readonly request: EndpointRequest,
    readonly sender: Sender,
    readonly style: AnswerStyle,
    readonly endpoint: CompiledEndpoint,
  ) {}
}

/** A request of Node's, with what we keep on it. */
type KeptOn = IncomingMessage & Record<symbol, Exchange | undefined>;

/** Edge of the application: which of the server's requests are ours, who answers them, and what is known of each. */
@Injectable()
export class HttpEdge implements OnModuleInit, OnApplicationBootstrap {
  /** True if paths that no controller of the application has are answered as endpoints are. */
  readonly answersUnknownPaths: boolean;
  /** The table once routes are registered, when nothing moves them any more. */
  #table: RouteTable | undefined;
  /**
   * The key under which a request of Node's keeps its exchange. A weak map would hold it as well, but every one in it
   * costs the garbage collector time.
   */
  readonly #key = Symbol('exchange');

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly routes: Routes,
  ) {
    this.answersUnknownPaths = directory.options.unknownPaths !== 'own';
  }

  /** Names what never answers, and fails now rather than on the first request if the routes cannot be worked out. */
  onModuleInit(): void {
    const logger = new Logger('Endpoints');
    for (const warning of planRoutes(this.table.takers()).warnings) logger.warn(warning);
  }

  onApplicationBootstrap(): void {
    this.#table = this.routes.table;
    this.directory.link((target) => pathOf(this.table, target));
  }

  get table(): RouteTable {
    return this.#table ?? this.routes.table;
  }

  /** @param native Node's own request, or the one that a platform hands to handlers: Express extends it, Fastify wraps it */
  exchangeOf(native: unknown): Exchange {
    const { raw: request = native } = native as { readonly raw?: unknown };
    const raw = request as KeptOn;
    return (raw[this.#key] ??= new Exchange(
      raw,
      (this.#table ?? this.routes.table).find(raw.method ?? 'GET', raw.url ?? '/'),
    ));
  }

  /** True if limits are asked before the body of a request to an endpoint that reads it is read. */
  isLimited(leaf: RouteLeaf): boolean {
    return this.directory.endpoints.get(leaf)?.limits !== undefined;
  }

  /** Finds the responder of a request, when somebody first asks. @param native the platform's own request */
  responderOf(native: unknown, known?: Exchange): Responder {
    const { raw = native } = native as { readonly raw?: unknown };
    const exchange = known ?? (raw as KeptOn)[this.#key] ?? this.exchangeOf(native);
    if (exchange.responder !== undefined) return exchange.responder;
    const { match } = exchange.route;
    const parameters = match?.parameters ?? noParameters;
    const sender = { ...unknownSender };
    if (match?.kind === 'endpoint') {
      const { leaf } = match;
      const endpoint = this.directory.endpoints.get(leaf) ?? this.directory.endpointAt(leaf);
      const { style, open } = endpoint;
      const request = this.requestOf(exchange, native, parameters, open, sender);
      return (exchange.responder = new Assignment(exchange, request, sender, style, endpoint));
    }
    const { style, open } = this.directory.fallbackOf(match?.groups ?? noGroups);
    const request = this.requestOf(exchange, native, parameters, open, sender);
    return (exchange.responder = { kind: 'miss', exchange, request, sender, style });
  }

  /** A request as handlers get it. @param open gives what it reads and writes through */
  requestOf(
    exchange: Exchange,
    native: unknown,
    parameters: PathParameters,
    open: (request: EndpointRequest) => Session,
    sender: Sender = { ...unknownSender },
  ): EndpointRequest {
    const { raw, route, source } = exchange;
    const { method = 'GET', url = '/', headers } = raw;
    const question = url.indexOf('?');
    const path = question === -1 ? url : url.slice(0, question);
    return new EndpointRequest(
      method,
      path,
      parameters,
      route.queryString,
      headers,
      exchange,
      native,
      sender,
      open,
      source,
    );
  }

  /**
   * Gives our paths one spelling in slashes and percent-encoding, so that they mean the same on every platform. A
   * malformed path is moved to where no route is, because Fastify would answer it before anybody is asked.
   */
  canonicalize(exchange: Exchange): void {
    const { raw: request, route, flaw } = exchange;
    const { path, match, queryString } = route;
    if (flaw !== undefined) request.url = nowhere;
    else if (path.isMalformed && (match !== undefined || this.answersUnknownPaths)) request.url = nowhere;
    else if (this.isTaken(exchange)) {
      const query = queryString === '' ? '' : `?${queryString}`;
      const url = `${canonicalPath(path.segments)}${query}`;
      if (url !== request.url) exchange.url = request.url = url;
    }
  }

  /**
   * Finds the route of a request anew, whose path somebody has rewritten before the platform's router looks at it. Too late once
   * somebody has asked who answers.
   */
  followPath(exchange: Exchange): void {
    const { raw, url, flaw, responder } = exchange;
    if (raw.url === url || raw.url === nowhere || flaw !== undefined || responder !== undefined) return;
    exchange.url = raw.url;
    exchange.route = this.table.find(raw.method ?? 'GET', raw.url ?? '/');
  }

  /** True if one of our controllers takes a request, OPTIONS included. Bodies of others are left alone. */
  isTaken({ raw, route: { match, path } }: Exchange): boolean {
    if (raw.method === 'OPTIONS') return !path.isMalformed && this.table.leavesAt(path.segments).length > 0;
    return match?.kind === 'endpoint';
  }

  /** True if we answer a request that no controller takes: below our groups, and at our endpoints' paths, always. */
  answersMiss({ route: { match, path } }: Exchange): boolean {
    return this.answersUnknownPaths || match !== undefined || this.table.leavesAt(path.segments).length > 0;
  }
}
