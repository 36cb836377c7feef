import { PostgresLimits } from '@nest-endpoints/limits';
import pg from 'pg';

/** Counts in a database, of which an entity manager would say no more than this. */
export const postgresLimits = (connectionString) => {
  const pool = new pg.Pool({ connectionString });
  return new PostgresLimits({ getConnection: () => ({ getNativeClient: async () => pool }) });
};
