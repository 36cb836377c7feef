import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The files in which Linux lists the connections of this process's network, a line each. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * The bytes written to connections that the operating system still holds. It takes megabytes at once and then nothing
 * until a third of them has arrived. Seen from the process alone, a slow client then seems to stand still.
 */
export class KernelQueues {
  private constructor(private readonly queues: ReadonlyMap<string, string>) {}

  /** Reads what is queued now; undefined where the operating system does not tell. */
  static async read(platform: NodeJS.Platform = process.platform): Promise<KernelQueues | undefined> {
    if (platform !== 'linux') return undefined;
    const texts = await Promise.allSettled(tables.map((table) => readFile(table, 'latin1')));
    const told = texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : []));
    return told.length === 0 ? undefined : new KernelQueues(new Map(told.flatMap(rowsOf)));
  }

  /** Gives the queue of a connection, as a text that changes when some of it arrives; undefined where nobody knows. */
  of(descriptor: number): string | undefined {
    // At once: a moment later the number may be another connection's.
    return descriptor < 0 ? undefined : this.queues.get(String(fstatSync(descriptor).ino));
  }
}

/** The number of each connection's file, with what it has to send. */
function rowsOf(table: string): [string, string][] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line): [string, string][] => {
      const [, , , , queued, , , , , inode] = line.trim().split(/\s+/);
      const [sending] = queued?.split(':') ?? [];
      return inode === undefined || sending === undefined ? [] : [[inode, sending]];
    });
}
