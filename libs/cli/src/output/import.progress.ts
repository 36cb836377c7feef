import { createRequire } from 'node:module';
import type { SingleBar } from 'cli-progress';
import { Transform } from 'node:stream';
import type { FlowingBody } from '../command-line/flowing.body.js';
import type { Terminal } from './terminal.js';

const require = createRequire(import.meta.url);

/** The numbers that an import tells of. */
interface Told {
  readonly lines?: unknown;
  readonly failed?: unknown;
}

/** The progress of a body that flows into the application, on standard error; nothing where that is no terminal. */
export class ImportProgress {
  #bar: SingleBar | undefined;
  #sent = 0;

  constructor(
    private readonly errors: Terminal,
    private readonly body: FlowingBody,
  ) {}

  /** Counts what passes. */
  counting(): Transform {
    const { size } = this.body;
    if (this.errors.isWatched) this.#bar = begun(size);
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.#sent += chunk.length;
        this.#bar?.update(this.#sent);
        done(null, chunk);
      },
    });
  }

  /** Shows what the application tells of it. */
  tell({ lines = 0, failed = 0 }: Told): void {
    this.#bar?.update(this.#sent, { lines, failed });
  }

  end(): void {
    this.#bar?.stop();
  }
}

function begun(size: number | undefined): SingleBar {
  const counts = '{lines} lines, {failed} refused';
  const format = size === undefined ? counts : `{bar} {percentage}% ${counts}, {eta_formatted} left`;
  // Most commands show no bar.
  const { SingleBar: Bar } = require('cli-progress') as { readonly SingleBar: typeof SingleBar };
  const bar = new Bar({ format, stream: process.stderr, hideCursor: true, clearOnComplete: true });
  bar.start(size ?? 0, 0, { lines: 0, failed: 0 });
  return bar;
}
