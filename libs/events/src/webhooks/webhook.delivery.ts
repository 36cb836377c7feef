import { defineEntity, p } from '@mikro-orm/core';
import { WebhookSubscription } from './webhook.subscription.js';

/** The states of a delivery: to be tried, received, or given up. */
export type DeliveryState = 'due' | 'delivered' | 'dead';

/** An event for one receiver. Goes into `entities` of MikroORM's configuration. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  indexes: [
    // Most deliveries are over: what looks for those that are not must not see them.
    {
      name: 'webhook_delivery_due',
      properties: ['subscription', 'dueAt', 'id'],
      where: "state = 'due'",
    },
    {
      name: 'webhook_delivery_record',
      properties: ['subscription', 'model', 'recordId', 'id'],
      where: "state = 'due'",
    },
    { name: 'webhook_delivery_list', properties: ['subscription', 'id'] },
    { name: 'webhook_delivery_over', properties: ['endedAt'], where: "state <> 'due'" },
    { name: 'webhook_delivery_dead', properties: ['id'], where: "state = 'dead'" },
  ],
  properties: {
    id: p.bigint('string').primary().autoincrement().fieldName('id'),
    subscription: () =>
      p.manyToOne(WebhookSubscription).deleteRule('cascade').index(false).fieldName('subscription_id'),
    /** The `webhook-id`: the same over all tries. */
    eventId: p.uuid().fieldName('event_id'),
    type: p.string().length(200).fieldName('type'),
    model: p.text().fieldName('model'),
    recordId: p.text().fieldName('record_id'),
    /** The body, as it is signed and sent. */
    body: p.text().hidden().fieldName('body'),
    state: p.string().$type<DeliveryState>().length(16).fieldName('state'),
    tries: p.integer().default(0).fieldName('tries'),
    dueAt: p.datetime().length(6).fieldName('due_at'),
    createdAt: p.datetime().length(6).fieldName('created_at'),
    endedAt: p.datetime().length(6).nullable().fieldName('ended_at'),
    /** The status of the last answer; null where there was none. */
    lastStatus: p.integer().nullable().fieldName('last_status'),
    /** The beginning of the last answer. */
    lastAnswer: p.text().nullable().fieldName('last_answer'),
    /** The reason why the last try failed. */
    lastError: p.text().nullable().fieldName('last_error'),
  },
});
