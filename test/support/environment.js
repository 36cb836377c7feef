// Jest loads it outside its own module system, with Node's: hence JavaScript.
import { TestEnvironment } from 'jest-environment-node';
import { pglites } from './pglite.pool.js';

/** What Jest keeps in the global object for the file that runs. */
const isOfJest = (symbol) =>
  /jest|circus|retry|test_timeout|event_handlers|log_errors/i.test(symbol.description ?? '');

// The server of this worker, of those that `global-setup.js` started; a server that was named is everybody's.
for (const name of ['TEST_DATABASE_URL', 'TEST_POOLER_URL']) {
  const own = process.env[`${name}S`]?.split(' ')[Number(process.env.JEST_WORKER_ID) - 1];
  if (own !== undefined) process.env[name] = own;
}

/** What a package has told of this worker that its next version will refuse, for what our code does: once in a process. */
const outdated = [];
process.on('warning', (warning) => {
  const isOurs = warning.name === 'DeprecationWarning' && warning.stack?.includes('/libs/');
  if (isOurs) outdated.push(warning);
});

/**
 * The environment of Jest's for Node, with what all files of a worker share. They have the same one after another, because
 * modules live in it that they share, too (`runtime.js`).
 */
class WorkerEnvironment extends TestEnvironment {
  static #ofWorker;
  #variables;

  constructor({ projectConfig, ...config }, context) {
    if (WorkerEnvironment.#ofWorker) return WorkerEnvironment.#ofWorker;
    const testEnvironmentOptions = { ...projectConfig.testEnvironmentOptions, pglites };
    super({ ...config, projectConfig: { ...projectConfig, testEnvironmentOptions } }, context);
    // Values of it come and go between the files and what they share, as those of Uint8Array do.
    this.global.Date = Date;
    this.#variables = { ...this.global.process.env };
    WorkerEnvironment.#ofWorker = this;
  }

  /**
   * Leaves it as the next file expects it: without what this one told Jest, and with the variables of the worker. A file in which a
   * package warned of our code fails.
   */
  teardown() {
    const { env } = this.global.process;
    for (const name of Object.keys(env)) Reflect.deleteProperty(env, name);
    Object.assign(env, this.#variables);
    for (const symbol of Object.getOwnPropertySymbols(this.global))
      if (isOfJest(symbol)) Reflect.deleteProperty(this.global, symbol);
    const [warning] = outdated.splice(0);
    return warning === undefined ? Promise.resolve() : Promise.reject(warning);
  }
}

export { WorkerEnvironment as default };
