import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { isClosedPipe } from './closed.pipe.js';
import { printableJson, printableLines } from './printable.js';

type Style = Parameters<typeof styleText>[0];
type Write = (text: string | Uint8Array, done: (error?: Error | null) => void) => boolean;

/**
 * One of the two streams that answers go to. The application's own output goes to standard error, so that standard output
 * has the answer and nothing else.
 */
export class Terminal {
  readonly #broken = new AbortController();

  private constructor(
    private readonly stream: WriteStream,
    private readonly writes: Write,
  ) {
    // The application's own prints meet the same error.
    stream.on('error', (error) => this.#broken.abort(error));
  }

  /** Takes both streams of this process. */
  static take(): { readonly output: Terminal; readonly errors: Terminal } {
    const { stdout, stderr } = process;
    const output = new Terminal(stdout, stdout.write.bind(stdout));
    const errors = new Terminal(stderr, stderr.write.bind(stderr));
    stdout.write = stderr.write.bind(stderr);
    return { output, errors };
  }

  /** From now on nothing is printed but by the command itself. */
  static silenceOthers(): void {
    const silent = (...[, second, third]: readonly unknown[]): boolean => {
      const done = typeof second === 'function' ? second : third;
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
    process.stdout.write = silent;
    process.stderr.write = silent;
  }

  /** Aborted when nothing can be written any more: its reader has gone, or {@link failure}. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** The error that broke it, e.g. a full disk; undefined where nothing did, and for a reader who has gone. */
  get failure(): Error | undefined {
    const reason: unknown = this.broken.reason;
    return reason instanceof Error && !isClosedPipe(reason) ? reason : undefined;
  }

  /** True if a person looks at it. */
  get isWatched(): boolean {
    return this.stream.isTTY;
  }

  /** In characters; undefined where nobody looks. */
  get width(): number | undefined {
    return this.isWatched ? this.stream.columns : undefined;
  }

  /** Coloured, where colours are shown and wanted (NO_COLOR, FORCE_COLOR). */
  styled(style: Style, text: string): string {
    return styleText(style, text, { stream: this.stream });
  }

  /** Writes what others have made: a terminal obeys nothing in it. What nobody looks at stays as it is. */
  show(text: string): Promise<void> {
    return this.write(this.isWatched ? printableLines(text) : text);
  }

  /** Writes JSON that others have made, as {@link show} does. */
  showJson(json: string): Promise<void> {
    return this.write(this.isWatched ? printableJson(json) : json);
  }

  /** Waits until the reader has taken it. Nothing is thrown where it is broken: what is under way is not to end with that. */
  write(text: string | Uint8Array): Promise<void> {
    if (this.broken.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.writes(text, (error) => {
        if (error !== undefined && error !== null) this.#broken.abort(error);
        resolve();
      });
    });
  }
}
