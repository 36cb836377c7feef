import { defineEntity, p } from '@mikro-orm/core';

/**
 * The memory of a Create with `idempotency`: hashes of a request, and its answer. Goes into `entities` of MikroORM's
 * configuration, beside the models whose records it helps to create once.
 */
export const IdempotencyRecord = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_record',
  indexes: [{ name: 'idempotency_record_expires_at', properties: ['expiresAt'] }],
  properties: {
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
  },
});
