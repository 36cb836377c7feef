import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { SoftChild, SoftFamily } from '../../metadata/soft/soft.family.js';
import type { Database } from '../../database/database.js';
import type { Session } from '../../visibility/session.js';
import { Conflict } from '../../wire/refusals.js';
import { Comeback } from './comeback.js';
import { Followers, isAlong, type FollowerKey } from './followers.js';
import type { Mark } from './mark.js';
import { UsedRecord } from './used.record.js';

/** The most records that a request deletes along. */
const mostAlong = 10_000;

/** Records that are deleted by themselves: they are marked after those that go along. */
interface Deleted {
  readonly meta: EntityMetadata;
  readonly keys: readonly unknown[];
  readonly mark: Mark;
  /** The number of records that may still go along. */
  left: number;
}

/**
 * The records that refer to those which a mark is set on or taken from, and those that these refer to. All of it is asked and
 * written within the transaction of the write, whose records are locked by then.
 */
export class Relatives {
  readonly #followers: Followers;

  constructor(
    private readonly database: Database,
    private readonly family: SoftFamily,
  ) {
    this.#followers = new Followers(database);
  }

  /** The reason why a deletion is more than one statement; undefined where it is one. */
  get reasonAgainstDelete(): string | undefined {
    const child = this.family.children.find(({ rule }) => rule !== 'keep');
    return child && `${child.meta.className} records refer to it`;
  }

  /** The reason why a Restore is more than one statement; undefined where it is one. */
  get reasonAgainstRestore(): string | undefined {
    const { parents, soft, children } = this.family;
    const [parent] = parents;
    if (parent !== undefined) return `its ${parent.meta.className} may be deleted`;
    const along = soft.options.restoreChildren === false ? undefined : children.find(isAlong);
    return along && `${along.meta.className} records are restored along`;
  }

  /** Sentences about a mark that does not tell what went along: within a second, or a part of it, all deletions have the same. */
  get warnings(): readonly string[] {
    const { meta, soft, children } = this.family;
    const { property, options } = soft;
    if (options.restoreChildren === false || !children.some(isAlong)) return [];
    // Marks that go along are of the same type.
    if (this.database.dialect.secondDigitsOf(property) >= 3) return [];
    return [
      `may bring back more than went along: '${property.name}' of ${meta.className} keeps no milliseconds, by which deletions are told apart; give it length 3`,
    ];
  }

  /** Deletes what goes along with some records. @throws Conflict where others still refer to them */
  async delete(session: Session, keys: readonly unknown[], mark: Mark): Promise<void> {
    const { meta } = this.family;
    await this.#deleteAlong(session, this.family, keys, { meta, keys, mark, left: mostAlong });
  }

  /** Finds what comes back with a record, and locks it. @param at the time at which the record was deleted */
  comeback(session: Session, key: unknown, at: Date | undefined): Promise<Comeback> {
    return Comeback.of(session, this.#followers, this.family, key, at);
  }

  /**
   * The properties of a record whose parents are deleted. Those that are live stay so until the transaction ends.
   * @param keyOf the key that the record has in a property
   * @param comeback the records that are restored with it, which may be its parents as well
   */
  async orphanedBy(
    session: Session,
    keyOf: (property: EntityProperty) => unknown,
    comeback: Comeback,
  ): Promise<readonly EntityProperty[]> {
    const orphaned: EntityProperty[] = [];
    for (const parent of this.family.parents) {
      const key = keyOf(parent.property);
      if (key === null || key === undefined || comeback.has(parent, key)) continue;
      const held = await this.#followers.held(session, parent, [key]);
      if (held.size === 0) orphaned.push(parent.property);
    }
    return orphaned;
  }

  /** Records are marked before those are looked for that refer to them: a circle comes to its end, and refuses nothing itself. */
  async #deleteAlong(
    session: Session,
    { children }: SoftFamily,
    keys: readonly unknown[],
    deleted: Deleted,
  ): Promise<void> {
    if (keys.length === 0) return;
    for (const child of children)
      if (child.rule === 'refuse') await this.#refuseUsed(session, child, keys, deleted);
    for (const child of children) {
      if (!isAlong(child)) continue;
      const where = { [child.soft.property.name]: null, ...besides(child, deleted) };
      const limit = deleted.left + 1;
      const followers = await this.#followers.find(session, child, keys, where, { limit });
      deleted.left -= followers.length;
      if (deleted.left < 0)
        throw new Conflict(`More than ${mostAlong} other records would be deleted with this record`);
      const found = followers.map(({ key }) => key);
      await this.#followers.write(session, child, found, deleted.mark);
      await this.#deleteAlong(session, this.#followers.familyOf(child.meta), found, deleted);
    }
  }

  async #refuseUsed(
    session: Session,
    child: SoftChild,
    keys: readonly unknown[],
    deleted: Deleted,
  ): Promise<void> {
    const { meta, owner, soft } = child;
    const live = soft === undefined ? {} : { [soft.property.name]: null };
    const query = session.em
      .createQueryBuilder<object>(meta.class)
      .select([owner.name] as never)
      .where({ [owner.name]: { $in: keys }, ...live, ...besides(child, deleted) } as never)
      .limit(1);
    const [row]: Readonly<Record<string, unknown>>[] = await query.execute('all');
    if (row === undefined) return;
    // Records that go along may be of another entity, which has the same keys.
    throw new UsedRecord(keys === deleted.keys ? (row[owner.name] as FollowerKey) : undefined);
  }
}

/** Records of an entity other than those that are deleted by themselves. */
function besides({ meta }: SoftChild, deleted: Deleted): object {
  if (deleted.meta.root.class !== meta.root.class) return {};
  return { [meta.getPrimaryProp().name]: { $nin: deleted.keys } };
}
