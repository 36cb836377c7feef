import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { EndpointDirectory } from './endpoint.directory.js';
import { mountsOf, type MountedFeature } from './route.mounts.js';
import { planRoutes } from '../routing/route.plan.js';
import { RouteTable } from '../routing/route.table.js';
import { Exchange } from './exchange.js';

/** Edge of the application: which of the server's requests are ours, and what is known of each. */
@Injectable()
export class HttpEdge implements OnModuleInit {
  #made: { readonly prefix: string; readonly versioning: unknown; readonly table: RouteTable } | undefined;
  /**
   * Where a request of Node's keeps its exchange: a weak map would hold it as well, but every one in it costs the garbage
   * collector time.
   */
  readonly #key = Symbol('exchange');

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
  ) {}

  /** Names what never answers, and fails now rather than on the first request if the routes cannot be worked out. */
  onModuleInit(): void {
    const logger = new Logger('Endpoints');
    for (const warning of planRoutes(this.table.takers()).warnings) logger.warn(warning);
  }

  /** Whether paths that no controller of the application has are answered with the envelope. */
  get answersUnknownPaths(): boolean {
    return this.directory.options.unknownPaths !== 'own';
  }

  /** Prefix and versions may be set until routes are registered, so the table is made anew when they were. */
  get table(): RouteTable {
    const prefix = this.config.getGlobalPrefix();
    const versioning = this.config.getVersioning();
    if (this.#made?.prefix !== prefix || this.#made.versioning !== versioning)
      this.#made = { prefix, versioning, table: this.#makeTable() };
    return this.#made.table;
  }

  /** @param native Node's own request, or the one that a platform hands to handlers: Express extends it, Fastify wraps it */
  exchangeOf(native: unknown): Exchange {
    const { raw: request = native } = native as { readonly raw?: unknown };
    const raw = request as IncomingMessage & Record<symbol, Exchange | undefined>;
    return (raw[this.#key] ??= new Exchange(raw, this.table.find(raw.method ?? 'GET', raw.url ?? '/')));
  }

  /** Whether one of our controllers takes a request, OPTIONS included. Bodies of others are left alone. */
  isTaken({ raw, route: { match, path } }: Exchange): boolean {
    if (raw.method === 'OPTIONS') return !path.isMalformed && this.table.leavesAt(path.segments).length > 0;
    return match?.kind === 'endpoint';
  }

  /** Whether we answer a request that no controller takes: below our groups, and at our endpoints' paths, always. */
  answersMiss({ route: { match, path } }: Exchange): boolean {
    return this.answersUnknownPaths || match !== undefined || this.table.leavesAt(path.segments).length > 0;
  }

  /** In the order in which Nest registers routes. */
  #makeTable(): RouteTable {
    const order = [...this.modules.values()].map(({ metatype }) => metatype);
    const features = this.directory.features.toSorted(
      (a, b) => order.indexOf(a.moduleClass) - order.indexOf(b.moduleClass),
    );
    return new RouteTable(
      features.flatMap((feature) => {
        const list = this.#listOf(feature);
        return mountsOf(feature, this.config, this.modules.applicationId).map((mount) => ({
          ...mount,
          list,
        }));
      }),
    );
  }

  /** Whose endpoints they are: the module that imports them, or whose controllers' methods they are. */
  #listOf({ source, moduleClass }: MountedFeature): string | undefined {
    const modules = [...this.modules.values()];
    const own = modules.find(({ metatype }) => metatype === moduleClass);
    if (source === 'controller') return own && `controllers of ${own.name}`;
    const importing = modules.find(({ imports }) => own !== undefined && imports.has(own));
    if (importing === undefined) return undefined;
    const imported = [...importing.imports].map(({ metatype }) => metatype);
    const lists = imported.filter((type) => this.#isList(type));
    const number = lists.length > 1 ? `forFeature ${lists.indexOf(moduleClass) + 1} ` : '';
    return `${number}of ${importing.name}`;
  }

  #isList(type: unknown): boolean {
    return this.directory.features.some(
      ({ source, moduleClass }) => source === 'forFeature' && moduleClass === type,
    );
  }
}
