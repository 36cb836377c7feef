import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { decoded } from './json.text.js';

/** The time in milliseconds that the first byte may take, by what stands behind standard input. */
const patience = {
  /** All of it is there. */
  file: Infinity,
  /** A shell's pipeline: what comes before us may be slow. But some callers leave a pipe open and never write. */
  pipe: 5000,
  /** A program that runs us, such as Node's `execFile`: it writes at once, or never, and need not close it. */
  socket: 300,
} as const;

type Origin = keyof typeof patience | 'none';

/** Tells what standard input is connected to. A terminal and `/dev/null` bring no body. */
export function originOf(descriptor: number): Origin {
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return 'file';
    if (stats.isFIFO()) return 'pipe';
    return stats.isSocket() ? 'socket' : 'none';
  } catch {
    // A closed standard input.
    return 'none';
  }
}

/** Standard input, which may or may not have a body for us. */
export class StandardInput {
  constructor(
    private readonly stream: Readable,
    private readonly origin: Origin,
    private readonly note: (text: string) => void,
  ) {}

  /**
   * The text of standard input; undefined when there is none.
   * @param isAwaited whether it was asked for (`-d -`), and comes however long it takes
   * @throws UsageError when it is not UTF-8
   */
  async read(isAwaited = false): Promise<string | undefined> {
    if (this.origin === 'none' && !isAwaited) return undefined;
    const limit = isAwaited || this.origin === 'none' ? Infinity : patience[this.origin];
    if (!(await this.#begins(limit))) {
      if (this.origin === 'pipe')
        this.note('Nothing came from standard input, so there is no body; -d - waits for one.\n');
      return undefined;
    }
    const text = decoded(Buffer.concat(await this.stream.toArray()), 'Standard input');
    return text.trim() === '' ? undefined : text;
  }

  /** True if there is at least one byte. Waits no longer than a program that writes at once would need. */
  async hasBody(): Promise<boolean> {
    if (this.origin === 'none') return false;
    const begins = await this.#begins(patience.socket);
    if (!begins) return false;
    const first: unknown = this.stream.read();
    return Buffer.isBuffer(first) && first.length > 0;
  }

  /** Waits for the first byte or the end. */
  async #begins(limit: number): Promise<boolean> {
    const { stream } = this;
    return new Promise((resolve, reject) => {
      const settle = (begins: boolean): void => {
        clearTimeout(late);
        stream.off('readable', readable).off('error', failed);
        if (!begins) stream.destroy();
        resolve(begins);
      };
      const readable = (): void => settle(true);
      const failed = (error: Error): void => {
        clearTimeout(late);
        reject(error);
      };
      const late = limit === Infinity ? undefined : setTimeout(() => settle(false), limit);
      stream.once('readable', readable).once('error', failed);
    });
  }
}
