import type { EntityMetadata } from '@mikro-orm/core';
import type { RecordsView, ShownRecords } from '../model/soft/records.view.js';
import { softEntityOf, type SoftEntity } from '../model/soft/soft.entity.js';
import { Restriction, type PlainCondition } from '../sql/restriction.js';

const known = new WeakMap<SoftEntity, Readonly<Record<RecordsView, Restriction>>>();

/**
 * The records of an entity that are not deleted, as one plain condition; of the endpoint's own entity those that it is about.
 * Undefined for an entity whose records are deleted for good. This is the one place that says it.
 */
export function liveRestriction(meta: EntityMetadata, shown?: ShownRecords): Restriction | undefined {
  const soft = softEntityOf(meta);
  if (soft === undefined) return undefined;
  const isOwn = shown?.entity.root.class === meta.root.class;
  return restrictionsOf(soft)[isOwn ? shown.view : 'live'];
}

/** True if records of some entities may be there and deleted. */
export function areSoft(entities: ReadonlySet<EntityMetadata>): boolean {
  for (const meta of entities) if (softEntityOf(meta) !== undefined) return true;
  return false;
}

function restrictionsOf(soft: SoftEntity): Readonly<Record<RecordsView, Restriction>> {
  const made = known.get(soft) ?? viewsOf(soft);
  known.set(soft, made);
  return made;
}

function viewsOf({ property }: SoftEntity): Readonly<Record<RecordsView, Restriction>> {
  const live: PlainCondition = { property, comparison: 'is null' };
  const referred = { ...live, isOfReferred: true };
  const deleted: PlainCondition = { property, comparison: 'is not null', isOfSubject: true };
  return {
    live: new Restriction({ conditions: [live] }),
    deleted: new Restriction({ conditions: [deleted, referred] }),
    all: new Restriction({ conditions: [referred] }),
  };
}
