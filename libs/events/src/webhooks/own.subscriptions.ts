import { Authorization, type RecordScope } from '@nest-endpoints/core';
import type { EntityMetadata } from '@mikro-orm/core';
import { ownerOf } from './webhook.owner.js';
import { WebhookSubscription } from './webhook.subscription.js';

/** Lets everybody see the subscriptions that are their own, and make new ones for themselves. */
export class OwnSubscriptions extends Authorization {
  readonly isAboutRecords = true;

  override gate(identity: unknown): boolean {
    return ownerOf(identity) !== undefined;
  }

  override concerns({ class: of }: EntityMetadata): boolean {
    return of === WebhookSubscription.meta.class;
  }

  scopeOf(entity: EntityMetadata): RecordScope {
    if (!this.concerns(entity)) return { conditions: [] };
    return {
      isSticky: true,
      conditions: [
        { propertyName: 'audience', value: () => 'identity' },
        { propertyName: 'ownerIssuer', value: ({ authorizationData }) => ownerOf(authorizationData)?.[0] },
        { propertyName: 'ownerSubject', value: ({ authorizationData }) => ownerOf(authorizationData)?.[1] },
      ],
    };
  }
}
