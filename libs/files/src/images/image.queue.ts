import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ImageThread, reasonOf, ThreadEnd, type ImageJob, type ImageLimits } from './image.thread.js';

/** The most images that wait. Who asks for one that was not taken asks again. */
const most = 1000;

/** The time for which no thread is started after one that could not start, in milliseconds. */
const rest = 10_000;

/** Words of a machine that has no room, no memory or no right. They say nothing of the file. */
const ofMachine =
  /\b(?:ENOSPC|EDQUOT|EIO|EMFILE|ENFILE|ENOMEM|EROFS|EACCES|EPERM)\b|no space left|quota exceeded|input\/output error|too many open files|cannot allocate memory|out of memory|read-only file system|permission denied/i;

/** Makes images one after the other in a thread, which ends where there are no more. */
export class ImageQueue {
  readonly #jobs = new Map<string, ImageJob>();
  #isRunning = false;
  #restsUntil = 0;
  /** The target of the job at which a thread ended. */
  #suspect: string | undefined;

  /** @param failed is told why an image cannot be made */
  constructor(
    private readonly limits: ImageLimits,
    private readonly failed: (source: string, reason: string) => void,
  ) {}

  /** Has an image made, once, whoever asks for it meanwhile. */
  ask(job: ImageJob): void {
    if (this.#jobs.size >= most || this.#jobs.has(job.target) || Date.now() < this.#restsUntil) return;
    this.#jobs.set(job.target, job);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let thread: ImageThread | undefined;
    try {
      for (let [job] = this.#jobs.values(); job !== undefined; [job] = this.#jobs.values()) {
        if (thread?.hasEnded !== false) thread = await ImageThread.start(this.limits);
        await this.#make(thread, job);
      }
    } catch (error) {
      this.#giveUp(reasonOf(error));
    } finally {
      thread?.close();
      this.#isRunning = false;
    }
  }

  /** A thread that cannot start, and a full disk, say nothing of the files: who asks for their images later asks anew. */
  #giveUp(reason: string): void {
    const [job] = this.#jobs.values();
    if (job !== undefined) this.failed(job.source, reason);
    this.#jobs.clear();
    this.#restsUntil = Date.now() + rest;
  }

  /**
   * An image that cannot be made is an empty file in its place, so that nobody tries it again. The job at which a thread ended
   * is tried once more, for it need not be the cause.
   *
   * @throws Error where the machine is the cause, and not the file
   */
  async #make(thread: ImageThread, job: ImageJob): Promise<void> {
    // Others that share the folder may make the same image.
    const unfinished = join(job.folder, `${basename(dirname(job.target))}.${randomUUID()}`);
    try {
      await mkdir(job.folder, { recursive: true });
      await mkdir(dirname(job.target), { recursive: true });
      const said = await thread.make({ ...job, target: unfinished });
      if (said instanceof ThreadEnd && this.#suspect !== job.target) {
        this.#suspect = job.target;
        return;
      }
      if (said !== undefined) {
        if (typeof said === 'string' && ofMachine.test(said)) throw new Error(said);
        this.failed(job.source, said instanceof ThreadEnd ? said.reason : said);
        await writeFile(unfinished, '');
      }
      await rename(unfinished, job.target);
      await forgetOrphan(job);
    } catch (error) {
      if (ofMachine.test(reasonOf(error))) throw error;
      this.failed(job.source, reasonOf(error));
    } finally {
      await rm(unfinished, { force: true });
    }
    this.#jobs.delete(job.target);
  }
}

/** A file may have been deleted while its image was made. */
async function forgetOrphan({ source, target }: ImageJob): Promise<void> {
  const isThere = await stat(source).then(
    () => true,
    () => false,
  );
  if (!isThere) await rm(dirname(target), { recursive: true, force: true });
}
