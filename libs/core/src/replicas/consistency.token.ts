import type { WriteMark } from './write.mark.js';
import { Seal } from '../wire/seal.js';

/** The content of a token, in this order: the database, the time, and the place in its log, if that is known. */
type Content = readonly [database: string, at: number, cluster?: string, lsn?: string];

const use = 'written';

/** Turns the mark of a write into text that a client sends back, and back: see {@link Seal}. */
export class ConsistencyToken {
  readonly #seal: Seal;

  /** @param secrets of all processes of a service; without any, tokens are good in this process only */
  constructor(secrets: readonly string[] | undefined) {
    this.#seal = new Seal('consistency', secrets);
  }

  /** True if another process, or this one after a restart, could not read the tokens made here. */
  get isEphemeral(): boolean {
    return this.#seal.isEphemeral;
  }

  /** @param database its name in the application: a client of several sends what the last one said to all of them */
  seal(database: string, { at, position }: Pick<WriteMark, 'at' | 'position'>): string {
    const content: Content =
      position === undefined ? [database, at] : [database, at, position.cluster, String(position.lsn)];
    return this.#seal.seal(content, use);
  }

  /** Reads a token; undefined for a text that was not made here. */
  open(text: string): { readonly database: string; readonly mark: Omit<WriteMark, 'until'> } | undefined {
    const opened = this.#seal.open(text, use);
    if (opened === undefined) return undefined;
    const [database, at, cluster, lsn] = opened.value as Content;
    const position = cluster === undefined || lsn === undefined ? undefined : { cluster, lsn: BigInt(lsn) };
    return { database, mark: { at, position } };
  }
}
