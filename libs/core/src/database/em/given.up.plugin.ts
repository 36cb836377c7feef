import type { Kysely } from '@mikro-orm/sql';
import type { KyselyPlugin } from '../kysely.types.js';

/** A Kysely that sends nothing any more once a signal is aborted. What it sends stands outside of every transaction. */
export function untilAborted(kysely: Kysely<unknown>, signal: AbortSignal): Kysely<unknown> {
  const checked = kysely.withPlugin(new SignalCheck(signal));
  // What is compiled already does not come past a plugin.
  const send = checked.executeQuery.bind(checked);
  checked.executeQuery = async (...query) => {
    signal.throwIfAborted();
    return send(...query);
  };
  return checked;
}

/** Looks at a signal before each query. */
class SignalCheck implements KyselyPlugin {
  constructor(private readonly signal: AbortSignal) {}

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]): typeof node {
    this.signal.throwIfAborted();
    return node;
  }

  transformResult({
    result,
  }: Parameters<KyselyPlugin['transformResult']>[0]): ReturnType<KyselyPlugin['transformResult']> {
    return Promise.resolve(result);
  }
}
