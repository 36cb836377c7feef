import type { Configuration } from '@mikro-orm/core';
import { databaseCode } from '../errors/database.error.js';
import type { PgClient } from './pg.pool.js';

/** Is told why a statement could not be stopped; it goes on until it ends by itself. */
export type StopFailure = (error: unknown) => void;

/** Logs why a statement could not be stopped: MikroORM would keep that to itself. */
export function logsStopFailure(config: Configuration): StopFailure {
  return (error) => {
    const message = `A statement could not be cancelled: ${String(error)}`;
    config.getLogger().warn('query', message, { enabled: true });
  };
}

/** True if the connection ended, and nobody has said why. */
export function isLost(error: Error, { connection }: PgClient): boolean {
  return databaseCode(error) === undefined && connection.stream.destroyed;
}

/** True if an error is not about the statement alone: it has no SQLSTATE, or one about the connection or the server. */
export function isBreaking(error: Error): boolean {
  const code = databaseCode(error);
  return code === undefined || !/^(?=.*\d)[\dA-Z]{5}$/.test(code) || /^(?:08|25P0[34]|57P|XX)/.test(code);
}
