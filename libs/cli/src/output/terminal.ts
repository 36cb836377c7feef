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
  private constructor(
    private readonly stream: WriteStream,
    private readonly writes: Write,
    private readonly closed: () => void,
  ) {}

  /**
   * Takes both streams of this process.
   * @param closed called when nobody reads standard output any more
   */
  static take(closed: () => void): { readonly output: Terminal; readonly errors: Terminal } {
    const { stdout, stderr } = process;
    for (const stream of [stdout, stderr])
      stream.on('error', (error) => {
        if (!isClosedPipe(error)) throw error;
        closed();
      });
    const output = new Terminal(stdout, stdout.write.bind(stdout), closed);
    const errors = new Terminal(stderr, stderr.write.bind(stderr), closed);
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

  /** Waits until the reader has taken it. A reader who has gone is told of once; nothing is thrown. */
  write(text: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.writes(text, (error) => {
        if (error === undefined || error === null) resolve();
        else if (isClosedPipe(error)) {
          this.closed();
          resolve();
        } else reject(error);
      });
    });
  }
}
