import { ConfigurationError, optionChecks } from '@nest-endpoints/core';
import type { RelaySql } from '../relay/relay.sql.js';
import type { DeliveryContext, EventDelivery, HandOver } from './event.delivery.js';
import { orderedId } from './event.id.js';
import type { EventMessage } from './event.message.js';
import type { ToldEvent } from './told.event.js';

/** A job as pg-boss takes it. */
interface BossJob {
  readonly id: string;
  readonly data: EventMessage;
  readonly singletonKey: string;
}

/** A transaction as pg-boss takes it. */
interface BossTransaction {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: object[] }>;
}

/** The part of pg-boss that events need. */
export interface BossQueue {
  insert(name: string, jobs: BossJob[], options: { readonly db: BossTransaction }): Promise<unknown>;
}

/**
 * Sends each event as a job of pg-boss, in the transaction in which the position moves: exactly one job for an event. The schema of
 * pg-boss is in the database of the log, and the queue is there.
 *
 * @example deliver: new PgBossQueue(boss, 'city-events')
 */
export class PgBossQueue implements EventDelivery {
  #context: DeliveryContext | undefined;

  constructor(
    private readonly boss: BossQueue,
    private readonly queue: string,
  ) {
    if (!optionChecks.has(boss, ['insert']))
      throw new ConfigurationError('PgBossQueue', 'boss', 'is no pg-boss: it has no function insert');
    const problem = optionChecks.filledText.complaint(queue);
    if (problem !== undefined) throw new ConfigurationError('PgBossQueue', 'name', problem);
  }

  connect(context: DeliveryContext): void {
    this.#context = context;
  }

  prepare(events: readonly ToldEvent[]): Promise<HandOver> {
    const { format = 'standard' } = this.#context ?? {};
    const jobs = events.map((event) => ({
      // Jobs of one transaction have the same time, and stand in the order of their ids.
      id: orderedId(event.change, event.id()),
      data: event.message(format),
      // By it a queue of the policy `key_strict_fifo` keeps the order of a record's events.
      singletonKey: `${event.event.name}/${event.change.recordId}`,
    }));
    return Promise.resolve(async (sql) => {
      if (jobs.length > 0) await this.boss.insert(this.queue, jobs, { db: transactionOf(sql) });
    });
  }
}

function transactionOf(sql: RelaySql): BossTransaction {
  return {
    executeSql: async (text, values = []) => ({ rows: [...(await sql.rows(text, values))] }),
  };
}
