import type { Server } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { OperationCatalogue } from '../../documentation/operation.catalogue.js';
import { withoutLostTwin } from '../../documentation/operation.twin.js';
import { referencesOf } from '../../documentation/references.js';
import { pathOf, routesOf } from '../../documentation/documented.routes.js';
import { Public } from '../../access/authentication.js';
import { ruleName } from '../../access/combined.authorization.js';
import type {
  ApiDocumentation,
  DocumentedOutput,
  DocumentedRoute,
  DocumentedTag,
  MountedEndpoint,
} from '../../endpoint/description/api.documentation.js';
import type { DocumentedOperation, OpenApiObject } from '../../endpoint/description/open.api.js';
import type { HttpMethod } from '../../endpoint/http.method.js';
import type { RouteLeaf } from '../../routing/route.tree.js';
import { planRoutes, type PlannedHandler } from '../../routing/route.plan.js';
import type { RouteTable } from '../../routing/route.table.js';
import { EndpointDirectory, type CompiledFeature } from '../../http/endpoint.directory.js';
import { HttpEdge } from '../../http/http.edge.js';
import { carrySwagger } from './swagger.metadata.js';

interface SearchableOptions {
  readonly searchableColumnNames?: readonly string[];
}

/** The material of documents about the application's endpoints. */
@Injectable()
export class ApplicationDocumentation implements ApiDocumentation, OnApplicationBootstrap {
  /** See {@link ApiDocumentation.webhooks}. */
  webhooks: ApiDocumentation['webhooks'];
  readonly #logger = new Logger('Endpoints');
  #tellsGaps = false;
  readonly #told = new Set<string>();
  /** True while a turn of making the catalogue is to come. */
  #goesOn = false;
  #made: { readonly features: number; readonly catalogue: OperationCatalogue } | undefined;
  #planned: { readonly table: RouteTable; readonly handlers: readonly PlannedHandler[] } | undefined;
  #routed: { readonly table: RouteTable; readonly routes: readonly DocumentedRoute[] } | undefined;

  constructor(
    private readonly directory: EndpointDirectory,
    private readonly edge: HttpEdge,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  get catalogue(): OperationCatalogue {
    const catalogue = this.#begun.finish();
    this.#tell(catalogue);
    return catalogue;
  }

  /** The catalogue as far as it is made. Modules that are loaded later bring endpoints of their own. */
  get #begun(): OperationCatalogue {
    const { features, options } = this.directory;
    if (this.#made?.features !== features.length) {
      const endpoints = features.flatMap((feature) => feature.endpoints);
      const described = endpoints.map(({ leaf, style, facts, modelComment, describe }) => ({
        leaf,
        settings: style.settings,
        modelName: facts.modelName,
        modelComment,
        describe,
      }));
      this.#made = { features: features.length, catalogue: new OperationCatalogue(described, options) };
    }
    return this.#made.catalogue;
  }

  get routes(): readonly DocumentedRoute[] {
    return this.#planRoutes();
  }

  get endpoints(): readonly MountedEndpoint[] {
    const reached = planRoutes(this.edge.table.takers()).handlers.filter(({ paths }) => paths.length > 0);
    return reached.map(({ leaf, method, pattern }) => {
      const { style, facts } = this.directory.endpointAt(leaf);
      const { authentication, authorizations } = style.settings;
      const isPublic = leaf.endpoint.isPublic || authentication instanceof Public;
      return {
        path: pathOf(pattern),
        method,
        kind: facts.kind,
        modelName: facts.modelName,
        authentication: isPublic ? undefined : authentication.constructor.name,
        rules: authorizations.map(ruleName),
        description: leaf.endpoint.options.description,
        operation: this.catalogue.operation(leaf, method),
      };
    });
  }

  get tags(): ReadonlyMap<string, DocumentedTag> {
    return this.catalogue.tags;
  }

  get schemas(): ReadonlyMap<string, OpenApiObject> {
    return this.catalogue.schemas;
  }

  get securitySchemes(): ReadonlyMap<string, OpenApiObject> {
    return this.catalogue.securitySchemes;
  }

  get securityNames(): ReadonlyMap<string, string> {
    return this.catalogue.securityNames;
  }

  schemasIn(part: unknown): ReadonlySet<string> {
    return referencesOf(part, this.schemas);
  }

  outputOf({ leaf }: DocumentedRoute): DocumentedOutput | undefined {
    const { style, names, describe } = this.directory.endpointAt(leaf as RouteLeaf);
    const answer = describe()?.answer;
    if (answer?.kind !== 'envelope') return undefined;
    const { options } = (leaf as RouteLeaf).endpoint;
    const { searchableColumnNames = [] } = options as SearchableOptions;
    return {
      ...this.catalogue.outputOf(leaf as RouteLeaf, answer, style.settings.externalCasing),
      isPaged: answer.paging !== undefined,
      searchable: searchableColumnNames.map((name) => names.outward(name)),
    };
  }

  tellGaps(): void {
    this.#tellsGaps = true;
  }

  /** A command, and a test without a port, have no server: they are told when they ask. */
  onApplicationBootstrap(): void {
    if (!this.#tellsGaps) return;
    const adapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | undefined;
    const server = adapter?.getHttpServer() as Server | undefined;
    server?.on('listening', () => {
      this.#goOn(server);
    });
  }

  /** Makes the catalogue a step at a time, so that requests are answered in between, and tells of what is missing. */
  #goOn(server: Server): void {
    if (this.#goesOn) return;
    this.#goesOn = true;
    setImmediate(() => {
      this.#goesOn = false;
      if (!server.listening) return;
      if (this.#begun.advance()) this.#planRoutes();
      else this.#goOn(server);
    });
  }

  /** The operations at their paths, some of which OpenAPI cannot say. */
  #planRoutes(): readonly DocumentedRoute[] {
    const { table } = this.edge;
    if (this.#routed?.table !== table) {
      const { catalogue } = this;
      this.#routed = { table, routes: [...routesOf(planRoutes(table.takers()).handlers, catalogue)] };
      this.#tell(catalogue);
    }
    return this.#routed.routes;
  }

  #tell({ warnings }: OperationCatalogue): void {
    if (!this.#tellsGaps) return;
    for (const warning of warnings) {
      if (!this.#told.has(warning)) this.#logger.warn(warning);
      this.#told.add(warning);
    }
  }

  /** True if requests reach an endpoint at all: what stands before it may take them all. */
  #answers(leaf: RouteLeaf, method: HttpMethod): boolean {
    const { table } = this.edge;
    if (this.#planned?.table !== table)
      this.#planned = { table, handlers: planRoutes(table.takers()).handlers };
    return this.#planned.handlers.some(
      (handler) => handler.leaf === leaf && handler.method === method && handler.paths.length > 0,
    );
  }

  #operation(leaf: RouteLeaf, method: HttpMethod): DocumentedOperation | undefined {
    const operation = this.#answers(leaf, method) ? this.catalogue.operation(leaf, method) : undefined;
    return operation && withoutLostTwin(operation, (other) => this.#answers(leaf, other));
  }

  /** Gives a feature's controllers what `@nestjs/swagger` reads. */
  decorate({ controllers }: CompiledFeature): void {
    for (const [leaf, controller] of controllers)
      for (const method of leaf.endpoint.requestMethods)
        this.decorateHandler(handlerOf(controller, method.toLowerCase()), leaf, method);
  }

  decorateHandler(handler: object, leaf: RouteLeaf, method: HttpMethod): void {
    carrySwagger(handler, {
      operation: () => this.#operation(leaf, method),
      schemasIn: (part) => {
        const names = this.schemasIn(part);
        return new Map([...this.schemas].filter(([name]) => names.has(name)));
      },
    });
  }
}

function handlerOf(controller: { readonly prototype: unknown }, key: string): object {
  return Reflect.get(controller.prototype as object, key) as object;
}
