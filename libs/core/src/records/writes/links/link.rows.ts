import { LockMode, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { storedFields } from '../../../metadata/stored.fields.js';
import type { Database } from '../../../database/database.js';
import type { Session } from '../../../visibility/session.js';
import type { RecordKey } from '../../record.key.js';
import { FilledValues } from '../filled.values.js';
import type { LinkWriting, RecordLink } from './link.writing.js';

type PivotRow = Readonly<Record<string, RecordKey>>;

/** The rows between the two sides of a many-to-many relation, as MikroORM writes those of its lists. */
export class LinkRows implements LinkWriting {
  readonly #pivot: EntityMetadata;
  readonly #owner: EntityProperty;
  readonly #member: EntityProperty;

  /** @param property the relation, as its owner has it: of the owning side, or of the inverse */
  constructor(
    private readonly database: Database,
    { pivotEntity, joinColumns, inverseJoinColumns }: EntityProperty,
  ) {
    this.#pivot = database.orm.getMetadata().get(pivotEntity);
    this.#owner = withField(this.#pivot, joinColumns);
    this.#member = withField(this.#pivot, inverseJoinColumns);
  }

  get unfilled(): readonly string[] {
    const own = new Set([this.#owner, this.#member]);
    // Only entities have functions called for their values, and these rows are none.
    const made = this.#pivot.props.filter(
      (one) => !own.has(one) && one.onCreate !== undefined && one.version !== true && !isDefaulted(one),
    );
    return [...FilledValues.unfilled(this.#pivot, own), ...made].map(({ name }) => name);
  }

  async among(
    session: Session,
    owners: readonly RecordKey[],
    members: readonly RecordKey[],
  ): Promise<readonly RecordLink[]> {
    if (members.length === 0) return [];
    return this.#found(session, owners, { [this.#member.name]: { $in: distinct(members) } });
  }

  ofAll(session: Session, owners: readonly RecordKey[], limit: number): Promise<readonly RecordLink[]> {
    return this.#found(session, owners, {}, limit);
  }

  async #found(
    { em }: Session,
    owners: readonly RecordKey[],
    where: object,
    limit?: number,
  ): Promise<readonly RecordLink[]> {
    if (owners.length === 0) return [];
    const owner = this.#owner.name;
    const query = em
      .createQueryBuilder<object>(this.#pivot.class)
      .select([owner, this.#member.name] as never)
      .where({ [owner]: { $in: distinct(owners) }, ...where } as never)
      .limit(limit);
    // Others show a transaction what it has seen before, unless it locks.
    if (!this.database.dialect.hasCatalogue) query.setLockMode(LockMode.PESSIMISTIC_WRITE);
    const rows: readonly PivotRow[] = await query.execute('all');
    return rows.map((row) => ({ owner: this.#key(row, this.#owner), member: this.#key(row, this.#member) }));
  }

  async add({ em }: Session, links: readonly RecordLink[]): Promise<void> {
    if (links.length === 0) return;
    const rows = links.map(({ owner, member }) => ({
      [this.#owner.name]: owner,
      [this.#member.name]: member,
    }));
    await em.insertMany<object>(this.#pivot.class, rows);
  }

  async remove({ em }: Session, links: readonly RecordLink[]): Promise<void> {
    if (links.length === 0) return;
    const byOwner = new Map<RecordKey, RecordKey[]>();
    for (const { owner, member } of links) byOwner.set(owner, [...(byOwner.get(owner) ?? []), member]);
    const $or = [...byOwner].map(([owner, members]) => ({
      [this.#owner.name]: owner,
      [this.#member.name]: { $in: members },
    }));
    await em.nativeDelete<object>(this.#pivot.class, { $or }, { filters: false });
  }

  async removeAllOf({ em }: Session, members: readonly RecordKey[]): Promise<void> {
    if (members.length === 0) return;
    const where = { [this.#member.name]: { $in: members } };
    await em.nativeDelete<object>(this.#pivot.class, where, { filters: false });
  }

  /** A key as an entity has it. */
  #key(row: PivotRow, { name, customType }: EntityProperty): RecordKey {
    const value = row[name] ?? '';
    const given: unknown = customType?.convertToJSValue(value, this.database.dialect.platform) ?? value;
    return given as RecordKey;
  }
}

function withField(pivot: EntityMetadata, fields: readonly string[]): EntityProperty {
  const found = pivot.props.find((one) => {
    return one.targetMeta !== undefined && storedFields(one)[0] === fields[0] && one.persist !== false;
  });
  if (found === undefined)
    throw new TypeError(`${pivot.className} has no relation at '${fields.join(', ')}'`);
  return found;
}

/** True if the database has a value of its own for a property. */
function isDefaulted({ nullable, autoincrement, defaultRaw }: EntityProperty): boolean {
  return nullable === true || autoincrement === true || defaultRaw !== undefined;
}

function distinct(keys: readonly RecordKey[]): readonly RecordKey[] {
  return [...new Map(keys.map((key) => [String(key), key])).values()];
}
