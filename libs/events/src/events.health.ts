import type { RelayStatus } from './relay/relay.status.js';

/**
 * The health of events, for a HealthCheck: cannot be built while events are late.
 *
 * @example new HealthCheck({ url: 'health/events', dependencyInjectionNames: [EventsHealth] })
 */
export class EventsHealth {
  constructor(readonly status: RelayStatus) {}
}
