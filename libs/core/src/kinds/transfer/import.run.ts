import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { refusalOf } from '../../database/errors/database.error.js';
import { Failure, Refusal } from '../../wire/refusals.js';
import type { ChunkWrites } from './chunk.writes.js';
import type { Chunk } from './import.lines.js';
import { lasting } from './lasting.js';
import type { ImportCounts, ImportReport } from './import.report.js';

/** The errors that end an import: nobody reads more. */
const mostErrors = 1000;

/** The time between two lines about how far it is, in milliseconds. */
const period = 1000;

/** Undoes what was written. */
class Undone extends Error {}

/** The facts about one import. */
export interface ImportTask {
  readonly request: EndpointRequest;
  /** The chunks of its lines. */
  readonly chunks: AsyncIterator<Chunk, void, undefined>;
  readonly report: ImportReport;
  /** True if all of it is kept, or nothing. */
  readonly isWhole: boolean;
  readonly isDryRun: boolean;
  /** Is told of an error that is not the client's. */
  readonly onFailure: (error: unknown) => void;
}

/** One import on its way: its lines are written chunk by chunk, and the client is told. */
export class ImportRun {
  readonly #counts: ImportCounts = { lines: 0, created: 0, updated: 0, failed: 0 };
  /** The reason why the rest is not read. */
  #ending: Refusal | undefined;
  #isFull = false;
  #first: Promise<Chunk | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly writes: ChunkWrites,
    private readonly task: ImportTask,
  ) {}

  /** Writes all lines, and tells how it ended. Never rejects. */
  async run(): Promise<void> {
    const { report } = this.task;
    const timer = setInterval(() => {
      report.progress(this.#counts);
    }, period).unref();
    try {
      // No transaction waits for the first lines.
      this.#first = this.#next();
      await this.#first;
      await this.#kept();
      this.#end();
    } catch (error) {
      this.#end(error);
    } finally {
      clearInterval(timer);
      await this.task.chunks.return?.().catch(() => undefined);
    }
  }

  async #kept(): Promise<void> {
    const { isWhole, isDryRun } = this.task;
    const { session } = this.task.request;
    if (!isWhole && !isDryRun) {
      await this.#all();
      return;
    }
    try {
      await lasting(session, () =>
        session.inside(async () => {
          await this.#all();
          if (isDryRun || !this.#isSound) throw new Undone();
        }),
      );
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
  }

  /** True if nothing was wrong with any line, and all of them were read. */
  get #isSound(): boolean {
    return this.#counts.failed === 0 && this.#ending === undefined;
  }

  /** While the database works for a chunk, the next one is read. */
  async #all(): Promise<void> {
    const { report } = this.task;
    for (let chunk = await this.#first; chunk !== undefined;) {
      const coming = this.#next();
      await this.#write(chunk);
      if (this.#isFull) return;
      await report.settle();
      chunk = await coming;
    }
  }

  /** Undefined at the end, whatever came before it. */
  #next(): Promise<Chunk | undefined> {
    const next = this.task.chunks.next().then(
      ({ done, value }) => (done === true ? undefined : value),
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        this.#ending = error;
        return undefined;
      },
    );
    // It is waited for once the chunk before it is written.
    next.catch(() => undefined);
    return next;
  }

  async #write(chunk: Chunk): Promise<void> {
    const { request, report } = this.task;
    const { reason } = request.cancellation;
    if (reason !== undefined) throw reason;
    const { counts: written, refused } = await this.writes.write(request, chunk);
    const counts = this.#counts;
    counts.lines += chunk.length;
    counts.created += written.created;
    counts.updated += written.updated;
    counts.failed += refused.length;
    const room = mostErrors - (counts.failed - refused.length);
    for (const { line, error, inputErrors } of refused.slice(0, room))
      report.refused(line, error, inputErrors);
    this.#isFull = counts.failed >= mostErrors;
  }

  #end(error?: unknown): void {
    const { report, isWhole, isDryRun } = this.task;
    const refusal = error === undefined ? this.#ending : this.#refusalOf(error);
    const isUndone = isWhole && !isDryRun && (refusal !== undefined || !this.#isSound);
    const counts = isUndone ? { ...this.#counts, created: 0, updated: 0 } : this.#counts;
    const failed = counts.failed > 0 ? 'input_errors' : 'success';
    const full = this.#isFull ? `${mostErrors} lines were refused; the rest was not read` : '';
    report.end(counts, {
      status: refusal?.status ?? failed,
      error: refusal?.message ?? full,
      isDryRun,
    });
  }

  /** True if an error only says that the client has gone: it is told nothing, and the log need not know. */
  #isLeft(error: unknown): boolean {
    const { request, report } = this.task;
    const isCut = Reflect.get(Object(error) as object, 'code') === 'ECONNRESET';
    return isCut || report.readable.destroyed || request.cancellation.reason !== undefined;
  }

  #refusalOf(error: unknown): Refusal {
    const refusal = error instanceof Refusal ? error : refusalOf(error);
    if (refusal !== undefined && refusal.statusCode < 500) return refusal;
    if (!this.#isLeft(error)) this.task.onFailure(error);
    return refusal ?? new Failure();
  }
}
