import { EventType, type MikroORM } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { connectionsOf } from '../errors/connection.statements.js';
import { loggable } from '../errors/database.error.js';

/** Tells subscribers of what happens to a transaction. */
interface Events {
  dispatchEvent(event: EventType, transaction?: unknown): Promise<void>;
}

/** The methods of MikroORM's connections that end a transaction. */
interface Ending {
  commit(transaction: unknown, events?: Events, logging?: unknown): Promise<void>;
  rollback(transaction: unknown, events?: Events, logging?: unknown): Promise<void>;
}

/** The events whose subscribers cannot change any more what becomes of a transaction. */
const settled: ReadonlySet<EventType> = new Set([
  EventType.afterTransactionCommit,
  EventType.beforeTransactionRollback,
  EventType.afterTransactionRollback,
]);

/**
 * Logs what subscribers throw where a transaction is committed already, or has to be undone. A commit that looks like a
 * failure would be sent again. A rollback that does not happen would leave its connection to somebody else.
 */
export function settleEvents({ em, config }: MikroORM): void {
  const failed = (event: EventType, error: unknown): void => {
    const message = `A subscriber failed in ${event}: ${loggable(error).reason}`;
    config.getLogger().warn('query', message, { enabled: true });
  };
  for (const connection of connectionsOf(em.getDriver() as unknown as AbstractSqlDriver))
    settleEnds(connection, failed);
}

function settleEnds(connection: Ending, failed: (event: EventType, error: unknown) => void): void {
  const told = (events: Events | undefined): Events | undefined =>
    events && {
      async dispatchEvent(event, transaction) {
        try {
          await events.dispatchEvent(event, transaction);
        } catch (error) {
          if (!settled.has(event)) throw error;
          failed(event, error);
        }
      },
    };
  const commit = connection.commit.bind(connection);
  const rollback = connection.rollback.bind(connection);
  connection.commit = (transaction, events, logging) => commit(transaction, told(events), logging);
  connection.rollback = (transaction, events, logging) => rollback(transaction, told(events), logging);
}
