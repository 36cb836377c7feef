import { MikroORM } from '@mikro-orm/core';
import { getMikroORMToken, MikroOrmMiddleware, MultipleMikroOrmMiddleware } from '@mikro-orm/nestjs';
import { ConfigurableModuleBuilder, Global, Module, type DynamicModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { isEndpointOrGroup, type EndpointOrGroup } from '../endpoint/endpoint.group.js';
import { checkOptions } from '../options/checked.options.js';
import { filledText } from '../options/checks.js';
import { endpointList } from '../endpoint/options/endpoint.list.check.js';
import { rootChecks } from '../endpoint/options/root.checks.js';
import type { RootOptions } from '../endpoint/options/settings.js';
import type { OptionChecks } from '../options/option.check.js';
import { storageOf } from '../endpoint/storage.js';
import { Shutdown } from '../endpoint/shutdown.js';
import { Admission } from '../http/admission/admission.js';
import { Delivery } from '../http/admission/delivery.js';
import { Reception } from '../http/admission/reception.js';
import { ApplicationDocumentation } from './documentation/application.documentation.js';
import { Drain } from '../http/closing/drain.js';
import { Consistency } from '../http/consistency.js';
import { EndpointDirectory, type CompiledFeature } from '../http/endpoint.directory.js';
import { Pipeline } from '../http/pipeline.js';
import { FeatureCompiler } from './features/feature.compiler.js';
import { Feature } from './features/feature.js';
import { MethodEndpoints } from './methods/method.endpoints.js';
import { MountedRoutes } from './features/mounted.routes.js';
import { Routes } from '../http/routes.js';
import { HttpEdge } from '../http/http.edge.js';
import { OperationDispatch } from '../http/dispatch/operation.dispatch.js';
import { PlatformSetup } from './platform.setup.js';
import { Preflight } from '../http/answers/preflight.js';
import { EndpointContext } from '../endpoint/endpoint.context.js';
import { RefusalWriter } from '../http/answers/refusal.writer.js';
import { EventAnnouncements } from './providers/event.announcements.js';
import { Observation } from '../http/observation/observation.js';
import { ChangeSweep } from './change.sweep.js';
import { IdempotencySweep } from './idempotency.sweep.js';
import { TrashSweep } from './trash.sweep.js';
import { LimitOpening } from './limit.opening.js';
import { LiveClosing } from './live.closing.js';
import { NestProviders } from './providers/nest.providers.js';
import { AnswerWatch } from '../http/answers/answer.watch.js';
import { RequestWatch } from '../http/request.watch.js';
import { QuietRoutes } from './quiet.routes.js';
import { DatabaseCheck } from './database.check.js';
import { StartAdvice } from './start.advice.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { quietMiddlewareToken, rootOptionsToken } from '../http/tokens.js';
import { AnswerSender } from '../http/answers/answer.sender.js';
import { StraightRoad } from '../http/roads/straight.road.js';
import { Surroundings } from '../http/roads/surroundings.js';
import { NestSurroundings } from './nest.surroundings.js';

const root = new ConfigurableModuleBuilder<RootOptions>({ optionsInjectionToken: rootOptionsToken })
  .setClassMethodName('forRoot')
  .build();

/** The providers that an application needs once, however many features it has. */
const once = [
  Shutdown,
  Admission,
  Reception,
  Delivery,
  Drain,
  Observation,
  EndpointDirectory,
  Consistency,
  { provide: Routes, useClass: MountedRoutes },
  HttpEdge,
  OperationDispatch,
  Pipeline,
  AnswerSender,
  StraightRoad,
  { provide: Surroundings, useClass: NestSurroundings },
  // Our requests have entity managers of their own; its middleware makes one for others.
  { provide: quietMiddlewareToken, useValue: [MikroOrmMiddleware, MultipleMikroOrmMiddleware] },
  RefusalWriter,
  Preflight,
  PlatformSetup,
  StartAdvice,
  DatabaseCheck,
  QuietRoutes,
  ApplicationDocumentation,
  NestProviders,
  EventAnnouncements,
  RequestWatch,
  AnswerWatch,
  ChangeSweep,
  IdempotencySweep,
  TrashSweep,
  LimitOpening,
  LiveClosing,
  FeatureCompiler,
];

/** Global, because methods of the user's own controllers are endpoints too, and any provider may ask for the context. */
@Global()
@Module({
  providers: [
    ...once,
    EndpointContext,
    {
      provide: MethodEndpoints,
      inject: [
        FeatureCompiler,
        ModulesContainer,
        ApplicationDocumentation,
        { token: MikroORM, optional: true },
      ],
      useFactory: (
        compiler: FeatureCompiler,
        modules: ModulesContainer,
        documentation: ApplicationDocumentation,
        found: MikroORM | undefined,
      ): MethodEndpoints =>
        new MethodEndpoints(
          modules,
          compiler,
          documentation,
          found === undefined ? undefined : storageOf(found),
        ),
    },
  ],
  exports: [...once, EndpointContext, MethodEndpoints],
})
class EndpointsCoreModule {}

/** The options of the whole application, for everybody. */
@Global()
@Module({ imports: [EndpointsCoreModule], exports: [rootOptionsToken] })
class EndpointsRootModule extends root.ConfigurableModuleClass {
  /** @throws ConfigurationError when the application has several of it: which one holds would be chance */
  constructor(modules: ModulesContainer) {
    super();
    const all = [...modules.values()].filter(({ metatype }) => metatype === EndpointsRootModule);
    if (all.length > 1) {
      const problem = 'is called twice in this application; allowed: once, e.g. in the root module';
      throw new ConfigurationError('EndpointsModule', 'forRoot', problem);
    }
  }
}

/** The options of all endpoints of one `forFeature`. */
export interface FeatureOptions {
  /** The MikroORM context whose database serves these endpoints. Default: MikroORM's default context. */
  readonly contextName?: string;
}

const forFeature = 'EndpointsModule.forFeature';

const featureChecks = { endpoints: endpointList(isEndpointOrGroup), contextName: filledText } as const;

/**
 * Turns declared endpoints into Nest controllers.
 *
 * @example
 * imports: [
 *   MikroOrmModule.forRoot(config),
 *   EndpointsModule.forRoot({ externalCasing: 'camelCase' }),
 *   EndpointsModule.forFeature([new RestfulApi({ url: 'cities', modelClass: City, ... })]),
 * ]
 */
@Module({})
export class EndpointsModule {
  /** The options of `forRoot`. */
  static readonly optionChecks: OptionChecks = rootChecks;

  /** Defaults of the whole application. May be left out. */
  static forRoot(options: RootOptions = {}): DynamicModule {
    return EndpointsRootModule.forRoot(options);
  }

  /** {@link forRoot} with injected options: `useFactory`, `useClass` or `useExisting`. */
  static forRootAsync(options: typeof root.ASYNC_OPTIONS_TYPE): DynamicModule {
    return EndpointsRootModule.forRootAsync(options);
  }

  /**
   * Mounts a list of endpoints, tried from top to bottom. May be called in many modules. The module it returns has a
   * class of its own, so that `RouterModule.register([{ path, module: feature.module }])` can give it a prefix.
   */
  static forFeature(
    endpoints: readonly EndpointOrGroup[],
    { contextName, ...unknown }: FeatureOptions = {},
  ): DynamicModule {
    checkOptions(forFeature, { endpoints, contextName, ...unknown }, { checks: featureChecks });
    @Module({})
    class EndpointsFeatureModule {}
    const feature = new Feature(EndpointsFeatureModule, endpoints);
    const orm = contextName === undefined ? MikroORM : getMikroORMToken(contextName);
    return {
      module: EndpointsFeatureModule,
      imports: [EndpointsCoreModule],
      controllers: [...feature.controllers.values(), feature.preflight],
      providers: [
        {
          // Compiled in a provider: metadata is complete, and a mistake stops the application before it listens.
          provide: Feature,
          inject: [FeatureCompiler, ApplicationDocumentation, { token: orm, optional: true }],
          useFactory: (
            compiler: FeatureCompiler,
            documentation: ApplicationDocumentation,
            found: MikroORM | undefined,
          ): CompiledFeature => {
            const storage = found === undefined ? undefined : storageOf(found);
            if (storage === undefined && contextName !== undefined) throw unknownContext(contextName);
            const compiled = compiler.compile(feature, storage);
            documentation.decorate(compiled);
            return compiled;
          },
        },
      ],
    };
  }
}

function unknownContext(contextName: string): ConfigurationError {
  const problem = `no MikroOrmModule.forRoot of the application has the context '${contextName}'`;
  return new ConfigurationError(forFeature, 'contextName', problem);
}
