import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that answers messages, one at a time; that it ends before it is told to is an error. */
export class Child {
  #process;
  #ended;

  constructor(module, parameters = [], { env = {}, execArgv = [] } = {}) {
    this.#process = fork(module, parameters, { env: { ...process.env, ...env }, execArgv });
    this.#ended = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`${[module, ...parameters].join(' ')} ended with ${String(code)}`);
    });
    // Who waits for an answer hears of it; before and after, nobody does.
    this.#ended.catch(() => undefined);
  }

  /** The next message; sends one before, if given. */
  async answer(message) {
    if (message !== undefined) this.#process.send(message);
    const [answer] = await Promise.race([once(this.#process, 'message'), this.#ended]);
    return answer;
  }

  async stop() {
    if (this.#process.connected) this.#process.disconnect();
    await this.#ended.catch(() => undefined);
  }
}
