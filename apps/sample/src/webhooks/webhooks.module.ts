import { MikroOrmModule } from '@mikro-orm/nestjs';
import { ChangeRecord, EndpointsModule, type Authentication } from '@nest-endpoints/core';
import {
  EventPosition,
  EventsModule,
  WebhookDelivery,
  webhookEndpoints,
  Webhooks,
  WebhookSubscription,
} from '@nest-endpoints/events';
import { Module, type DynamicModule } from '@nestjs/common';
import type { AtlasSettings } from '../atlas.settings.js';
import { Postcard } from '../postcards/postcard.entity.js';

/** Receivers on this machine, for trying webhooks out: only where the keys are those of development. */
const local = { allowHosts: ['127.0.0.1'], allowHttp: true };

/** Tells others of postcards: whoever has a token subscribes at `/webhooks`. */
@Module({})
export class WebhooksModule {
  /** @param authentication who asks; without it there are no subscriptions, and nobody to tell */
  static forRoot(
    authentication: Authentication | undefined,
    { login }: Pick<AtlasSettings, 'login'>,
  ): DynamicModule {
    if (authentication === undefined) return { module: WebhooksModule };
    return {
      module: WebhooksModule,
      imports: [
        MikroOrmModule.forFeature([ChangeRecord, EventPosition, WebhookSubscription, WebhookDelivery]),
        EventsModule.forRoot({
          // Everybody sees all postcards, so that everybody may hear of them.
          events: { postcard: { model: Postcard, show: ['id', 'text', 'place'], authorization: 'none' } },
          deliver: new Webhooks(login.kind === 'development' ? local : {}),
        }),
        EndpointsModule.forFeature([webhookEndpoints({ authentication })]),
      ],
    };
  }
}
