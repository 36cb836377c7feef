import type { FileStorage } from '../storages/file.storage.js';

/** The number of files that a storage may refuse one after the other: more than that, and it is taken for one that is down. */
const patience = { untried: 3, working: 10 } as const;

/** The most files of a storage that are left out of a run one by one. */
const mostKeys = 100;

/** The facts about a storage that has refused something in a run. */
interface Refusal {
  /** The error that it has thrown first. */
  readonly error: unknown;
  /** The files that it refused to delete. */
  readonly keys: string[];
  /** The number of them since it has deleted any. */
  inARow: number;
  isLeftOut: boolean;
}

/**
 * The things that storages have refused in a run. A file that cannot be deleted keeps no other from it: where many are refused
 * together, those that are to blame are found by halving. A storage that is down is asked a few times, and no more.
 */
export class StorageRefusals {
  readonly #all = new Map<FileStorage, Refusal>();
  readonly #working = new Set<FileStorage>();

  /** The files that are left out of the run. */
  get keys(): readonly string[] {
    return [...this.#all.values()].flatMap(({ keys }) => keys);
  }

  isLeftOut(storage: FileStorage): boolean {
    return this.#all.get(storage)?.isLeftOut === true;
  }

  /** Deletes what can be deleted. @returns the keys of those files */
  async delete(storage: FileStorage, keys: readonly string[]): Promise<readonly string[]> {
    if (await this.#areDeleted(storage, keys)) return keys;
    const deleted: string[] = [];
    // Alone at first: a storage that is down refuses them all, and need not be asked for each part of many.
    const some = keys.length === 1 ? [] : placesIn(keys).map((place) => keys[place] ?? '');
    for (const key of some) deleted.push(...(await this.delete(storage, [key])));
    const rest = keys.length === 1 ? [] : keys.filter((key) => !some.includes(key));
    const half = Math.ceil(rest.length / 2);
    for (const part of [rest.slice(0, half), rest.slice(half)])
      if (part.length > 0 && !this.isLeftOut(storage)) deleted.push(...(await this.delete(storage, part)));
    return deleted;
  }

  async sweep(storage: FileStorage): Promise<void> {
    await this.#isDone(storage, () => storage.sweep());
  }

  /** @throws what was thrown first, where anything was */
  throwFirst(): void {
    for (const { error } of this.#all.values()) throw error;
  }

  async #areDeleted(storage: FileStorage, keys: readonly string[]): Promise<boolean> {
    const isDone = await this.#isDone(storage, () => storage.delete(keys));
    const refusal = this.#all.get(storage);
    if (isDone) this.#working.add(storage);
    if (isDone && refusal !== undefined) refusal.inARow = 0;
    const [key] = keys;
    if (isDone || refusal === undefined || key === undefined || keys.length > 1) return isDone;
    refusal.keys.push(key);
    refusal.inARow += 1;
    const most = this.#working.has(storage) ? patience.working : patience.untried;
    refusal.isLeftOut = refusal.inARow >= most || refusal.keys.length >= mostKeys;
    return false;
  }

  async #isDone(storage: FileStorage, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.#all.has(storage)) this.#all.set(storage, { error, keys: [], inARow: 0, isLeftOut: false });
      return false;
    }
  }
}

/** The first place of some, one in the middle and the last. */
function placesIn(some: readonly unknown[]): readonly number[] {
  return [...new Set([0, Math.floor(some.length / 2), some.length - 1])];
}
