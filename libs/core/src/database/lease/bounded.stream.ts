import { TimeLimit } from '../pool/time.limit.js';
import type { NativeClient } from './lent.clients.js';
import { watching } from './watched.method.js';

/** A cursor of `pg-cursor`, which Kysely streams rows with. */
interface RowCursor {
  /** Is put there by `pg` where queries have a time limit, and ends it. */
  callback?: (error: null) => void;
  read(count: number): Promise<unknown[]>;
  close(): Promise<void>;
}

type Rows<T> = AsyncIterableIterator<T>;

/**
 * Has the rows of a stream read with a cursor that comes to an end with its connection: `pg-cursor` would wait for an answer, and keep
 * the connection out of the pool for good. The time limit of queries holds for each part that is read. `pg` has it for the whole
 * stream, and a cursor that has failed between two parts seems to have no more rows.
 *
 * @param native the connection of `pg`; another driver's streams stay as they are
 */
export function boundedStream<T>(native: NativeClient | undefined, stream: Rows<T>): Rows<T> {
  return native === undefined ? stream : read(native, stream);
}

async function* read<T>(native: NativeClient, stream: Rows<T>): Rows<T> {
  // Kysely makes its cursor before it waits for anything.
  const first = watching(native.client, 'query', boundIn(native), () => stream.next());
  try {
    for (let next = await first; next.done !== true; next = await stream.next()) yield next.value;
  } finally {
    await stream.return?.();
  }
}

/** Bounds a cursor that is made on a connection. */
function boundIn(native: NativeClient): (made: unknown) => void {
  return (made) => {
    if (isCursor(made)) bound(made, native);
  };
}

function isCursor(made: unknown): made is RowCursor {
  return typeof made === 'object' && made !== null && 'read' in made && 'close' in made;
}

function bound(cursor: RowCursor, { client, pool }: NativeClient): void {
  const { query_timeout: limit } = pool.options;
  const readOn = cursor.read.bind(cursor);
  const close = cursor.close.bind(cursor);
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit === undefined || limit === 0) return work();
    const time = new TimeLimit(limit, () => undefined);
    time.meets(client);
    try {
      return await work();
    } finally {
      time.end();
    }
  };
  cursor.callback?.(null);
  cursor.read = (count) => inTime(() => readOn(count));
  cursor.close = () => inTime(() => orEnd(client, close));
}

/** Waits for an answer, or for the end of the connection, behind which there is none. */
async function orEnd({ connection }: NativeClient['client'], work: () => Promise<void>): Promise<void> {
  if (connection.stream.destroyed) return;
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => {
    resolve(undefined);
  };
  connection.once('end', end);
  try {
    await Promise.race([work(), ended]);
  } finally {
    connection.removeListener('end', end);
  }
}
