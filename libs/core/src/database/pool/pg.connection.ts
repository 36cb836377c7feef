/** A connection of `pg`, as a query sees it that sends itself. */
export interface PgConnection {
  readonly stream: { cork?(): void; uncork?(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements?: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: undefined): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}
