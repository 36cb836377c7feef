// Jest loads it outside its own module system, with Node's: hence JavaScript.
import { TestEnvironment } from 'jest-environment-node';
import { pglites } from './pglite.pool.js';

/** The environment of Jest's for Node, with what all files of a worker share. */
class WorkerEnvironment extends TestEnvironment {
  constructor({ projectConfig, ...config }, context) {
    const testEnvironmentOptions = { ...projectConfig.testEnvironmentOptions, pglites };
    super({ ...config, projectConfig: { ...projectConfig, testEnvironmentOptions } }, context);
    // Values of it come and go between the files and what they share, as those of Uint8Array do.
    this.global.Date = Date;
  }
}

export { WorkerEnvironment as default };
