import { defineEntity, p } from '@mikro-orm/core';

/** The state of a file: nobody's yet, of a record, or of none any more. */
export type FileState = 'pending' | 'attached' | 'detached';

/**
 * The memory of files: what was announced, and which record has it. Goes into `entities` of MikroORM's configuration, beside the
 * models whose records have files.
 */
export const FileRecord = defineEntity({
  name: 'FileRecord',
  tableName: 'file_record',
  indexes: [
    { name: 'file_record_state', properties: ['state', 'changedAt'] },
    { name: 'file_record_owner', properties: ['model', 'recordId'] },
  ],
  properties: {
    /** The key, which nobody guesses: 128 bits in hexadecimal digits. */
    key: p.string().length(32).primary().fieldName('key'),
    state: p.string().length(8).$type<FileState>().fieldName('state'),
    /** Digest of the identity that announced the file; null where nobody asked. */
    owner: p.text().nullable().fieldName('owner'),
    /** The class name of the entity that the file was announced for. */
    model: p.text().fieldName('model'),
    /** The column that the file was announced for, by its internal name. */
    column: p.text().fieldName('column_name'),
    /** The key of the record that has the file, as text, of several columns as a JSON list of texts; null while none has it. */
    recordId: p.text().nullable().fieldName('record_id'),
    name: p.text().fieldName('name'),
    type: p.text().fieldName('type'),
    bytes: p.bigint('number').fieldName('bytes'),
    /** In hexadecimal digits. */
    sha256: p.string().length(64).fieldName('sha256'),
    /** The time at which the bytes were seen in the storage; null before. */
    seenAt: p.datetime().nullable().fieldName('seen_at'),
    changedAt: p.datetime().fieldName('changed_at'),
  },
});
