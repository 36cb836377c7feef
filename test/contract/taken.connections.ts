import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Subject } from '../support/contract.js';

export const sqlOf = ({ em }: Subject): SqlEntityManager => em() as SqlEntityManager;

/** Runs `work` while both connections of an application are taken: its pool has two. */
export const whileTaken = async (subject: Subject, work: () => Promise<void>): Promise<void> => {
  await sqlOf(subject).transactional(async (first) => {
    await first.execute('select 1');
    await sqlOf(subject).transactional(async (second) => {
      await second.execute('select 1');
      await work();
    });
  });
};
