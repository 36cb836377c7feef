import type { WriteInput, WriteRequest } from '../writes.js';
import type { BulkWrites } from './bulk.writes.js';

/** Says that a statement leaves what it was to write to the unit of work. */
export class StatementLeft extends Error {}

const leave = (): Promise<never> => Promise.reject(new StatementLeft());

/** Writes that stand behind a statement where nothing may be written in its transaction once it has failed. */
export function leftWrites<R extends WriteRequest, I extends WriteInput>(): BulkWrites<R, I> {
  return {
    create: leave,
    upsert: leave,
    update: leave,
    updateMet: leave,
    delete: leave,
    deleteMet: leave,
  };
}
