import type { Configuration } from '@mikro-orm/core';
import { poolerOf } from './pooler.js';

/**
 * The ways of statements to PostgreSQL. `prepared`: once per connection. `unprepared`: sent whole each time, as a pooler
 * between here and PostgreSQL may need it. `mikro-orm`: on MikroORM's own connection, as with every other database.
 */
export const statementModes = ['prepared', 'unprepared', 'mikro-orm'] as const;
export type StatementMode = (typeof statementModes)[number];

/** Chooses how statements are sent where nobody has said it: a pooler may forget what was prepared. */
export function usualMode(config: Configuration): StatementMode {
  return poolerOf(config) === undefined ? 'prepared' : 'unprepared';
}
