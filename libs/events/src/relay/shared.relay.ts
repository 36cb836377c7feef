import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { sqlOf, type RelayDatabase, type RelaySession, type RelaySql, type SqlRow } from './relay.sql.js';

/** The one session of a PGlite, which MikroORM lends: no other process has it. */
export class SharedRelay implements RelayDatabase {
  readonly isOwn = true;

  constructor(private readonly orm: MikroORM) {}

  rows(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    return sqlOf(this.#em()).rows(text, values);
  }

  session(): Promise<RelaySession> {
    return Promise.resolve({
      isLost: false,
      rows: (text, values) => this.rows(text, values),
      transaction: (work) => this.#transaction(work),
      end: () => undefined,
      giveBack: () => undefined,
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #transaction<T>(work: (sql: RelaySql) => Promise<T>): Promise<T> {
    return this.#em().transactional((em) => work(sqlOf(em)));
  }

  #em(): SqlEntityManager {
    return this.orm.em.fork({ disableContextResolution: true }) as SqlEntityManager;
  }
}
