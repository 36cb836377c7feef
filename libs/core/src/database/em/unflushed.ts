import { FlushMode } from '@mikro-orm/core';
import type { RequestEntityManager } from '../database.js';

/** Runs `work` without what MikroORM flushes before a query: a record would be written before it is complete. */
export async function unflushed(em: RequestEntityManager, work: () => Promise<void>): Promise<void> {
  em.setFlushMode(FlushMode.COMMIT);
  try {
    await work();
  } finally {
    em.setFlushMode();
  }
}
