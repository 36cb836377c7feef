import { AsyncLocalStorage } from 'node:async_hooks';

const asking = new AsyncLocalStorage<true>();

/** Runs what is decided for good outside of a request: its finds ask the primary, because a replica may not have the newest yet. */
export const askingPrimary = <T>(work: () => T): T => asking.run(true, work);

/** True within {@link askingPrimary}. */
export const isAskingPrimary = (): boolean => asking.getStore() === true;
