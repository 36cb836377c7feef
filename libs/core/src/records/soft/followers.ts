import { LockMode, type EntityMetadata } from '@mikro-orm/core';
import type { SoftChild, SoftFamily, SoftParent } from '../../metadata/soft/soft.family.js';
import { softFamilyOf } from '../../metadata/soft/soft.family.js';
import type { SoftEntity } from '../../model/soft/soft.entity.js';
import type { Database } from '../../database/database.js';
import type { Session } from '../../visibility/session.js';
import type { Mark } from './mark.js';

export type FollowerKey = string | number | bigint;

/** A record that follows another one into the trash or out of it. */
export interface Follower {
  readonly key: FollowerKey;
  readonly row: Readonly<Record<string, unknown>>;
}

/** A reference by which records go along with the one that they refer to. */
export type AlongChild = SoftChild & { readonly soft: SoftEntity };

/** The statements about records that follow others into the trash or out of it, within the transaction of the write. */
export class Followers {
  constructor(readonly database: Database) {}

  /** The records that refer to some others, locked. */
  async find(
    session: Session,
    { meta, owner }: SoftChild,
    keys: readonly unknown[],
    where: object,
    { limit, parents = [] }: { readonly limit?: number; readonly parents?: readonly SoftParent[] },
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
    return rows.map((row) => ({ key: row[name] as FollowerKey, row }));
  }

  /** The keys of live parents, as text. Nobody deletes them before the transaction ends. */
  async held(
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
  async write(
    session: Session,
    { meta, soft }: AlongChild,
    keys: readonly FollowerKey[],
    mark: Mark,
  ): Promise<void> {
    if (keys.length === 0) return;
    const values = { ...marked(soft, mark), ...updatedIn(meta) };
    const where = { [meta.getPrimaryProp().name]: { $in: keys } };
    const { em } = session;
    await this.database.recorded(em, meta, 'updated', keys, () =>
      em.nativeUpdate<object>(meta.class, where, values, { filters: false }),
    );
  }

  familyOf(meta: EntityMetadata): SoftFamily {
    const family = softFamilyOf(meta, this.database.orm.getMetadata());
    if (family === undefined) throw new TypeError(`${meta.className} is not deleted by a mark`);
    return family;
  }
}

/** True if records go along with the one that they refer to. */
export function isAlong(child: SoftChild): child is AlongChild {
  return child.rule === 'cascade' && child.soft !== undefined;
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
