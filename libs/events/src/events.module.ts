import { MikroORM } from '@mikro-orm/core';
import { ConfigurationError } from '@nest-endpoints/core';
import {
  ApplicationDocumentation,
  ChangeSweep,
  rootOptionsToken,
  type RootOptions,
} from '@nest-endpoints/core/internal';
import { ConfigurableModuleBuilder, Global, Module, Scope, type DynamicModule } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { EventsHealth } from './events.health.js';
import type { EventsOptions } from './events.options.js';
import { EventsRuntime } from './events.runtime.js';
import { RenewedClaims } from './webhooks/renewed.claims.js';
import { WebhookSubscriptions } from './webhooks/webhook.subscriptions.js';

const optionsToken = Symbol('@nest-endpoints/events options');

const root = new ConfigurableModuleBuilder<EventsOptions>({ optionsInjectionToken: optionsToken })
  .setClassMethodName('forRoot')
  .build();

const runtime = {
  provide: EventsRuntime,
  inject: [
    optionsToken,
    MikroORM,
    ChangeSweep,
    ApplicationDocumentation,
    { token: rootOptionsToken, optional: true },
  ],
  useFactory: (
    options: EventsOptions,
    orm: MikroORM,
    sweep: ChangeSweep,
    documentation: ApplicationDocumentation,
    given: RootOptions | null | undefined,
  ): EventsRuntime => EventsRuntime.of({ options, orm, root: given, sweep, documentation }),
};

const subscriptions = {
  provide: WebhookSubscriptions,
  inject: [EventsRuntime],
  useFactory: (events: EventsRuntime): WebhookSubscriptions =>
    new WebhookSubscriptions(events.webhooks, () => events.em()),
};

/** Made anew whenever it is asked for: a HealthCheck that builds it has looked. */
const health = {
  provide: EventsHealth,
  scope: Scope.TRANSIENT,
  inject: [EventsRuntime],
  useFactory: async (events: EventsRuntime): Promise<EventsHealth> => new EventsHealth(await events.check()),
};

/** The events of the application, for everybody. */
@Global()
@Module({
  providers: [runtime, subscriptions, health, RenewedClaims],
  exports: [EventsRuntime, WebhookSubscriptions, EventsHealth, RenewedClaims],
})
class EventsRootModule extends root.ConfigurableModuleClass {
  /** @throws ConfigurationError when the application has several of it: there is one position */
  constructor(modules: ModulesContainer) {
    super();
    const all = [...modules.values()].filter(({ metatype }) => metatype === EventsRootModule);
    if (all.length > 1)
      throw new ConfigurationError(
        'EventsModule',
        'forRoot',
        'is called twice in this application; allowed: once',
      );
  }
}

/**
 * Tells others of changes, by webhooks, a queue or a function: from the log of changes, once they are committed.
 *
 * @example
 * imports: [
 *   EventsModule.forRoot({ events: { city: { model: City, authorization: 'none' } }, deliver: new Webhooks() }),
 *   EndpointsModule.forFeature([webhookEndpoints()]),
 * ]
 */
export class EventsModule {
  /** Declares the events of the application, and how they go out. */
  static forRoot(options: EventsOptions): DynamicModule {
    return EventsRootModule.forRoot(options);
  }

  /** {@link forRoot} with injected options: `useFactory`, `useClass` or `useExisting`. */
  static forRootAsync(options: typeof root.ASYNC_OPTIONS_TYPE): DynamicModule {
    return EventsRootModule.forRootAsync(options);
  }
}
