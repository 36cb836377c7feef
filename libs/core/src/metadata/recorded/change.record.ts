import {
  defineEntity,
  p,
  type EntityMetadata,
  type EntitySchema,
  type MetadataStorage,
} from '@mikro-orm/core';
import { classOf } from '../../model/entity.check.js';
import { TransactionIdType } from './transaction.id.type.js';

/** The operations that the log tells of. */
export type ChangeOperation = 'created' | 'updated' | 'deleted' | 'restored';

/** Values of a record by the names of its properties, as the database writes them in JSON. */
export type RecordedValues = Readonly<Record<string, unknown>>;

const properties = () => ({
  id: p.bigint('string').primary().autoincrement().fieldName('id'),
  /** The transaction that made the change; null where the database is not PostgreSQL. */
  transaction: p.type(TransactionIdType).nullable().fieldName('transaction'),
  /** The time of the statement, by the clock of the database. It is before that of the commit. */
  at: p.datetime().length(6).fieldName('at'),
  /** The class name of the entity. */
  model: p.text().fieldName('model'),
  /** The key of the record, as text. */
  recordId: p.text().fieldName('record_id'),
  operation: p.string().$type<ChangeOperation>().length(16).fieldName('operation'),
  /** The changed values as they were; null for a new record. */
  before: p.json<RecordedValues>().nullable().fieldName('before'),
  /** The changed values as they are now; null for a record that is gone. */
  after: p.json<RecordedValues>().nullable().fieldName('after'),
  /** The names of changed properties whose values are kept from the log. */
  withheld: p.json<readonly string[]>().nullable().fieldName('withheld'),
  actor: p.text().nullable().fieldName('actor'),
  requestId: p.text().nullable().fieldName('request_id'),
  /** The kind and path of the endpoint, e.g. `Update /cities/:id`. */
  endpoint: p.text().nullable().fieldName('endpoint'),
  context: p.json<Readonly<Record<string, unknown>>>().nullable().fieldName('context'),
});

const named = { name: 'ChangeRecord', tableName: 'change_record' } as const;

/**
 * The log of changes: one row for each change of a record. Goes into `entities` of MikroORM's configuration, beside the
 * entities that `recordChanges` was called for.
 */
export const ChangeRecord = defineEntity({
  ...named,
  indexes: [
    { name: 'change_record_record', properties: ['model', 'recordId', 'id'] },
    { name: 'change_record_transaction', properties: ['transaction', 'id'] },
    { name: 'change_record_at', properties: ['at'] },
  ],
  properties: properties(),
});

/** A property of `defineEntity`, as `p.integer()` gives it. */
interface PartingProperty {
  primary(): object;
}

/** The classes of entities that {@link partedChangeRecord} has made. */
const parted = new WeakSet<object>();

/**
 * Gives {@link ChangeRecord} with the column of `partition` in front of its key, for entities whose keys are that column and an id:
 * a change is told in the part of its record.
 *
 * @param column the column of `partition`, as the other entities have it
 * @example entities: [Task, partedChangeRecord({ tenantId: p.integer() })]
 */
export function partedChangeRecord(column: Readonly<Record<string, PartingProperty>>): EntitySchema {
  const [[name, property] = [], ...more] = Object.entries(column);
  if (name === undefined || property === undefined || more.length > 0 || Object.hasOwn(properties(), name))
    throw new TypeError('partedChangeRecord: wants one column, e.g. { tenantId: p.integer() }');
  const entity = defineEntity({
    ...named,
    indexes: [
      { name: 'change_record_record', properties: [name, 'model', 'recordId', 'id'] },
      { name: 'change_record_transaction', properties: ['transaction', 'id'] },
      { name: 'change_record_at', properties: ['at', name] },
    ],
    properties: { [name]: property.primary(), ...properties() } as never,
  }) as unknown as EntitySchema;
  parted.add(classOf(entity as never) as object);
  return entity;
}

/** The metadata of the log, in parts or whole; undefined where MikroORM has not been given it. */
export function changeMetadata(metadata: MetadataStorage): EntityMetadata | undefined {
  const all = metadata.getAll();
  const whole: EntityMetadata | undefined = metadata.find(ChangeRecord);
  if (whole !== undefined && all.has(whole.class)) return whole;
  return [...all.values()].find((meta) => parted.has(meta.class));
}
