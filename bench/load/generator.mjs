import { fileURLToPath } from 'node:url';
import { Child } from '../runs/child.mjs';

const entry = fileURLToPath(new URL('generator.entry.mjs', import.meta.url));

/** Sends requests from another process. */
export class Generator {
  #child = new Child(entry);

  async #order(order, parameters) {
    const { result, error } = await this.#child.answer({ order, ...parameters });
    if (error !== undefined) throw new Error(error);
    return result;
  }

  warmUp(parameters) {
    return this.#order('warmUp', parameters);
  }

  measure(parameters) {
    return this.#order('measure', parameters);
  }

  steady(parameters) {
    return this.#order('steady', parameters);
  }

  close() {
    return this.#order('close', {});
  }

  sample(parameters) {
    return this.#order('sample', parameters);
  }

  stop() {
    return this.#child.stop();
  }
}
