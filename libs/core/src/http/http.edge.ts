import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { EndpointDirectory } from './endpoint.directory.js';
import { planRoutes } from '../routing/route.plan.js';
import type { RouteTable } from '../routing/route.table.js';
import { Exchange } from './exchange.js';
import { Routes } from './routes.js';

/** Edge of the application: which of the server's requests are ours, and what is known of each. */
@Injectable()
export class HttpEdge implements OnModuleInit {
  /**
   * The key under which a request of Node's keeps its exchange. A weak map would hold it as well, but every one in it
   * costs the garbage collector time.
   */
  readonly #key = Symbol('exchange');

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly routes: Routes,
  ) {}

  /** Names what never answers, and fails now rather than on the first request if the routes cannot be worked out. */
  onModuleInit(): void {
    const logger = new Logger('Endpoints');
    for (const warning of planRoutes(this.table.takers()).warnings) logger.warn(warning);
  }

  /** True if paths that no controller of the application has are answered with the envelope. */
  get answersUnknownPaths(): boolean {
    return this.directory.options.unknownPaths !== 'own';
  }

  get table(): RouteTable {
    return this.routes.table;
  }

  /** @param native Node's own request, or the one that a platform hands to handlers: Express extends it, Fastify wraps it */
  exchangeOf(native: unknown): Exchange {
    const { raw: request = native } = native as { readonly raw?: unknown };
    const raw = request as IncomingMessage & Record<symbol, Exchange | undefined>;
    return (raw[this.#key] ??= new Exchange(
      raw,
      this.routes.table.find(raw.method ?? 'GET', raw.url ?? '/'),
    ));
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
