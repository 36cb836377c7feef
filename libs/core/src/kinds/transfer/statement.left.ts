import type { BulkWrites } from '../../records/writes/bulk/bulk.writes.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordInput } from '../../request/record.input.js';

/** Says that a statement leaves what it was to write to the unit of work. */
export class StatementLeft extends Error {}

const leave = (): Promise<never> => Promise.reject(new StatementLeft());

/** Writes that stand behind a statement where nothing may be written in its transaction once it has failed. */
export const leftWrites: BulkWrites<EndpointRequest, RecordInput> = {
  create: leave,
  upsert: leave,
  update: leave,
  updateMet: leave,
  delete: leave,
  deleteMet: leave,
};
