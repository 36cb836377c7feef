import type { AbstractSqlConnection, AbstractSqlDriver } from '@mikro-orm/sql';

/** Hears of the end of a statement. @param took in milliseconds */
export type StatementListener = (took: number) => void;

/** The listeners that hear of statements, if there are any by now. */
export interface StatementsHeard {
  by?: StatementListener;
}

/** The method of a MikroORM connection that sends every statement. */
interface Executing {
  executeQuery(query: string, send: () => Promise<unknown>, context: unknown): Promise<unknown>;
}

/** Tells of the statements that MikroORM sends: those of flushes, of finds, and those that users write. */
export function listenToConnections(driver: AbstractSqlDriver, listen: StatementListener): void {
  for (const connection of connectionsOf(driver)) {
    const executing = connection as unknown as Executing;
    const execute = executing.executeQuery.bind(connection);
    executing.executeQuery = (query, send, context) => timed(() => execute(query, send, context), listen);
  }
}

/** Sends a statement, and tells whoever hears of it. */
export function sent<T>(send: () => Promise<T>, { by }: StatementsHeard): Promise<T> {
  return by === undefined ? send() : timed(send, by);
}

/** Runs a statement and tells how long it took. */
async function timed<T>(work: () => Promise<T>, listen: StatementListener): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    listen(performance.now() - begun);
  }
}

/** The one that writes, and those to read replicas, which only MikroORM may choose from. */
export function connectionsOf(driver: AbstractSqlDriver): readonly AbstractSqlConnection[] {
  const replicas = Reflect.get(driver, 'replicas') as readonly AbstractSqlConnection[];
  return [driver.getConnection('write'), ...replicas];
}
