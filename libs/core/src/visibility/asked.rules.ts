import { AsyncLocalStorage } from 'node:async_hooks';

const asking = new AsyncLocalStorage<true>();

/** Asks functions of rules which records there are. They must not ask for that themselves: they would wait for each other. */
export function whileAsking<T>(ask: () => T): T {
  return asking.run(true, ask);
}

/** True in a function of a rule that is asked. */
export function isAsked(): boolean {
  return asking.getStore() === true;
}
