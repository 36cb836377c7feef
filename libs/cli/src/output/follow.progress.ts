import { createRequire } from 'node:module';
import type { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

const require = createRequire(import.meta.url);

/** The progress of a walk over pages, on standard error; nothing where that is no terminal. */
export class FollowProgress {
  #bar: SingleBar | undefined;
  #count = 0;

  constructor(private readonly errors: Terminal) {}

  /** @param total undefined where the list does not count its records */
  add(records: number, total: number | undefined): void {
    this.#count += records;
    if (!this.errors.isWatched) return;
    this.#bar ??= this.#begun(total);
    this.#bar.setTotal(Math.max(total ?? 0, this.#count));
    this.#bar.update(this.#count);
  }

  end(): void {
    this.#bar?.stop();
  }

  #begun(total: number | undefined): SingleBar {
    const format =
      total === undefined ? '{value} records' : '{bar} {value}/{total} records, {eta_formatted} left';
    // Most commands show no bar.
    const { SingleBar: Bar } = require('cli-progress') as { readonly SingleBar: typeof SingleBar };
    const bar = new Bar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true });
    bar.start(total ?? 0, 0);
    return bar;
  }
}
