import { databaseCode } from './database.error.js';

/**
 * Errors of servers that look like PostgreSQL, and do not know all of its statements; and that of an upsert which meets a
 * record twice.
 */
const codes: ReadonlySet<string | undefined> = new Set(['0A000', '42601', '21000']);

/** True if one statement cannot do for many records what a unit of work can. */
export const isLeftToUnits = (error: unknown): boolean => codes.has(databaseCode(error));
