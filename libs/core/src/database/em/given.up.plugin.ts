import type { Kysely } from '@mikro-orm/sql';
import type { KyselyPlugin } from '../kysely.types.js';

/** The signals that queries of Kysely end with, by the ids that Kysely gives them. */
const signals = new WeakMap<object, AbortSignal>();

/** The signal that a query ends with; undefined for one that Kysely itself ends, or nobody. */
export function signalOfQuery(queryId: object): AbortSignal | undefined {
  return signals.get(queryId);
}

/** A Kysely that sends nothing any more once a signal is aborted, and whose queries end then. */
export function untilAborted(kysely: Kysely<unknown>, signal: AbortSignal): Kysely<unknown> {
  const checked = kysely.withPlugin(new SignalCheck(signal));
  // What is compiled already does not come past a plugin.
  const send = checked.executeQuery.bind(checked);
  checked.executeQuery = async (query, options) => {
    signal.throwIfAborted();
    if ('queryId' in query) signals.set(query.queryId, signal);
    return send(query, options);
  };
  return checked;
}

/** Looks at a signal before each query, and says which one it ends with. */
class SignalCheck implements KyselyPlugin {
  constructor(private readonly signal: AbortSignal) {}

  transformQuery({ node, queryId }: Parameters<KyselyPlugin['transformQuery']>[0]): typeof node {
    this.signal.throwIfAborted();
    signals.set(queryId, this.signal);
    return node;
  }

  transformResult({
    result,
  }: Parameters<KyselyPlugin['transformResult']>[0]): ReturnType<KyselyPlugin['transformResult']> {
    return Promise.resolve(result);
  }
}
