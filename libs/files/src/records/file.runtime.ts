import { AsyncLocalStorage } from 'node:async_hooks';
import { definitionsOf } from '@nest-endpoints/core/internal';
import type { KindContext, Model } from '@nest-endpoints/core/kinds';
import type { FileColumn } from '../column/file.column.js';
import { AttachedFiles } from './attached.files.js';
import { FileSubscriber } from './file.subscriber.js';
import { FileSweep } from './file.sweep.js';

type Database = KindContext['database'];

/** The pause between sweeps, in milliseconds. */
const pause = 10 * 60 * 1000;

/** The work on the files of a database while its application runs. */
export class FileRuntime {
  static readonly #known = new WeakMap<Database, FileRuntime>();
  readonly files: AttachedFiles;
  readonly sweep: FileSweep;
  readonly #subscribers = new Map<Model['meta'], FileSubscriber>();
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #isSweeping = false;

  private constructor(private readonly database: Database) {
    this.files = new AttachedFiles(database);
    this.sweep = new FileSweep(this.files);
  }

  static of(database: Database): FileRuntime {
    const known = this.#known.get(database) ?? new FileRuntime(database);
    this.#known.set(database, known);
    return known;
  }

  /**
   * Has the files of a column attached and detached with the records of all entities that have it: of those that extend the
   * entity of an endpoint, and whatever else is written by its rules.
   *
   * @throws ConfigurationError for a second column of the same name in one table
   */
  add(column: FileColumn): void {
    for (const meta of this.database.orm.getMetadata().getAll().values())
      for (const [name, { type }] of definitionsOf(meta.class))
        if (type === column) this.#add(meta, name, column);
  }

  /** Sweeps from now on, now and then. @param failed is told why one failed */
  start(failed: (error: unknown) => void): void {
    this.#timer ??= this.#outside(() => setInterval(() => void this.#sweep(failed), pause).unref());
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #add(meta: Model['meta'], columnName: string, column: FileColumn): void {
    this.files.add({ model: meta.root.className, column: columnName }, column);
    const known = this.#subscribers.get(meta);
    const subscriber = known ?? new FileSubscriber(this.files, meta);
    subscriber.add(columnName);
    if (known !== undefined) return;
    this.#subscribers.set(meta, subscriber);
    this.database.orm.em.getEventManager().registerSubscriber(subscriber);
  }

  async #sweep(failed: (error: unknown) => void): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      await this.sweep.run(() => this.#timer === undefined);
    } catch (error) {
      failed(error);
    } finally {
      this.#isSweeping = false;
    }
  }
}
