/** A request that this process makes of its own application. */
export interface DispatchedRequest {
  readonly method: string;
  readonly path: string;
  /** In their order; a name may come more than once. */
  readonly query: readonly (readonly [name: string, text: string])[];
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
}
