import {
  Controller,
  Inject,
  Options,
  Req,
  RequestMapping,
  RequestMethod,
  UseFilters,
  UseGuards,
  UseInterceptors,
  Version,
  type Type,
} from '@nestjs/common';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { RouteLeaf, RouteTree } from '../routing/route.tree.js';
import type { Answer } from '../wire/answer.js';
import type { Reply } from '../endpoint/reply.js';
import { CasingInterceptor } from './casing.interceptor.js';
import { Pipeline } from '../http/pipeline.js';
import { keepLeaf, keepPreflight, markOwn } from '../http/roads/own.layers.js';
import { EnvelopeFilter } from './envelope.filter.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { hideFromSwagger } from './documentation/swagger.metadata.js';
import { EndpointGuard } from './endpoint.guard.js';
import { markQuery, queryMethod } from './query.method.js';

/** HTTP methods as Nest has them. */
export const nestMethods = {
  GET: RequestMethod.GET,
  POST: RequestMethod.POST,
  PUT: RequestMethod.PUT,
  PATCH: RequestMethod.PATCH,
  DELETE: RequestMethod.DELETE,
  QUERY: queryMethod,
} as const satisfies Record<HttpMethod, RequestMethod>;

/** The Nest controller of one endpoint: one handler per method, because Nest maps a list of methods to a prefix. */
export function endpointController(leaf: RouteLeaf, name: string): Type {
  class EndpointController {
    constructor(readonly pipeline: Pipeline) {}
  }
  Object.defineProperty(EndpointController, 'name', { value: name });
  const { version } = leaf.endpoint.options;
  Controller(version === undefined ? {} : { version: [version].flat() })(EndpointController);
  Inject(Pipeline)(EndpointController, undefined, 0);

  const { guards = [], interceptors = [], decorators = [] } = leaf.endpoint.options;
  const envelope = leaf.endpoint.repliesPlainly ? [CasingInterceptor, EnvelopeInterceptor] : [];
  UseGuards(EndpointGuard, ...guards)(EndpointController);
  UseInterceptors(...envelope, ...interceptors)(EndpointController);
  UseFilters(EnvelopeFilter)(EndpointController);

  for (const method of leaf.endpoint.requestMethods) {
    const key = method.toLowerCase();
    const value = markOwn(async function (
      this: EndpointController,
      native: unknown,
    ): Promise<Answer | Reply> {
      return this.pipeline.handle(native);
    });
    addHandler(EndpointController, key, decorators, { value });
    keepLeaf(descriptorOf(EndpointController, key).value as unknown as object, leaf);
    if (method === 'QUERY') markQuery(descriptorOf(EndpointController, key));
    RequestMapping({ path: leaf.pattern.toString(), method: nestMethods[method] })(
      EndpointController.prototype,
      key,
      descriptorOf(EndpointController, key),
    );
  }
  return EndpointController;
}

/** The Nest controller by which every path of a list of endpoints has a route for OPTIONS. */
export function preflightController(tree: RouteTree): Type {
  @Controller()
  class PreflightController {}
  hideFromSwagger(PreflightController);
  // Below the version of a path only what has that version answers. Where the version is in a header, the first one does for all.
  const versions = new Set([undefined, ...tree.leaves.flatMap(({ endpoint }) => endpoint.options.version)]);
  for (const [index, version] of [...versions].entries()) {
    const isHere = ({ endpoint: { options } }: RouteLeaf): boolean =>
      version === undefined || [options.version].flat().includes(version);
    const leaves = tree.leaves.filter(isHere);
    const paths = new Map(leaves.map(({ pattern }) => [pattern.shape, pattern.toString()]));
    const key = index === 0 ? 'options' : `options${String(index)}`;
    const descriptor = addPreflight(PreflightController.prototype, key, [...paths.values()]);
    if (version !== undefined) Version(version)(PreflightController.prototype, key, descriptor);
  }
  return PreflightController;
}

/**
 * Gives a controller a handler of OPTIONS whose path Nest registers. `PlatformSetup` answers in its place: guards and
 * interceptors of the user's would be asked before it, and a preflight has no token and no version.
 */
export function addPreflight(
  prototype: object,
  key: string,
  paths: string[],
): TypedPropertyDescriptor<never> {
  const value = (): void => undefined;
  keepPreflight(value);
  const handler = { value, configurable: true, writable: true, enumerable: false };
  Object.defineProperty(prototype, key, handler);
  const descriptor = handler as unknown as TypedPropertyDescriptor<never>;
  Options(paths)(prototype, key, descriptor);
  return descriptor;
}

function addHandler(
  controller: Type,
  key: string,
  decorators: readonly MethodDecorator[],
  handler: TypedPropertyDescriptor<(native: unknown) => Promise<unknown>>,
): void {
  const { prototype } = controller as { prototype: object };
  Object.defineProperty(prototype, key, { ...handler, configurable: true, writable: true });
  Req()(prototype, key, 0);
  for (const decorate of decorators) decorate(prototype, key, descriptorOf(controller, key));
}

function descriptorOf(controller: Type, key: string): TypedPropertyDescriptor<never> {
  const descriptor = Object.getOwnPropertyDescriptor(controller.prototype, key);
  if (descriptor === undefined) throw new TypeError(`${controller.name} has no handler '${key}'`);
  return descriptor as TypedPropertyDescriptor<never>;
}

/** A readable class name, e.g. `CitiesByIdGet`, unique among the names given so far. */
export function controllerName(leaf: RouteLeaf, taken: ReadonlySet<string>): string {
  const words = leaf.pattern.segments.map((part) =>
    'parameter' in part ? `By-${part.parameter}` : part.literal,
  );
  const path = words
    .join('-')
    .replace(/(?:^|\W)+(\w)/g, (_all, letter: string) => letter.toUpperCase())
    .replace(/\W/g, '');
  const name = `${path}${leaf.endpoint.kind}Controller`;
  let unique = name;
  for (let count = 2; taken.has(unique); count += 1) unique = `${name}${count}`;
  return unique;
}
