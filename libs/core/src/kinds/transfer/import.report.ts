import { Readable } from 'node:stream';
import type { NameTable } from '../../wire/name.table.js';
import type { StatusWord } from '../../wire/outcome.table.js';
import type { InputErrors } from '../../wire/refusals.js';

/** The numbers of an import so far. */
export interface ImportCounts {
  /** The lines that were read. */
  lines: number;
  created: number;
  updated: number;
  /** The lines that were refused. */
  failed: number;
}

/** The end of an import. */
export interface ImportEnd {
  readonly status: StatusWord;
  /** Empty for a success. */
  readonly error: string;
  readonly isDryRun: boolean;
}

/** The text that may wait for a client that does not read, in bytes. */
const patience = 1_048_576;

/** The lines of JSON in which an import is told of, while it runs. */
export class ImportReport {
  #drained: (() => void) | undefined;
  readonly readable = new Readable({
    read: () => {
      this.#drained?.();
      this.#drained = undefined;
    },
  });

  constructor(private readonly names: NameTable) {
    this.readable.once('close', () => {
      this.#drained?.();
    });
  }

  /** Tells what is wrong with a line. */
  refused(line: number, error: string, inputErrors: InputErrors): void {
    const why = inputErrors.size > 0 ? { input_errors: Object.fromEntries(inputErrors) } : { error };
    this.#write({ line, ...why });
  }

  /** Tells how far it is; not a client that reads nothing. */
  progress(counts: ImportCounts): void {
    if (this.readable.readableLength === 0) this.#write({ progress: this.#numbers(counts) });
  }

  end(counts: ImportCounts, { status, error, isDryRun }: ImportEnd): void {
    const data = { ...this.#numbers(counts), ...(isDryRun ? { [this.names.control('dry_run')]: true } : {}) };
    this.#write({ status: this.names.control(status), ...(error === '' ? {} : { error }), data });
    if (!this.readable.destroyed) this.readable.push(null);
  }

  /** Waits until the client has read of what it was told; it need not read as long as that is little. */
  async settle(): Promise<void> {
    const { readable } = this;
    if (readable.destroyed || readable.readableLength < patience) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  #numbers(counts: ImportCounts): object {
    return Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [this.names.control(name), count]),
    );
  }

  #write(line: object): void {
    const entries = Object.entries(line).map(([name, value]) => [this.names.control(name), value as unknown]);
    if (!this.readable.destroyed) this.readable.push(`${JSON.stringify(Object.fromEntries(entries))}\n`);
  }
}
