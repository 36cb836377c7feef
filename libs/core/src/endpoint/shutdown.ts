/**
 * Tells any provider whether the service is about to stop: from the signal on, while requests are still served. A
 * provider of its own, in every module.
 *
 * @example
 * new HealthCheck({ url: 'ready', failsOnShutdown: true })
 */
export class Shutdown {
  /** True from the signal on. Every request asks, so it is a field; {@link begin} alone writes it. */
  readonly hasBegun: boolean = false;
  readonly #listeners: (() => void)[] = [];

  /** Has `listener` called once, when it begins. */
  whenBegun(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Called by the library. */
  begin(): void {
    (this as { hasBegun: boolean }).hasBegun = true;
    for (const listener of this.#listeners.splice(0)) listener();
  }
}
