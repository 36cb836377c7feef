/** The contents of an event: the key, the names of changed columns where it is an update, and the values that are shown. */
export type EventData = Readonly<Record<string, unknown>>;

/** An event in the form of Standard Webhooks. */
export interface StandardEvent {
  /** The id, which is the same however often it is handed on; in the header `webhook-id` of a webhook. */
  readonly id: string;
  /** The name of the event and the operation, e.g. `city.updated`. */
  readonly type: string;
  /** The time of the change, ISO 8601 in UTC. */
  readonly timestamp: string;
  readonly data: EventData;
}

/** An event in the form of CloudEvents 1.0. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The key of the record. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: EventData;
}

/** An event as functions and queues get it. */
export type EventMessage = StandardEvent | CloudEvent;
