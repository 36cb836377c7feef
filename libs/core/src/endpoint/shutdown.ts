/**
 * Tells any provider whether the service is about to stop: from the signal on, while requests are still served. A
 * provider of its own, in every module.
 *
 * @example
 * new HealthCheck({ url: 'ready', failsOnShutdown: true })
 */
export class Shutdown {
  #hasBegun = false;

  /** True from the signal on. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Called by the library. */
  begin(): void {
    this.#hasBegun = true;
  }
}
