/** The methods of operations, as `openapi-typescript` writes them. */
type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace' | 'query';

/** The operations of generated types: `get /cities`. */
export type OperationOf<Paths> = {
  [Path in keyof Paths & string]: {
    [M in Method]: Paths[Path] extends Readonly<Record<M, { responses: unknown }>> ? `${M} ${Path}` : never;
  }[Method];
}[keyof Paths & string];

type OperationTypes<Paths, Operation> = Operation extends `${infer M extends Method} ${infer Path}`
  ? Path extends keyof Paths
    ? M extends keyof Paths[Path]
      ? Paths[Path][M]
      : never
    : never
  : never;

type JsonBody<Types> = Types extends {
  requestBody?: { content: { 'application/json': infer Body } } | undefined;
}
  ? Body
  : never;

/** The input of an operation, as `openapi-fetch` takes it. */
export interface InputOf<Paths, Operation> {
  readonly params?: OperationTypes<Paths, Operation> extends { parameters: infer Parameters }
    ? { readonly [Place in keyof Parameters]?: Parameters[Place] | undefined }
    : never;
  readonly body?: JsonBody<OperationTypes<Paths, Operation>>;
}

/** The key of a query, as `openapi-react-query` makes it: `['get', '/cities', { params: … }]`. */
export type QueryKey = readonly [method: string, path: string, input?: object];

/**
 * Gives the key of a query of TanStack Query: the one that `openapi-react-query` has for the same operation and input. Without
 * an input it begins the keys of all queries of the operation.
 */
export function queryKey(operation: string, input?: object): QueryKey {
  const [method = '', path = ''] = operation.split(' ', 2);
  const asked = method.toLowerCase();
  return input === undefined ? [asked, path] : [asked, path, input];
}

/**
 * Gives {@link queryKey} for generated types: another operation, and an input that it does not take, do not compile.
 *
 * @example
 * export const queryKey = queryKeyOf<paths>();
 * queryClient.invalidateQueries({ queryKey: queryKey('get /cities') });
 */
export function queryKeyOf<Paths>(): <Operation extends OperationOf<Paths>>(
  operation: Operation,
  input?: InputOf<Paths, Operation>,
) => QueryKey {
  return queryKey;
}
