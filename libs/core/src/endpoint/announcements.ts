import type { Changes } from '../records/record.store.js';
import type { EndpointRequest } from './request/endpoint.request.js';

/** What listeners of `endpoints.<model>.created`, `.updated` and `.deleted` get. */
export interface RecordEvent<E extends object = object> {
  /** The entity, as it was committed. */
  readonly record: E;
  /** What was written, by internal column name; of a new record all, of a deleted one nothing. */
  readonly changes: Changes;
  /** What authentication found out about the sender; undefined when the endpoint is public. */
  readonly identity: unknown;
  readonly requestId: string;
}

/** Where an application hears of what its endpoints did, once it is committed. */
export interface Announcements {
  /** Whether anybody listens to an event. */
  hears(event: string): boolean;
  /** Tells all who listen, and waits for them. */
  announce(event: string, payload: RecordEvent): Promise<void>;
  /** Logs what went wrong after the commit. The answer is a success all the same. @param what e.g. `afterCommit` */
  failed(request: EndpointRequest, what: string, error: unknown): void;
}
