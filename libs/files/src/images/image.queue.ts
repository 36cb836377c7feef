import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ImageSize } from './file.images.js';
import { imageWorkerCode } from './image.worker.code.js';

/** An image to make. */
export interface ImageJob extends ImageSize {
  /** The path of the file. */
  readonly source: string;
  /** The path of the image. */
  readonly target: string;
}

/** The facts that a thread knows from its beginning. */
export interface ImageLimits {
  /** The path of sharp. */
  readonly sharp: string;
  readonly maximumPixels: number;
  readonly seconds: number;
}

/** The most images that wait. Who asks for one that was not taken asks again. */
const most = 1000;

/** Makes images one after the other in a thread, which ends where there are no more. */
export class ImageQueue {
  readonly #jobs = new Map<string, ImageJob>();
  #isRunning = false;

  /** @param failed is told why an image cannot be made */
  constructor(
    private readonly limits: ImageLimits,
    private readonly failed: (source: string, reason: string) => void,
  ) {}

  /** Has an image made, once, whoever asks for it meanwhile. */
  ask(job: ImageJob): void {
    if (this.#jobs.size >= most) return;
    this.#jobs.set(job.target, job);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      const worker = startWorker(this.limits);
      for (let [job] = this.#jobs.values(); job !== undefined; [job] = this.#jobs.values()) {
        await this.#make(worker, job);
        this.#jobs.delete(job.target);
      }
      worker.postMessage(undefined);
    } finally {
      this.#isRunning = false;
    }
  }

  /** An image that cannot be made is an empty file in its place, so that nobody tries it again. */
  async #make(worker: Worker, job: ImageJob): Promise<void> {
    const unfinished = `${job.target}.unfinished`;
    try {
      await mkdir(dirname(job.target), { recursive: true });
      const reason = await answerTo(worker, { ...job, target: unfinished });
      if (reason !== undefined) {
        this.failed(job.source, reason);
        await writeFile(unfinished, '');
      }
      await rename(unfinished, job.target);
      await forgetOrphan(job);
    } catch (error) {
      this.failed(job.source, error instanceof Error ? error.message : String(error));
    }
  }
}

function startWorker(workerData: ImageLimits): Worker {
  const worker = new Worker(imageWorkerCode, { eval: true, execArgv: [], workerData });
  // A process that ends does not wait for images; the job that a dead thread had is refused where it is waited for.
  worker.unref();
  worker.on('error', () => undefined);
  return worker;
}

/** @returns why the image could not be made; undefined where it is there */
function answerTo(worker: Worker, job: ImageJob): Promise<string | undefined> {
  return new Promise((resolve) => {
    const answered = (reason: unknown): void => {
      worker.off('message', answered).off('exit', ended);
      resolve(typeof reason === 'string' ? reason : undefined);
    };
    const ended = (): void => answered('the thread has ended');
    worker.on('message', answered).on('exit', ended);
    worker.postMessage(job);
  });
}

/** A file may have been deleted while its image was made. */
async function forgetOrphan({ source, target }: ImageJob): Promise<void> {
  const isThere = await stat(source).then(
    () => true,
    () => false,
  );
  if (!isThere) await rm(dirname(target), { recursive: true, force: true });
}
