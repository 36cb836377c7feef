import {
  allOf,
  type Callable,
  type Create,
  EndpointGroup,
  NotFound,
  RestfulApi,
  SimpleSearch,
  type AuthorizationRule,
  type InheritedOptions,
  type RequestContext,
} from '@nest-endpoints/core';
import { LockMode } from '@mikro-orm/core';
import { sqlOf } from '../relay/relay.sql.js';
import { WordsCallable } from '../answers/words.callable.js';
import { OwnSubscriptions } from './own.subscriptions.js';
import { RenewedClaims } from './renewed.claims.js';
import { SubscriptionCreate } from './subscription.create.js';
import { WebhookDelivery } from './webhook.delivery.js';
import { WebhookSubscription } from './webhook.subscription.js';
import { WebhookSubscriptions, type Subscription } from './webhook.subscriptions.js';

/** Options of {@link webhookEndpoints}, beside those that members of groups inherit. */
export interface WebhookEndpointOptions extends InheritedOptions {
  /** The path. Default `webhooks`. */
  readonly url?: string;
  /** The rule that says who may have subscriptions. Default: everybody who is known. */
  readonly authorization?: AuthorizationRule;
}

const inject = { subscriptions: WebhookSubscriptions };

const shown = [
  'id',
  'url',
  'events',
  'active',
  'description',
  'disabledAt',
  'disabledFor',
  'createdAt',
] as const;

const interceptors = [RenewedClaims];

/**
 * Endpoints by which everybody has subscriptions of their own: `webhooks`, their secrets, tests and deliveries.
 *
 * @example EndpointsModule.forFeature([webhookEndpoints({ authorization: new RequireScopes('webhooks') })])
 */
export function webhookEndpoints(options: WebhookEndpointOptions = {}): EndpointGroup {
  const { url = 'webhooks', authorization, ...inherited } = options;
  const own = new OwnSubscriptions();
  return new EndpointGroup({
    ...inherited,
    url,
    authorization: authorization === undefined ? own : allOf(own, authorization),
    endpoints: [...actions(), deliveries(), created(), subscriptions()],
  });
}

function actions(): readonly Callable[] {
  const post = { requestMethods: ['POST'], modelClass: WebhookSubscription, inject, interceptors } as const;
  const rotate = new WordsCallable({
    ...post,
    url: ':id/rotate',
    summary: 'Give a subscription a new secret',
    outputSchema: { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] },
    toCall: ({ subscriptions: all, em, scoped, routingData }) =>
      em.transactional(async (own) => {
        const record = await ownOf({ em: own, scoped, routingData }, LockMode.PESSIMISTIC_WRITE);
        return { secret: all.rotate(record) };
      }),
  });
  const test = new WordsCallable({
    ...post,
    url: ':id/test',
    summary: 'Send an event of the type webhook.test',
    outputSchema: { type: 'object', properties: { delivery: { type: 'string' } } },
    toCall: async ({ subscriptions: all, em, scoped, routingData }) => ({
      delivery: await all.test(await ownOf({ em, scoped, routingData }), em),
    }),
  });
  const retry = new WordsCallable({
    ...post,
    url: ':id/deliveries/:delivery/retry',
    summary: 'Make a delivery again',
    outputSchema: { type: 'object', properties: { retried: { type: 'integer' } }, required: ['retried'] },
    toCall: async ({ subscriptions: all, em, scoped, routingData }) => {
      const { id } = await ownOf({ em, scoped, routingData });
      const key = keyOf(routingData, 'delivery');
      const found = await em.findOne(
        WebhookDelivery,
        { id: key, subscription: id },
        {
          filters: false,
        },
      );
      if (found === null) throw new NotFound();
      return { retried: await all.webhooks.parts.deliveries.retry(sqlOf(em), key) };
    },
  });
  return [rotate, test, retry] as unknown as readonly Callable[];
}

function deliveries(): SimpleSearch {
  return new SimpleSearch({
    url: ':subscriptionId/deliveries',
    modelClass: WebhookDelivery,
    parent: 'subscription',
    interceptors,
    readableColumnNames: [
      'id',
      'eventId',
      'type',
      'recordId',
      'state',
      'tries',
      'dueAt',
      'createdAt',
      'endedAt',
      'lastStatus',
      'lastAnswer',
      'lastError',
    ],
    searchableColumnNames: ['state', 'type'],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
    defaultSortDirection: 'desc',
  }) as unknown as SimpleSearch;
}

function created(): Create {
  return new SubscriptionCreate({
    modelClass: WebhookSubscription,
    inject,
    readableColumnNames: [...shown],
    writeableColumnNames: ['url', 'events', 'description', 'active'],
    beforeSave: ({ subscriptions: all, record, authorizationData, em }) =>
      all.prepare(record, authorizationData, em),
  }) as unknown as Create;
}

function subscriptions(): RestfulApi {
  return new RestfulApi({
    modelClass: WebhookSubscription,
    inject,
    interceptors,
    createEndpoint: null,
    readableColumnNames: [...shown],
    writeableColumnNames: ['url', 'events', 'description', 'active'],
    searchableColumnNames: ['active'],
    sortableColumnNames: ['id'],
    defaultSortColumnName: 'id',
    beforeSave: ({ subscriptions: all, record, changes }) => {
      all.refuse(changes);
      // Whoever switches it on again begins anew.
      if (changes['active'] === true)
        Object.assign(record, { disabledAt: null, disabledFor: null, failingSince: null });
    },
  });
}

/** A request about a subscription that its path names. */
type Asking = Pick<RequestContext, 'em' | 'scoped' | 'routingData'>;

/** The subscription that the path names, where it is the sender's. @param lockMode within a transaction @throws NotFound */
async function ownOf({ em, scoped, routingData }: Asking, lockMode?: LockMode): Promise<Subscription> {
  const { where } = await scoped(WebhookSubscription);
  const id = Number(keyOf(routingData, 'id'));
  const options = lockMode === undefined ? {} : { lockMode };
  const found = await em.findOne(WebhookSubscription, where({ id }), options);
  if (found === null) throw new NotFound();
  return found;
}

/** The largest key of a subscription and of a delivery, which are an `integer` and a `bigint`. */
const largest = { id: 2n ** 31n - 1n, delivery: 2n ** 63n - 1n } as const;

/** A key of the path: a whole number. @throws NotFound for any other text */
function keyOf(routingData: RequestContext['routingData'], name: keyof typeof largest): string {
  const { [name]: text = '' } = routingData;
  if (!/^[1-9]\d{0,18}$/.test(text) || BigInt(text) > largest[name]) throw new NotFound();
  return text;
}
