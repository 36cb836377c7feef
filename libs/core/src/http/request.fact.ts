import type { IncomingMessage } from 'node:http';

/** A fact about a request that one stage of the pipeline leaves for a later one. */
export class RequestFact<T> {
  readonly #facts = new WeakMap<IncomingMessage, T>();

  set(request: IncomingMessage, fact: T): void {
    this.#facts.set(request, fact);
  }

  /** The fact; worked out by `make` and kept when no stage has left it yet. */
  get(request: IncomingMessage, make: () => T): T {
    const known = this.#facts.get(request);
    if (known !== undefined) return known;
    const fact = make();
    this.#facts.set(request, fact);
    return fact;
  }
}
