/** A column of an answer, as `mysql2` describes it. */
export interface MySqlField {
  /** The number of its type in the protocol. */
  readonly columnType: number;
  /** The digits behind the point of its seconds. */
  readonly decimals: number;
}

/** A statement, and the form of its rows. */
interface MySqlQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly rowsAsArray: true;
}

/** Is given the rows, and something else where there are none. An answer that fails may be told twice. */
export type MySqlAnswer = (error: Error | null, rows?: unknown, fields?: readonly MySqlField[]) => void;

/** A connection that was taken out of the pool. */
export interface MySqlClient {
  /** The number by which the server knows it; null before it is connected. */
  readonly threadId: number | null;
  readonly stream: { readonly destroyed: boolean; destroy(): unknown };
  /** Sends a statement whole. */
  query(query: MySqlQuery, answer: MySqlAnswer): unknown;
  /** Sends a statement that is prepared, once per connection. */
  execute(query: MySqlQuery, answer: MySqlAnswer): unknown;
  /** Closes what was prepared by {@link execute}. */
  unprepare(query: Pick<MySqlQuery, 'sql' | 'rowsAsArray'>): unknown;
  /** Gives it back to the pool. */
  release(): void;
  /** Closes it, and takes it out of the pool. */
  destroy(): void;
}

/** Is given a connection, or why there is none. */
export type TakesClient = (error: Error | null, client?: MySqlClient) => void;

/** The pool of `mysql2`, as far as it is used here. */
export interface MySqlClients {
  /** True once it is closed: MikroORM makes another one when it connects again. */
  readonly _closed: boolean;
  /** `connectionConfig` has the options of each connection. */
  readonly config: { readonly connectionConfig: object };
  getConnection(taker: TakesClient): void;
}
