import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryInUse } from './directory.in.use.js';
import { hasErrorCode } from './error.code.js';
import { isRunning, parseLockHolder, thisProcess } from './lock.holder.js';

/** The name of the file that keeps others out. PostgreSQL has none that is called so. */
const fileName = 'nest-endpoints.lock';

/** The time that passes between the creation of a lock file and its text, at most, in milliseconds. */
const writingTime = 500;

/** Keeps a directory to one process at a time, by a file in it that names its holder. */
export class DirectoryLock {
  readonly #path: string;
  readonly #text = JSON.stringify(thisProcess);
  readonly #onExit = (): void => {
    this.release();
  };

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes the lock of an existing directory until {@link release} or the end of the process. The lock of a process
   * that ended without releasing it is taken over.
   *
   * @throws DirectoryInUse naming the process that holds it
   */
  static acquire(directory: string): DirectoryLock {
    const lock = new DirectoryLock(join(directory, fileName));
    while (!lock.#write()) lock.#clear(directory);
    process.once('exit', lock.#onExit);
    return lock;
  }

  /** Gives the directory free; a lock that is no longer this process's stays where it is. */
  release(): void {
    process.off('exit', this.#onExit);
    if (this.#read() === this.#text) rmSync(this.#path, { force: true });
  }

  /** False when there is a lock already: `wx` lets one of several processes win. */
  #write(): boolean {
    try {
      writeFileSync(this.#path, this.#text, { flag: 'wx' });
      return true;
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) return false;
      throw error;
    }
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Returns when there may be no lock any more, throws when there is one and its holder runs. */
  #clear(directory: string): void {
    if (this.#read() === '') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, writingTime);
    const text = this.#read();
    if (text === undefined) return;
    const holder = parseLockHolder(text);
    if (holder !== undefined && isRunning(holder)) throw new DirectoryInUse(directory, holder, this.#path);
    this.#setAside(text);
  }

  /**
   * Moves a dead process's lock away. Two processes may find the same dead lock, and the slower one would move the
   * new lock of the faster one; so what was moved is looked at again, and put back.
   */
  #setAside(deadText: string): void {
    const aside = `${this.#path}.${String(process.pid)}`;
    try {
      renameSync(this.#path, aside);
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return;
      throw error;
    }
    if (readFileSync(aside, 'utf8') === deadText) rmSync(aside);
    else renameSync(aside, this.#path);
  }
}
