import type { EntityManager } from '@mikro-orm/core';
import type { Cancellation } from '../../limits/cancellation.js';
import type { EndpointRequest } from '../request/endpoint.request.js';
import type { Representation } from '../answers/representation.js';
import type { LiveSettings } from './live.options.js';

/** A record that somebody sees, as JSON text. */
export interface SeenRecord {
  /** The record as the endpoint shows it. */
  readonly text: string;
  /** Its key as the endpoint shows it. */
  readonly id: string;
}

/** Records by their keys in the log of changes. */
export type SeenRecords = ReadonlyMap<string, SeenRecord>;

/** The sight of one request: the records that it asks for and may see. */
export interface Sight {
  /** Text that is equal for all requests which see the same: what is read for one of them is read for all. */
  readonly key: string;
  /** Text that tells its sender from others; undefined where nothing does. */
  readonly sender: string | undefined;
  /** The schema of tables that have none of their own; undefined for MikroORM's. */
  readonly schema: string | undefined;
  /** The address of its sender; undefined where the platform does not tell it. */
  readonly address: string | undefined;
  /** The key of the only record that it can ask for; undefined where there may be others. */
  readonly subject: string | undefined;
  /** True if it wants to begin with the records of the first page. */
  readonly wantsFirst: boolean;
  /** The end of what proves who sent it, in milliseconds since 1970; undefined where it has none. */
  readonly expires: number | undefined;
  /** The most records of {@link first}. */
  readonly limit: number;
  /**
   * Reads the records of the first page, in their order. Undefined where a single record is asked for, and is not there.
   *
   * @param cancellation of whoever waits for it
   */
  first(
    cancellation: Cancellation,
  ): Promise<{ readonly data: string; readonly records: SeenRecords } | undefined>;
  /**
   * Reads those of some records that are seen, with one statement. What the database cannot have for a key is no record.
   *
   * @param cancellation of whoever waits for it
   */
  seen(keys: readonly string[], cancellation: Cancellation): Promise<SeenRecords>;
  /**
   * The sight of the same request as if it were sent again now.
   *
   * @param cancellation of whoever waits for it
   * @throws Refusal where it would be refused
   */
  again(cancellation: Cancellation): Promise<Sight>;
}

/** The source of the streams of one endpoint. */
export interface LiveSource {
  /** The name of the endpoint, in error messages. */
  readonly owner: string;
  /** The name of its entity in the log of changes. */
  readonly model: string;
  /** The time that changes are kept, in milliseconds. */
  readonly keepFor: number | 'forever';
  readonly settings: LiveSettings;
  /** The secrets of all processes of the service; undefined for one of this process. */
  readonly secrets: readonly string[] | undefined;
  /** The time that a client may read nothing, in milliseconds; 0 for no limit. */
  readonly stallLimit: number;
  /** The database, as a key. */
  readonly database: object;
  /** The most reads of streams at the same time: half of the connections. */
  readonly readsAtOnce: number;
  /** The time that a read of records may take, in milliseconds: that of requests. */
  readonly timeLimit: number;
  /**
   * Runs a read that is no request's, on an entity manager of a schema. It is given up after half a minute.
   *
   * @param cancellation of whoever waits for it alone
   */
  readonly read: <T>(
    schema: string | undefined,
    work: (em: EntityManager) => Promise<T>,
    cancellation?: Cancellation,
  ) => Promise<T>;
  /** The form of words on the wire. */
  readonly word: (word: string) => string;
  /** Reads what a request asks for. @throws Refusal */
  readonly sightOf: (request: EndpointRequest) => Promise<Sight>;
}

/** Streams of records and of what changes in them; `LiveLists` of `@nest-endpoints/live` makes them. */
export interface LiveStreams {
  /** Makes the streams of an endpoint, when the application starts. @throws ConfigurationError */
  of(source: LiveSource): Representation;
  /** Ends all streams, because the service is about to stop: their clients come again somewhere else. */
  end(): void;
  /** Ends all work. The database is closed after this. */
  close(): Promise<void>;
}
