import { defineEntity, p } from '@mikro-orm/core';

/**
 * The place in the log of changes up to which events are handed on, and who does it. Goes into `entities` of MikroORM's
 * configuration.
 */
export const EventPosition = defineEntity({
  name: 'EventPosition',
  tableName: 'event_position',
  properties: {
    name: p.string().length(40).primary().fieldName('name'),
    /** The transaction of the last change that was handed on, as text. */
    transaction: p.string().length(20).fieldName('transaction'),
    /** The id of that change, as text. */
    changeId: p.string().length(20).fieldName('change_id'),
    /** The time of that change. */
    at: p.datetime().length(6).fieldName('at'),
    /** A random name of the process that hands events on; null where none does. */
    holder: p.string().length(36).nullable().fieldName('holder'),
    /** Grows while the holder is alive. */
    beat: p.bigint('string').default('0').fieldName('beat'),
  },
});
