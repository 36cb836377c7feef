import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { RawBody } from '../input/raw-body.js';
import { collectBody } from './body.collector.js';
import { EndpointDirectory } from './endpoint.directory.js';
import { PerRequest } from './per-request.js';
import { mountsOf } from './route.mounts.js';
import { RouteTable, type FoundRoute } from '../routing/route.table.js';

/** The largest body when `forRoot` names no limit: 1 MiB. */
const defaultBodyLimit = 1_048_576;

/** What is known of a request before any handler: its route and its raw body. */
@Injectable()
export class HttpEdge implements OnModuleInit {
  #table: RouteTable | undefined;
  readonly #routes = new PerRequest<FoundRoute>();
  readonly #bodies = new PerRequest<RawBody>();

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    readonly adapterHost: HttpAdapterHost,
  ) {}

  /** The routes are final only now, because prefix and versions are set after the providers are made. */
  onModuleInit(): void {
    this.#table = undefined;
  }

  /** Whether paths that no controller of the application has are answered with the envelope. */
  get answersUnknownPaths(): boolean {
    return this.directory.options.unknownPaths !== 'own';
  }

  get table(): RouteTable {
    this.#table ??= this.#makeTable();
    return this.#table;
  }

  routeOf(request: IncomingMessage): FoundRoute {
    return this.#routes.get(request, () => this.table.find(request.method ?? 'GET', request.url ?? '/'));
  }

  bodyOf(request: IncomingMessage): RawBody {
    return this.#bodies.get(request, () => ({ kind: 'none' }));
  }

  /** Whether one of our endpoints takes a request. Bodies of others are left alone. */
  isTaken(request: IncomingMessage): boolean {
    return this.routeOf(request).match?.kind === 'endpoint';
  }

  /** Whether we answer a request that no controller takes: below our groups, and at our endpoints' paths, always. */
  answersMiss(request: IncomingMessage): boolean {
    const { match, path } = this.routeOf(request);
    return this.answersUnknownPaths || match !== undefined || this.table.leavesAt(path.segments).length > 0;
  }

  /** Collects the body of a request, unjudged. */
  collect(request: IncomingMessage, done: () => void): void {
    collectBody(request, this.directory.options.bodyLimit ?? defaultBodyLimit, (body) => {
      this.#bodies.set(request, body);
      done();
    });
  }

  /** In the order in which Nest registers routes. */
  #makeTable(): RouteTable {
    const order = [...this.modules.values()].map(({ metatype }) => metatype);
    const features = this.directory.features.toSorted(
      (a, b) => order.indexOf(a.moduleClass) - order.indexOf(b.moduleClass),
    );
    return new RouteTable(
      features.flatMap((feature) => mountsOf(feature, this.config, this.modules.applicationId)),
    );
  }
}
