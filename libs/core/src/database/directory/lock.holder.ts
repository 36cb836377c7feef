import { hostname, uptime } from 'node:os';
import { hasErrorCode } from './error.code.js';

/** The process that a lock file names. */
export interface LockHolder {
  readonly pid: number;
  /** The time when that process started: a pid comes back when a container restarts, this does not. */
  readonly startedAt: string;
  readonly host: string;
}

/** Clocks are set while machines start, in milliseconds. */
const bootTolerance = 60_000;

/** This process, as lock files name it. */
export const thisProcess: LockHolder = {
  pid: process.pid,
  startedAt: new Date(performance.timeOrigin).toISOString(),
  host: hostname(),
};

/** Reads a lock file. Gives nothing for a text that none of ours can have: its process was stopped while it wrote it. */
export function parseLockHolder(text: string): LockHolder | undefined {
  try {
    const { pid, startedAt, host } = JSON.parse(text) as Partial<LockHolder>;
    return pid && startedAt && host ? { pid, startedAt, host } : undefined;
  } catch {
    return undefined;
  }
}

/** True if the process runs, or if that cannot be told from here. */
export function isRunning(holder: LockHolder): boolean {
  // The processes of another machine or container cannot be seen from here; better refused than two at once.
  if (holder.host !== thisProcess.host) return true;
  if (holder.pid === thisProcess.pid) return holder.startedAt === thisProcess.startedAt;
  return !isFromBeforeBoot(holder) && hasProcess(holder.pid);
}

/** After a restart of the machine the pid may be someone else's. */
function isFromBeforeBoot({ startedAt }: LockHolder): boolean {
  return Date.parse(startedAt) < Date.now() - uptime() * 1000 - bootTolerance;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
