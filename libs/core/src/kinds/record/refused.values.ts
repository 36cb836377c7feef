import { databaseReason } from '../../database/errors/database.error.js';
import { BadRequest, NotFound } from '../../wire/refusals.js';

/**
 * Gives Not Found for a value that only the database refuses. Columns accept values by what metadata knows of them; a
 * type of the database (`inet`, a domain) may refuse one nevertheless. No record has such a value. Other errors stay what
 * they are.
 */
export function refusedLookup(error: unknown): unknown {
  return databaseReason(error) === 'value' ? new NotFound({ cause: error }) : error;
}

/** Refuses a search with a value that the database does not take. */
export function refusedSearch(error: unknown): unknown {
  if (databaseReason(error) !== 'value') return error;
  return new BadRequest('The database refuses a value of the search', { cause: error });
}
