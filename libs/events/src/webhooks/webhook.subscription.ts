import { defineEntity, p } from '@mikro-orm/core';

/** A secret that signs deliveries. */
export interface SubscriptionSecret {
  /** `whsec_` and base64; `whsk_` and base64 for Ed25519. */
  readonly value: string;
  /** The end of its time, as ISO 8601; null for the one that stays. */
  readonly until: string | null;
}

/** A receiver of webhooks. Goes into `entities` of MikroORM's configuration. */
export const WebhookSubscription = defineEntity({
  name: 'WebhookSubscription',
  tableName: 'webhook_subscription',
  indexes: [{ name: 'webhook_subscription_owner', properties: ['ownerIssuer', 'ownerSubject'] }],
  properties: {
    id: p.integer().primary().autoincrement().fieldName('id'),
    url: p.string().length(2000).fieldName('url'),
    /** The names of events, e.g. `city.updated`, or `city` for all of them. */
    events: p.json<readonly string[]>().fieldName('events'),
    secrets: p.json<readonly SubscriptionSecret[]>().hidden().fieldName('secrets'),
    active: p.boolean().default(true).fieldName('active'),
    description: p.string().length(500).nullable().fieldName('description'),
    /** `identity`: it hears what its owner may see. `application`: made by code, it hears everything. */
    audience: p
      .string()
      .$type<'identity' | 'application'>()
      .length(16)
      .default('identity')
      .fieldName('audience'),
    ownerIssuer: p.string().length(500).default('').fieldName('owner_issuer'),
    ownerSubject: p.string().length(500).default('').fieldName('owner_subject'),
    /** The identity of its owner, as it was when they last signed in. */
    claims: p.json<unknown>().nullable().hidden().fieldName('claims'),
    claimsAt: p.datetime().nullable().fieldName('claims_at'),
    /** The time of the first of the failures that nothing but failures followed. */
    failingSince: p.datetime().nullable().fieldName('failing_since'),
    disabledAt: p.datetime().nullable().fieldName('disabled_at'),
    disabledFor: p.string().length(500).nullable().fieldName('disabled_for'),
    createdAt: p
      .datetime()
      .onCreate(() => new Date())
      .fieldName('created_at'),
  },
});
