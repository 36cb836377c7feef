import type { EntityMetadata } from '@mikro-orm/core';

/** The records of an entity that an endpoint is about: those that are not deleted, those that are, or both. */
export type RecordsView = 'live' | 'deleted' | 'all';

/** A view of one entity. Records that others refer to are live ones all the same. */
export interface ShownRecords {
  readonly entity: EntityMetadata;
  readonly view: Exclude<RecordsView, 'live'>;
}
