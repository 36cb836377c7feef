import { Worker } from 'node:worker_threads';
import type { ImageSize } from './file.images.js';
import { imageWorkerCode } from './image.worker.code.js';

/** An image to make. */
export interface ImageJob extends ImageSize {
  /** The path of the file. */
  readonly source: string;
  /** The path of the image. */
  readonly target: string;
  /** The folder, on the disk of the target, of images that are not finished. */
  readonly folder: string;
}

/** The facts that a thread knows from its beginning. */
export interface ImageLimits {
  /** The path of sharp. */
  readonly sharp: string;
  readonly maximumPixels: number;
  readonly seconds: number;
}

/** The end of a thread, which is all that it says from then on. */
export class ThreadEnd {
  constructor(readonly reason: string) {}
}

/** A thread that makes images, one at a time. */
export class ImageThread {
  readonly #worker: Worker;
  #end: ThreadEnd | undefined;
  #listener: ((said: unknown) => void) | undefined;

  private constructor(workerData: ImageLimits) {
    this.#worker = new Worker(imageWorkerCode, { eval: true, execArgv: [], workerData });
    // A process that ends does not wait for images.
    this.#worker.unref();
    let reason = 'the thread has ended';
    this.#worker.on('message', (said) => this.#listener?.(said));
    this.#worker.on('error', (error) => (reason = reasonOf(error)));
    this.#worker.on('exit', () => {
      this.#end = new ThreadEnd(reason);
      this.#listener?.(this.#end);
    });
  }

  /** Starts a thread. @throws Error where it ends before it has sharp, whatever there is to make */
  static async start(limits: ImageLimits): Promise<ImageThread> {
    const thread = new ImageThread(limits);
    const said = await thread.#said();
    if (said instanceof ThreadEnd) throw new Error(said.reason);
    return thread;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** @returns why the image could not be made, or that the thread ended meanwhile; undefined where the image is there */
  async make(job: ImageJob): Promise<string | ThreadEnd | undefined> {
    this.#worker.postMessage(job);
    const said = await this.#said();
    return typeof said === 'string' || said instanceof ThreadEnd ? said : undefined;
  }

  close(): void {
    this.#worker.postMessage(undefined);
  }

  /** The next word of the thread. One that has ended already says so at once: its event does not come again. */
  #said(): Promise<unknown> {
    if (this.#end !== undefined) return Promise.resolve(this.#end);
    return new Promise((resolve) => (this.#listener = resolve));
  }
}

/** Says what was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
