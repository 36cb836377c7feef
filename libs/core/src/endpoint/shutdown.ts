/**
 * Tells any provider whether the service is about to stop: from the signal on, while requests are still served. A
 * provider of its own, in every module.
 *
 * @example
 * new HealthCheck({ url: 'ready', failsOnShutdown: true })
 */
export class Shutdown {
  #hasBegun = false;
  readonly #listeners: (() => void)[] = [];

  /** True from the signal on. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Has `listener` called once, when it begins. */
  whenBegun(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Called by the library. */
  begin(): void {
    this.#hasBegun = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
