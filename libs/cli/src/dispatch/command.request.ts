export interface CommandRequest {
  readonly method: string;
  readonly path: string;
  /** In their order; a name may come more than once. */
  readonly query: readonly (readonly [name: string, text: string])[];
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | undefined;
}
