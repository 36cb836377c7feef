import { Seal } from '../wire/seal.js';
import type { CursorValues } from './query.plan.js';

/**
 * Turns the sort values of a record into an opaque cursor and back, see {@link Seal}. A client can neither read it (it
 * may sort by what it cannot see) nor change it, nor use it for another list.
 */
export class CursorCodec {
  /** True if an endpoint of this application makes cursors. */
  isUsed = false;
  readonly #seal: Seal;

  /** @param secrets of all processes of a service; without any, cursors are good in this process only */
  constructor(secrets?: readonly string[]) {
    this.#seal = new Seal('cursor', secrets);
  }

  /** True if another process, or this one after a restart, could not read the cursors made here. */
  get isEphemeral(): boolean {
    return this.#seal.isEphemeral;
  }

  /** @param use what the cursor is good for; {@link open} must be told the same */
  seal(values: CursorValues, use: string): string {
    return this.#seal.seal(values, use);
  }

  /** The values of a cursor; undefined for one that was not made here for this use. */
  open(cursor: string, use: string): CursorValues | undefined {
    return this.#seal.open(cursor, use)?.value as CursorValues | undefined;
  }
}
