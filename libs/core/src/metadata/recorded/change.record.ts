import { defineEntity, p } from '@mikro-orm/core';
import { TransactionIdType } from './transaction.id.type.js';

/** The operations that the log tells of. */
export type ChangeOperation = 'created' | 'updated' | 'deleted' | 'restored';

/** Values of a record by the names of its properties, as the database writes them in JSON. */
export type RecordedValues = Readonly<Record<string, unknown>>;

/**
 * The log of changes: one row for each change of a record. Goes into `entities` of MikroORM's configuration, beside the
 * entities that `recordChanges` was called for.
 */
export const ChangeRecord = defineEntity({
  name: 'ChangeRecord',
  tableName: 'change_record',
  indexes: [
    { name: 'change_record_record', properties: ['model', 'recordId', 'id'] },
    { name: 'change_record_transaction', properties: ['transaction', 'id'] },
    { name: 'change_record_at', properties: ['at'] },
  ],
  properties: {
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
  },
});
