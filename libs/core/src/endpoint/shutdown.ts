/**
 * Tells any provider whether the service is about to stop: from the signal on, while requests are still served. A
 * provider of its own, in every module.
 *
 * @example
 * new HealthCheck({ url: 'ready', failsOnShutdown: true })
 */
export class Shutdown {
  readonly hasBegun: boolean = false;

  /** Called by the library. */
  begin(): void {
    Object.assign(this, { hasBegun: true });
  }
}
