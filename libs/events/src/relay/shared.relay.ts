import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { rawQuery } from '@nest-endpoints/core/internal';
import type { RelayDatabase, RelaySession, RelaySql, SqlRow } from './relay.sql.js';

/** The one session of a PGlite, which MikroORM lends: no other process has it. */
export class SharedRelay implements RelayDatabase {
  readonly isOwn = true;

  constructor(private readonly orm: MikroORM) {}

  rows(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    return sent(this.#em(), text, values);
  }

  session(): Promise<RelaySession> {
    return Promise.resolve({
      isLost: false,
      rows: (text, values) => this.rows(text, values),
      transaction: (work) => this.#transaction(work),
      end: () => undefined,
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #transaction<T>(work: (sql: RelaySql) => Promise<T>): Promise<T> {
    return this.#em().transactional((em) => work({ rows: (text, values = []) => sent(em, text, values) }));
  }

  #em(): SqlEntityManager {
    return this.orm.em.fork({ disableContextResolution: true }) as SqlEntityManager;
  }
}

async function sent(
  em: SqlEntityManager,
  text: string,
  values: readonly unknown[],
): Promise<readonly SqlRow[]> {
  const { rows } = await em.getKysely().executeQuery(rawQuery(text, values));
  return rows as readonly SqlRow[];
}
