import {
  ConfigurationError,
  EndpointGroup,
  NotFound,
  type AuthorizationRule,
  type InheritedOptions,
} from '@nest-endpoints/core';
import { EventsRuntime } from '../events.runtime.js';
import { WordsCallable } from '../answers/words.callable.js';
import { replayQuery } from './replay.query.js';

/** Options of {@link eventEndpoints}, beside those that members of groups inherit. */
export interface EventEndpointOptions extends InheritedOptions {
  /** The rule that says who runs the service. Required. */
  readonly authorization: AuthorizationRule;
}

const inject = { runtime: EventsRuntime };

const whole = { type: 'integer' } as const;

/**
 * Endpoints for those who run the service, and commands of its command line: `events/status`, `events/replay`, `webhooks/retry`. They
 * stand in front of {@link webhookEndpoints}.
 */
export function eventEndpoints(options: EventEndpointOptions): EndpointGroup {
  if ((Object(options) as Partial<EventEndpointOptions>).authorization === undefined)
    throw new ConfigurationError('eventEndpoints', 'authorization', 'is required: they tell of all events');
  const status = new WordsCallable({
    url: 'events/status',
    inject,
    summary: 'Tell how far events are handed on',
    outputSchema: {
      type: 'object',
      properties: {
        transaction: { type: 'string' },
        id: { type: 'string' },
        lag: whole,
        held: { type: 'boolean' },
        due: whole,
        dead: whole,
      },
      required: ['lag', 'held'],
    },
    toCall: ({ runtime }) => runtime.status(),
  });
  const replay = new WordsCallable({
    url: 'events/replay',
    inject,
    requestMethods: ['POST'],
    summary: 'Hand on anew what has changed since an instant, or from a change on',
    outputSchema: {
      type: 'object',
      properties: { transaction: { type: 'string' }, id: { type: 'string' } },
      required: ['transaction', 'id'],
    },
    querySchema: replayQuery,
    toCall: ({ runtime, queryParameters: { from } }) => runtime.replay(from),
  });
  const retry = new WordsCallable({
    url: 'webhooks/retry',
    inject,
    requestMethods: ['POST'],
    summary: 'Make dead deliveries again',
    outputSchema: { type: 'object', properties: { retried: whole }, required: ['retried'] },
    toCall: async ({ runtime }) => {
      const retried = await runtime.retryDead();
      if (retried === undefined) throw new NotFound();
      return { retried };
    },
  });
  return new EndpointGroup({ ...options, endpoints: [status, replay, retry] });
}
