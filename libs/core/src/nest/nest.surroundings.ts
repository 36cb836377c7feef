import { types } from 'node:util';
import { Inject, Injectable, VersioningType, type Type } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { CompiledEndpoint } from '../http/compiled.endpoint.js';
import { EndpointDirectory, type CompiledFeature } from '../http/endpoint.directory.js';
import { isOwn, isOwnKey } from '../http/roads/own.layers.js';
import { Surroundings } from '../http/roads/surroundings.js';
import { quietMiddlewareToken } from '../http/tokens.js';

/** Metadata of handlers that Nest and we write, and what only tells versions and documents. */
const plainKeys: ReadonlySet<unknown> = new Set([
  'path',
  'method',
  '__version__',
  'design:type',
  'design:paramtypes',
  'design:returntype',
]);

/** Looks at what Nest has been told to do with requests to endpoints. */
@Injectable()
export class NestSurroundings extends Surroundings {
  readonly growing: Surroundings['growing'];

  /** @param quiet classes of middleware that does nothing which endpoints need */
  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly adapterHost: HttpAdapterHost,
    private readonly directory: EndpointDirectory,
    @Inject(quietMiddlewareToken) private readonly quiet: readonly Type[],
  ) {
    super();
    this.growing = [
      [
        config,
        [
          'useGlobalGuards',
          'addGlobalGuard',
          'addGlobalRequestGuard',
          'useGlobalInterceptors',
          'addGlobalInterceptor',
          'addGlobalRequestInterceptor',
          'useGlobalPipes',
          'useGlobalFilters',
          'registerPreRequestHook',
          'enableVersioning',
        ],
      ],
    ];
  }

  reasonAgainst({ leaf, controller }: CompiledEndpoint): string | undefined {
    const feature = this.directory.features.find(({ controllers }) => controllers.get(leaf) === controller);
    if (feature === undefined || feature.source === 'controller')
      return "it is a method of the user's own controller";
    const { guards = [], interceptors = [] } = leaf.endpoint.options;
    if (guards.length > 0) return 'it has guards';
    if (interceptors.length > 0) return 'it has interceptors';
    const { prototype } = controller as { prototype: Readonly<Record<string, object>> };
    for (const method of leaf.endpoint.requestMethods) {
      const handler = prototype[method.toLowerCase()];
      if (handler === undefined || Reflect.getMetadataKeys(handler).some((key) => !isPlain(key)))
        return 'it has decorators';
      if (!isOwn(handler)) return 'something is around its handler';
    }
    if (!isAsDeclared(controller, leaf.endpoint.repliesPlainly)) return 'its controller has decorators';
    return this.#reasonAgainstInstance(feature, controller) ?? this.#reasonAgainstAll();
  }

  /** The controller as Nest has made it. */
  #reasonAgainstInstance({ moduleClass }: CompiledFeature, controller: Type): string | undefined {
    const own = [...this.modules.values()].find(({ metatype }) => metatype === moduleClass);
    const wrapper = own?.controllers.get(controller);
    if (wrapper?.isDependencyTreeStatic() !== true) return 'Nest makes its controller for each request';
    const instance: unknown = wrapper.instance;
    const isAsMade =
      !types.isProxy(instance) &&
      Object.getPrototypeOf(instance) === controller.prototype &&
      Object.keys(instance as object).join() === 'pipeline';
    return isAsMade ? undefined : 'its controller was changed';
  }

  #reasonAgainstAll(): string | undefined {
    const { config } = this;
    const guards = [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()];
    if (guards.length > 0) return 'there is a global guard';
    const interceptors = [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()];
    if (interceptors.length > 0) return 'there is a global interceptor';
    if (((told(config, 'getGlobalPreRequestHooks') ?? []) as readonly unknown[]).length > 0)
      return 'there is a hook before requests';
    const versioning = config.getVersioning();
    if (versioning !== undefined && versioning.type !== VersioningType.URI)
      return 'versions are told by something else than paths';
    if (told(this.adapterHost.httpAdapter, 'getOnRouteTriggered') !== undefined)
      return 'somebody listens to routes';
    const middleware = [...this.modules.values()]
      .flatMap((module) => [...module.middlewares.values()])
      .find(({ metatype }) => !this.quiet.includes(metatype as Type));
    return middleware === undefined ? undefined : `a module has middleware (${middleware.name})`;
  }
}

/** Gives what a method of Nest's tells; undefined where it is not there: the first versions of Nest 11 have fewer. */
function told(target: object, method: string): unknown {
  const tell = Reflect.get(target, method) as (() => unknown) | undefined;
  return tell?.call(target);
}

/** True if nothing was added to what {@link endpointController} has put around its handlers. */
function isAsDeclared(controller: Type, repliesPlainly: boolean): boolean {
  const counts = {
    __guards__: 1,
    __interceptors__: repliesPlainly ? 2 : 0,
    __exceptionFilters__: 1,
    __pipes__: 0,
  };
  return Object.entries(counts).every(([key, count]) => {
    const listed = Reflect.getMetadata(key, controller) as readonly unknown[] | undefined;
    return (listed?.length ?? 0) === count;
  });
}

function isPlain(key: unknown): boolean {
  return plainKeys.has(key) || isOwnKey(key) || String(key).startsWith('swagger/');
}
