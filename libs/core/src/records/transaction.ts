import type { RequestEntityManager } from './database.js';

/**
 * Runs `work` in one transaction on the request's own entity manager: committed when it succeeds, rolled back when
 * it throws. Within it only this entity manager may be used; another connection would not see what it wrote.
 */
export async function inTransaction<T>(em: RequestEntityManager, work: () => Promise<T>): Promise<T> {
  await em.begin();
  try {
    const result = await work();
    await em.commit();
    return result;
  } catch (error) {
    await em.rollback();
    throw error;
  }
}
