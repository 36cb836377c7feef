import type { EntityMetadata } from '@mikro-orm/core';
import type { SoftFamily, SoftParent } from '../../metadata/soft/soft.family.js';
import { databaseReason } from '../../database/errors/database.error.js';
import type { Session } from '../../visibility/session.js';
import { Conflict } from '../../wire/refusals.js';
import { isAlong, type AlongChild, type Follower, type FollowerKey, type Followers } from './followers.js';
import type { Mark } from './mark.js';

const takenAlong = 'A record that was deleted along with this one has a value that another one has by now';

/** A record that may come back along with another one. */
interface Candidate extends Follower {
  readonly child: AlongChild;
  readonly family: SoftFamily;
}

/**
 * The records that come back with a restored one: those that were deleted along with it, and of which no parent stays in the trash.
 * Records may refer to each other in a circle, so all of them are found before it is asked which parents are live.
 */
export class Comeback {
  /** The records that come back, by the classes of their entities and by their keys as text. */
  readonly #candidates = new Map<unknown, Map<string, Candidate | undefined>>();

  private constructor(private readonly followers: Followers) {}

  /** @param at the time at which the record was deleted; undefined if that is not known, and nothing comes along */
  static async of(
    session: Session,
    followers: Followers,
    family: SoftFamily,
    key: unknown,
    at: Date | undefined,
  ): Promise<Comeback> {
    const comeback = new Comeback(followers);
    comeback.#of(family.meta).set(String(key), undefined);
    if (at === undefined) return comeback;
    await comeback.#find(session, family, [key], at);
    await comeback.#prune(session);
    return comeback;
  }

  /** True if a record is restored, too. */
  has({ meta }: SoftParent, key: unknown): boolean {
    return this.#of(meta).has(String(key));
  }

  /** Restores the records that come along. @throws Conflict where a live record has a value of theirs */
  async write(session: Session, mark: Mark): Promise<void> {
    const byChild = new Map<AlongChild, Candidate[]>();
    for (const one of this.#all()) {
      const alike = byChild.get(one.child) ?? [];
      byChild.set(one.child, alike);
      alike.push(one);
    }
    for (const [child, found] of byChild) {
      const keys = found.map(({ key }) => key);
      await this.followers.write(session, child, keys, mark).catch((error: unknown) => {
        throw databaseReason(error) === 'unique' ? new Conflict(takenAlong, { cause: error }) : error;
      });
    }
  }

  async #find(session: Session, family: SoftFamily, keys: readonly unknown[], at: Date): Promise<void> {
    if (family.soft.options.restoreChildren === false || keys.length === 0) return;
    for (const child of family.children) {
      if (!isAlong(child)) continue;
      const own = this.followers.familyOf(child.meta);
      const where = { [child.soft.property.name]: within(at) };
      const { parents } = own;
      const rows = await this.followers.find(session, child, keys, where, { parents });
      const known = this.#of(child.meta);
      const found = rows.filter(({ key }) => !known.has(String(key)));
      for (const one of found) known.set(String(one.key), { ...one, child, family: own });
      const next = found.map(({ key }) => key);
      await this.#find(session, own, next, at);
    }
  }

  /** Leaves those out of which a parent is deleted and stays so, then those that these are parents of, and so on. */
  async #prune(session: Session): Promise<void> {
    const live = await this.#live(session);
    let isStable: boolean;
    do {
      isStable = true;
      for (const one of this.#all()) {
        const isOrphan = one.family.parents.some((parent) => {
          const key = (one.row[parent.property.name] ?? null) as FollowerKey | null;
          return key !== null && !this.has(parent, key) && live.get(parent)?.has(String(key)) !== true;
        });
        if (!isOrphan) continue;
        this.#of(one.child.meta).delete(String(one.key));
        isStable = false;
      }
    } while (!isStable);
  }

  /** The keys of parents that are live already. */
  async #live(session: Session): Promise<ReadonlyMap<SoftParent, ReadonlySet<string>>> {
    const asked = new Map<SoftParent, unknown[]>();
    for (const { family, row } of this.#all())
      for (const parent of family.parents) {
        const key = row[parent.property.name] ?? null;
        if (key === null || this.has(parent, key)) continue;
        const keys = asked.get(parent) ?? [];
        asked.set(parent, keys);
        keys.push(key);
      }
    const live = new Map<SoftParent, ReadonlySet<string>>();
    for (const [parent, keys] of asked) live.set(parent, await this.followers.held(session, parent, keys));
    return live;
  }

  #all(): readonly Candidate[] {
    return [...this.#candidates.values()].flatMap((known) => [...known.values()].flatMap((one) => one ?? []));
  }

  #of({ root }: EntityMetadata): Map<string, Candidate | undefined> {
    const known = this.#candidates.get(root.class) ?? new Map<string, Candidate | undefined>();
    this.#candidates.set(root.class, known);
    return known;
  }
}

/** The millisecond of a deletion: who else sets the mark may write finer ones, which no `Date` has. */
function within(at: Date): object {
  return { $gte: at, $lt: new Date(at.getTime() + 1) };
}
