import type { Identity } from '../model/registered.identity.js';
import type { Changes } from '../records/record.store.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/** The event that listeners of `endpoints.<model>.created`, `.updated`, `.deleted` and `.restored` get. */
export interface RecordEvent<E extends object = object> {
  /** The entity, as it was committed. */
  readonly record: E;
  /** The written values, by internal column name: all of a new record, none of a deleted one. */
  readonly changes: Changes;
  /** The sender as authentication found it; undefined when the endpoint is public. */
  readonly identity: Identity;
  readonly requestId: string;
  /** True of a record that was deleted by a mark, false of one that was purged; undefined for others. */
  readonly soft?: boolean | undefined;
}

/** The events of an application: it hears of the writes of its endpoints once they are committed. */
export interface Announcements {
  /** False once it is known that nobody can listen to any event, ever. */
  readonly canBeHeard: boolean;
  /** True if anybody listens to an event. */
  hears(event: string): boolean;
  /** Tells all who listen, and waits for them. */
  announce(event: string, payload: RecordEvent): Promise<void>;
  /** Logs what went wrong after the commit. The answer is a success all the same. @param what e.g. `afterCommit` */
  failed(request: EndpointRequest, what: string, error: unknown): void;
}
