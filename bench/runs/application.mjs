import { fileURLToPath } from 'node:url';
import { Child } from './child.mjs';

const entry = fileURLToPath(new URL('application.entry.mjs', import.meta.url));

/** One application in a process of its own. */
export class Application {
  #child;

  constructor(name, child, { port, coldStart }) {
    this.name = name;
    this.#child = child;
    this.port = port;
    /** Milliseconds from the start of the process to the first answer. */
    this.coldStart = coldStart;
  }

  static async start(name, databaseUrl) {
    const child = new Child(entry, [name], {
      env: { DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
      execArgv: ['--expose-gc'],
    });
    return new Application(name, child, await child.answer());
  }

  /** Microseconds of CPU so far. */
  cpu() {
    return this.#child.answer('cpu');
  }

  /** Bytes, after a garbage collection. */
  memory() {
    return this.#child.answer('memory');
  }

  stop() {
    return this.#child.stop();
  }
}
