import { thisProcess, type LockHolder } from './lock.holder.js';

/** The refusal to open a directory that another process has open. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';

  /** @param lock the path of the lock file */
  constructor(directory: string, { pid, host, startedAt }: LockHolder, lock: string) {
    const isHere = host === thisProcess.host;
    super(
      `The data in ${directory} is in use by process ${String(pid)}${isHere ? '' : ` on ${host}`}, ` +
        `started at ${startedAt}: one process at a time may open it. ` +
        (isHere ? 'Stop that one first.' : `If that one has ended, delete ${lock}.`),
    );
  }
}
