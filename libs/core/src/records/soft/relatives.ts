import { LockMode, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { SoftChild, SoftFamily, SoftParent } from '../../metadata/soft/soft.family.js';
import { softFamilyOf } from '../../metadata/soft/soft.family.js';
import type { SoftEntity } from '../../model/soft/soft.entity.js';
import type { Database } from '../../database/database.js';
import { databaseReason } from '../../database/errors/database.error.js';
import type { Session } from '../../visibility/session.js';
import { Conflict } from '../../wire/refusals.js';
import type { Mark } from './mark.js';
import { UsedRecord } from './used.record.js';

/** The most records that a request deletes along. */
const mostAlong = 10_000;

const takenAlong = 'A record that was deleted along with this one has a value that another one has by now';

type Key = string | number | bigint;

/** A record that follows another one into the trash or out of it. */
interface Follower {
  readonly key: Key;
  readonly row: Readonly<Record<string, unknown>>;
}

/**
 * The records that refer to those which a mark is set on or taken from, and those that these refer to. All of it is asked and
 * written within the transaction of the write, whose records are locked by then.
 */
export class Relatives {
  constructor(
    private readonly database: Database,
    private readonly family: SoftFamily,
  ) {}

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
    await this.#deleteAlong(session, this.family, keys, mark, { left: mostAlong });
  }

  /** Restores what went along with a record. */
  async restore(session: Session, key: unknown, at: Date | undefined, mark: Mark): Promise<void> {
    if (at !== undefined) await this.#restoreAlong(session, this.family, [key], at, mark);
  }

  /**
   * The properties of a record whose parents are deleted. Those that are live stay so until the transaction ends.
   * @param keyOf the key that the record has in a property
   */
  async orphanedBy(
    session: Session,
    keyOf: (property: EntityProperty) => unknown,
  ): Promise<readonly EntityProperty[]> {
    const orphaned: EntityProperty[] = [];
    for (const parent of this.family.parents) {
      const key = keyOf(parent.property);
      if (key === null || key === undefined) continue;
      if ((await this.#held(session, parent, [key])).size === 0) orphaned.push(parent.property);
    }
    return orphaned;
  }

  async #deleteAlong(
    session: Session,
    { children }: SoftFamily,
    keys: readonly unknown[],
    mark: Mark,
    budget: { left: number },
  ): Promise<void> {
    if (keys.length === 0) return;
    for (const child of children) if (child.rule === 'refuse') await this.#refuseUsed(session, child, keys);
    for (const child of children) {
      if (!isAlong(child)) continue;
      const where = { [child.soft.property.name]: null, ...besides(child.meta, child.owner, keys) };
      const followers = await this.#followers(session, child, keys, where, budget.left + 1);
      budget.left -= followers.length;
      if (budget.left < 0)
        throw new Conflict(`More than ${mostAlong} other records would be deleted with this record`);
      const found = followers.map(({ key }) => key);
      await this.#deleteAlong(session, this.#familyOf(child.meta), found, mark, budget);
      await this.#write(session, child, found, mark);
    }
  }

  async #restoreAlong(
    session: Session,
    { children, soft: { options } }: SoftFamily,
    keys: readonly unknown[],
    at: Date,
    mark: Mark,
  ): Promise<void> {
    if (options.restoreChildren === false || keys.length === 0) return;
    for (const child of children) {
      if (!isAlong(child)) continue;
      const family = this.#familyOf(child.meta);
      const others = family.parents.filter(({ property }) => property !== child.owner);
      const where = { [child.soft.property.name]: within(at) };
      const followers = await this.#followers(session, child, keys, where, undefined, others);
      const found = await this.#withParents(session, followers, others);
      await this.#write(session, child, found, mark).catch((error: unknown) => {
        throw databaseReason(error) === 'unique' ? new Conflict(takenAlong, { cause: error }) : error;
      });
      await this.#restoreAlong(session, family, found, at, mark);
    }
  }

  /** The keys of those whose other parents are live, too: the others stay where they are. */
  async #withParents(
    session: Session,
    followers: readonly Follower[],
    others: readonly SoftParent[],
  ): Promise<readonly Key[]> {
    let kept = followers;
    for (const parent of others) {
      const keyOf = ({ row }: Follower): Key | null => row[parent.property.name] as Key | null;
      const keys = kept.flatMap((one) => keyOf(one) ?? []);
      const held = await this.#held(session, parent, keys);
      kept = kept.filter((one) => keyOf(one) === null || held.has(String(keyOf(one))));
    }
    return kept.map(({ key }) => key);
  }

  async #refuseUsed(
    session: Session,
    { meta, owner, soft }: SoftChild,
    keys: readonly unknown[],
  ): Promise<void> {
    const live = soft === undefined ? {} : { [soft.property.name]: null };
    const query = session.em
      .createQueryBuilder<object>(meta.class)
      .select([owner.name] as never)
      .where({ [owner.name]: { $in: keys }, ...live, ...besides(meta, owner, keys) } as never)
      .limit(1);
    const [row]: Readonly<Record<string, unknown>>[] = await query.execute('all');
    if (row !== undefined) throw new UsedRecord(row[owner.name]);
  }

  /** The records that refer to some others, locked. */
  async #followers(
    session: Session,
    { meta, owner }: SoftChild,
    keys: readonly unknown[],
    where: object,
    limit: number | undefined,
    parents: readonly SoftParent[] = [],
  ): Promise<readonly Follower[]> {
    const { name } = meta.getPrimaryProp();
    const query = session.em
      .createQueryBuilder<object>(meta.class)
      .select([...new Set([name, ...parents.map(({ property }) => property.name)])] as never)
      .where({ [owner.name]: { $in: keys }, ...where } as never)
      .orderBy({ [name]: 'asc' } as never)
      .setLockMode(LockMode.PESSIMISTIC_WRITE);
    if (limit !== undefined) query.limit(limit);
    const rows: Readonly<Record<string, unknown>>[] = await query.execute('all');
    return rows.map((row) => ({ key: row[name] as Key, row }));
  }

  /** The keys of live parents, as text. Nobody deletes them before the transaction ends. */
  async #held(
    session: Session,
    { meta, soft }: SoftParent,
    keys: readonly unknown[],
  ): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const { name } = meta.getPrimaryProp();
    const query = session.em
      .createQueryBuilder<object>(meta.class)
      .select([name] as never)
      .where({ [name]: { $in: [...new Set(keys)] }, [soft.property.name]: null } as never)
      .orderBy({ [name]: 'asc' } as never)
      .setLockMode(LockMode.PESSIMISTIC_READ);
    const rows: Readonly<Record<string, unknown>>[] = await query.execute('all');
    return new Set(rows.map((row) => String(row[name])));
  }

  /** Sets or takes away the mark, and counts the change. */
  async #write(session: Session, child: SoftChild, keys: readonly Key[], mark: Mark): Promise<void> {
    const { meta, soft } = child;
    if (keys.length === 0 || soft === undefined) return;
    const values = { ...marked(soft, mark), ...updatedIn(meta) };
    const where = { [meta.getPrimaryProp().name]: { $in: keys } };
    const { em } = session;
    await this.database.recorded(em, meta, 'updated', keys, () =>
      em.nativeUpdate<object>(meta.class, where, values, { filters: false }),
    );
  }

  #familyOf(meta: EntityMetadata): SoftFamily {
    const family = softFamilyOf(meta, this.database.orm.getMetadata());
    if (family === undefined) throw new TypeError(`${meta.className} is not deleted by a mark`);
    return family;
  }
}

/** In a tree, records other than those that are deleted by themselves. */
function besides(meta: EntityMetadata, { targetMeta }: EntityProperty, keys: readonly unknown[]): object {
  if (targetMeta?.root.class !== meta.root.class) return {};
  return { [meta.getPrimaryProp().name]: { $nin: keys } };
}

/** True if records go along with the one that they refer to. */
function isAlong(child: SoftChild): child is SoftChild & { readonly soft: SoftEntity } {
  return child.rule === 'cascade' && child.soft !== undefined;
}

/** The millisecond of a deletion: who else sets the mark may write finer ones, which no `Date` has. */
function within(at: Date): object {
  return { $gte: at, $lt: new Date(at.getTime() + 1) };
}

function marked(soft: SoftEntity, { at, byOf }: Mark): Record<string, unknown> {
  const { property, by } = soft;
  const when = { [property.name]: at ?? null };
  return by === undefined ? when : { ...when, [by.name]: at === undefined ? null : byOf(soft) };
}

/** The values that MikroORM sets with every change. A query of it sets the version itself. */
function updatedIn(meta: EntityMetadata): Record<string, unknown> {
  const updated = meta.props.filter(({ onUpdate, version }) => onUpdate !== undefined && version !== true);
  return Object.fromEntries(updated.map(({ name, onUpdate }) => [name, (onUpdate as () => unknown)()]));
}
