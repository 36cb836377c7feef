import type { RequestEntityManager } from '../database.js';

/** The part of MikroORM's unit of work that takes unique values out of its batches. */
interface UniqueSplitting {
  checkUniqueProps?(changeSet: object): boolean;
}

/**
 * Flushes changes of many records with their unique values among the others. By itself MikroORM writes a unique value that several
 * records get anew with a statement for each record, so that one may take over what another gives up. Who has asked before
 * whether values are free knows that none does.
 */
export async function flushUniqueAtOnce(em: RequestEntityManager): Promise<void> {
  const unit = em.getUnitOfWork() as unknown as UniqueSplitting;
  unit.checkUniqueProps = () => false;
  try {
    await em.flush();
  } finally {
    // The method of the class is there again.
    delete unit.checkUniqueProps;
  }
}
