import {
  defineEntity,
  p,
  type EntityMetadata,
  type EntitySchema,
  type MetadataStorage,
} from '@mikro-orm/core';
import { classOf } from '../../model/entity.check.js';

const properties = () => ({
  /** SHA-256 of the key, the endpoint and whoever sent it. */
  id: p.string().length(64).primary().fieldName('id'),
  /** SHA-256 of the rest of the request. */
  request: p.string().length(64).fieldName('request'),
  /**
   * The status of the answer. This and all below but `expiresAt` is null until the transaction that writes the row is
   * about to end.
   */
  status: p.smallint().nullable().fieldName('status'),
  /** The JSON text of `data`. */
  data: p.text().nullable().fieldName('data'),
  entityTag: p.text().nullable().fieldName('entity_tag'),
  /** The key of the record, as text. */
  recordKey: p.text().nullable().fieldName('record_key'),
  /** The end of its time, by the clock of the database. */
  expiresAt: p.datetime().fieldName('expires_at'),
});

const named = { name: 'IdempotencyRecord', tableName: 'idempotency_record' } as const;

const expiry = 'idempotency_record_expires_at';

/**
 * The memory of a Create with `idempotency`: hashes of a request, and its answer. Goes into `entities` of MikroORM's
 * configuration, beside the models whose records it helps to create once. Where tables are in parts by a tenant, it is
 * {@link partedIdempotencyRecord} that goes there.
 */
export const IdempotencyRecord = defineEntity({
  ...named,
  indexes: [{ name: expiry, properties: ['expiresAt'] }],
  properties: properties(),
});

/** A property of `defineEntity`, as `p.integer()` gives it. */
interface PartingProperty {
  primary(): object;
}

/** The classes of entities that {@link partedIdempotencyRecord} has made. */
const parted = new WeakSet<object>();

/**
 * Gives {@link IdempotencyRecord} with the column of `partition` in front of its key, so that an answer is kept in the part of the
 * records that it tells of.
 *
 * @param column the column of `partition`, as the other entities have it
 * @example entities: [Task, partedIdempotencyRecord({ tenantId: p.integer() })]
 */
export function partedIdempotencyRecord(column: Readonly<Record<string, PartingProperty>>): EntitySchema {
  const [[name, property] = [], ...more] = Object.entries(column);
  if (name === undefined || property === undefined || more.length > 0 || Object.hasOwn(properties(), name))
    throw new TypeError('partedIdempotencyRecord: wants one column, e.g. { tenantId: p.integer() }');
  const entity = defineEntity({
    ...named,
    indexes: [{ name: expiry, properties: ['expiresAt', name] }],
    properties: { [name]: property.primary(), ...properties() } as never,
  }) as unknown as EntitySchema;
  parted.add(classOf(entity as never) as object);
  return entity;
}

/** The metadata of the table of kept answers, in parts or whole; undefined where MikroORM has not been given it. */
export function keptMetadata(metadata: MetadataStorage): EntityMetadata | undefined {
  const all = metadata.getAll();
  const whole: EntityMetadata | undefined = metadata.find(IdempotencyRecord);
  if (whole !== undefined && all.has(whole.class)) return whole;
  return [...all.values()].find((meta) => parted.has(meta.class));
}
