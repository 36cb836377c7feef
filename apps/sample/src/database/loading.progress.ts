import { SingleBar } from 'cli-progress';

const format = 'Loading the atlas [{bar}] {percentage}% | {value} of {total} records';

/** Shows on standard error how far the loading is: a bar on a terminal, a line per quarter elsewhere. */
export class LoadingProgress {
  #loaded = 0;
  readonly #bar: SingleBar | undefined;

  constructor(private readonly total: number) {
    if (!process.stderr.isTTY) return;
    this.#bar = new SingleBar({ format, stream: process.stderr });
    this.#bar.start(total, 0);
  }

  advance(records: number): void {
    const before = this.#quarters();
    this.#loaded += records;
    this.#bar?.update(this.#loaded);
    if (this.#bar === undefined && this.#quarters() > before) this.#writeLine();
  }

  finish(): void {
    this.#bar?.stop();
  }

  #quarters(): number {
    return Math.floor((4 * this.#loaded) / this.total);
  }

  #writeLine(): void {
    const percentage = Math.round((100 * this.#loaded) / this.total);
    process.stderr.write(`Loading the atlas: ${String(percentage)}%, ${String(this.#loaded)} records\n`);
  }
}
