import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { EndpointContext } from '@nest-endpoints/core';
import { WebhookSubscriptions } from './webhook.subscriptions.js';

/** The answer that an interceptor hands on. */
type Answer = ReturnType<CallHandler['handle']>;

/** Renews the claims of whoever asks for their subscriptions. */
@Injectable()
export class RenewedClaims implements NestInterceptor {
  constructor(private readonly subscriptions: WebhookSubscriptions) {}

  async intercept(_context: ExecutionContext, next: CallHandler): Promise<Answer> {
    const { identity } = EndpointContext.current ?? {};
    await this.subscriptions.signedIn(identity);
    return next.handle();
  }
}
