/** The data of an answer in JSON, as types that openapi-typescript makes have it. */
type DataOf<Operation> = Operation extends {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer Body } } };
}
  ? Body extends { readonly data: infer Data }
    ? Data
    : Body extends { readonly Data: infer Data }
      ? Data
      : never
  : never;

/**
 * The records of an operation, of types that openapi-typescript makes.
 *
 * @example RecordOf<paths['/cities']['get']>
 */
export type RecordOf<Operation> =
  DataOf<Operation> extends readonly (infer Item)[] ? Item : DataOf<Operation>;
