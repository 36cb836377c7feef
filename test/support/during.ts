import { startApplication, type Application } from './application.js';

/** Runs an application of its own, on Express and PostgreSQL, and closes it whatever becomes of the work. */
export const during = async (
  options: Parameters<typeof startApplication>[2],
  work: (application: Application) => Promise<void>,
): Promise<void> => {
  const application = await startApplication('express', 'postgresql', options);
  try {
    await work(application);
  } finally {
    await application.close();
  }
};
