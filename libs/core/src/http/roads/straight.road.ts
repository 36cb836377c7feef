import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { RoutePattern } from '../../endpoint/route.pattern.js';
import { Shutdown } from '../../endpoint/shutdown.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { EndpointDirectory } from '../endpoint.directory.js';
import type { Exchange } from '../exchange.js';
import { HttpEdge } from '../http.edge.js';
import { Pipeline } from '../pipeline.js';
import type { PlatformSide, RequestListener } from './platform.side.js';
import { Surroundings } from './surroundings.js';

type Method = (...parameters: unknown[]) => unknown;

/**
 * Answers requests from the server's `request` event on, for endpoints around which nothing of the user's stands. All
 * others go the platform's road, in the same process: through Express or Fastify and Nest. Which endpoint goes which road
 * is decided when the server has begun to listen. Whatever is not known for certain closes the road.
 */
@Injectable()
export class StraightRoad {
  readonly #logger = new Logger('Endpoints');
  #open: ReadonlySet<RouteLeaf> = new Set();
  /** The place where the platform keeps what it has to do, and how much that was when it was looked at. */
  #kept: PlatformSide['kept'] = { stack: [] };
  #size = 0;
  /** The lines that were told, by endpoint. */
  readonly #told = new Map<RouteLeaf, string>();

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly edge: HttpEdge,
    private readonly pipeline: Pipeline,
    private readonly shutdown: Shutdown,
    private readonly surroundings: Surroundings,
  ) {}

  /** Puts the road in front of the platform. It is closed until the server listens. */
  lay(server: Server, side: PlatformSide): void {
    const platform = side.listenerOf(server);
    if (this.directory.options.road === 'platform' || platform === undefined) {
      const why = platform === undefined ? 'the server does not call it itself' : 'forRoot says so';
      server.on('listening', () => {
        for (const leaf of this.directory.endpoints.keys()) this.#tell(leaf, why);
      });
      return;
    }
    const first = (request: IncomingMessage, response: ServerResponse): void => {
      const exchange = this.edge.exchangeOf(request);
      if (!this.#takes(exchange, side)) {
        platform(request, response);
        return;
      }
      try {
        side.begin(response);
        exchange.source = side.source;
        this.pipeline.answer(exchange, response, side.write);
      } catch (error) {
        // Thrown out of a listener of the server, it would end the process.
        this.#logger.error(error);
        response.destroy();
      }
    };
    const listeners = server.rawListeners('request') as RequestListener[];
    server.removeAllListeners('request');
    for (const listener of listeners) server.on('request', listener === platform ? first : listener);
    server.on('listening', () => {
      this.#decide(side);
    });
  }

  #takes(exchange: Exchange, side: PlatformSide): boolean {
    const { raw, route, flaw, response, method, url } = exchange;
    const { match } = route;
    if (match?.kind !== 'endpoint' || !this.#open.has(match.leaf) || flaw !== undefined) return false;
    // What was let in is answered as a whole, while the platform refuses what comes.
    if (this.shutdown.hasBegun && exchange.part === undefined) return false;
    if (raw.httpVersionMajor !== 1 || response === undefined) return false;
    if (raw.method === 'HEAD' && !side.answersHead) return false;
    // Somebody has changed the request line.
    if (raw.method !== method || raw.url !== url) return false;
    if (this.#kept.stack.length === this.#size) return true;
    this.#close('something was added to the platform');
    return false;
  }

  #decide(side: PlatformSide): void {
    const patterns = this.#patterns();
    const isFirst = this.#told.size === 0;
    this.#kept = side.kept;
    this.#size = this.#kept.stack.length;
    this.#open = new Set(
      [...this.directory.endpoints.values()].flatMap((endpoint) => {
        const { leaf } = endpoint;
        const reason =
          this.surroundings.reasonAgainst(endpoint) ?? side.reasonAgainst(endpoint, patterns.get(leaf) ?? []);
        this.#tell(leaf, reason);
        return reason === undefined ? [leaf] : [];
      }),
    );
    if (isFirst)
      for (const [target, methods] of [...this.surroundings.growing, ...side.growing])
        this.#closeAt(target, methods);
  }

  /** The whole paths of each endpoint. */
  #patterns(): ReadonlyMap<RouteLeaf, readonly RoutePattern[]> {
    const found = new Map<RouteLeaf, RoutePattern[]>();
    for (const taker of this.edge.table.takers())
      if (taker.kind === 'leaf') found.set(taker.leaf, [...(found.get(taker.leaf) ?? []), taker.pattern]);
    return found;
  }

  /** Has the road closed by whoever calls one of these methods from now on. */
  #closeAt(target: object, methods: readonly string[]): void {
    for (const name of methods) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') continue;
      const close = (): void => {
        this.#close(`${name} was called`);
      };
      const closing = function (this: unknown, ...parameters: unknown[]): unknown {
        close();
        return (method as Method).apply(this, parameters);
      };
      Reflect.set(target, name, closing);
    }
  }

  #close(why: string): void {
    if (this.#open.size === 0) return;
    this.#open = new Set();
    this.#logger.debug(`All endpoints are on the platform's road from now on, because ${why}`);
  }

  /** One line for each endpoint, for whoever wants to know why one is slower than another. */
  #tell(leaf: RouteLeaf, reason: string | undefined): void {
    const road = reason === undefined ? 'the straight road' : `the platform's road, because ${reason}`;
    if (this.#told.get(leaf) === road) return;
    this.#told.set(leaf, road);
    this.#logger.debug(`${leaf.endpoint.kind} '${leaf.pattern.text}': ${road}`);
  }
}
