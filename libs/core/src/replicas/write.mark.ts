import type { WalPosition } from './wal.position.js';

/** The mark of a write: whoever must see the write reads where it has arrived. */
export interface WriteMark {
  /** The time in milliseconds since 1970, by the clock of the process that wrote. */
  readonly at: number;
  /** From when on it is taken to have arrived everywhere, where nobody can tell by its position. */
  readonly until: number;
  /** Undefined where the database has none, or could not be asked. */
  readonly position: WalPosition | undefined;
}
