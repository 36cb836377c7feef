import type { IncomingMessage } from 'node:http';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import type { Refusal } from '../wire/refusals.js';
import { Reception } from './admission/reception.js';
import { EndpointDirectory } from './endpoint.directory.js';
import { mountsOf, type MountedFeature } from './route.mounts.js';
import { planRoutes } from '../routing/route.plan.js';
import { RouteTable, type FoundRoute } from '../routing/route.table.js';
import { Visits, type Visit } from './visit.js';

/** What is known of a request before any handler: its route and its raw body. */
@Injectable()
export class HttpEdge implements OnModuleInit {
  #made: { readonly prefix: string; readonly versioning: unknown; readonly table: RouteTable } | undefined;
  readonly #visits = new Visits(({ method = 'GET', url = '/' }) => this.table.find(method, url));

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly reception: Reception,
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

  visitOf(request: IncomingMessage): Visit {
    return this.#visits.of(request);
  }

  routeOf(request: IncomingMessage): FoundRoute {
    return this.#visits.of(request).route;
  }

  /** Whether one of our controllers takes a request, OPTIONS included. Bodies of others are left alone. */
  isTaken(request: IncomingMessage): boolean {
    const { match, path } = this.routeOf(request);
    if (request.method === 'OPTIONS')
      return !path.isMalformed && this.table.leavesAt(path.segments).length > 0;
    return match?.kind === 'endpoint';
  }

  /** Whether we answer a request that no controller takes: below our groups, and at our endpoints' paths, always. */
  answersMiss(request: IncomingMessage): boolean {
    const { match, path } = this.routeOf(request);
    return this.answersUnknownPaths || match !== undefined || this.table.leavesAt(path.segments).length > 0;
  }

  /** Waits until a request of ours can be worked on, or says why it will not be. */
  receive(request: IncomingMessage, done: (refusal?: Refusal) => void): void {
    this.reception.receive(request, this.#visits.of(request), done);
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
