import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';
import type { Database, RequestEntityManager } from '../../database/database.js';
import type { KyselyTransaction } from '../../database/kysely.types.js';
import { leaseIn } from '../../database/lease/transaction.lease.js';
import { lockedStatement } from '../../sql/written/locked.statement.js';
import { StatementCache } from '../../sql/statement.cache.js';
import type { Session } from '../../visibility/session.js';
import type { StoredRecord } from '../record.store.js';

/** A record that was looked for; undefined in it where there is none to see. */
interface Found {
  readonly record: StoredRecord | undefined;
}

/**
 * Finds and locks a record by a prepared statement, and makes the entity of it that MikroORM would have found, for an entity
 * manager that has none yet.
 */
export class LockedRecord {
  readonly #properties: readonly EntityProperty[] | undefined;
  readonly #statements = new StatementCache();

  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {
    this.#properties = database.isPostgres ? readProperties(model.meta) : undefined;
  }

  /** Undefined where the record is to be found by MikroORM. */
  async find(session: Session, lookup: Column, value: unknown): Promise<Found | undefined> {
    const properties = this.#properties;
    const { database, model } = this;
    const { meta } = model;
    if (properties === undefined || database.listeners.hear(meta)) return undefined;
    if (lookup.type.equalityWidth > 0 || lookup.conversion !== undefined) return undefined;
    const { em, tables } = session;
    const lease = leaseIn(em.getTransactionContext<KyselyTransaction>());
    if (lease?.way === undefined || lease.way.pool.isLogged || !isFresh(em)) return undefined;
    const restrictions = await session.restrictionsOf(new Set([meta]));
    if (restrictions.get(meta)?.isPlain === false) return undefined;
    const path = { text: lookup.name, relations: [], column: lookup };
    const conditions = [{ path, comparison: '=', isExact: true, listLength: 0 }] as const;
    const statement = this.#statements.get(tables, [lookup.name], restrictions, [], () =>
      lockedStatement(database.dialect, tables, { model, conditions, restrictions, properties }),
    );
    const inputs = { values: [value], restrictions };
    const { records } = await lease.way.pool.recordsWithin(lease, statement, inputs);
    const [row] = records;
    return { record: row === undefined ? undefined : this.#entity(em, row) };
  }

  #entity(em: RequestEntityManager, row: Record<string, unknown>): StoredRecord {
    const { meta } = this.model;
    const data = em.getComparator().mapResult(meta as EntityMetadata<object>, row);
    const chosen = em.schema === undefined ? {} : { schema: em.schema };
    const options = { merge: true, refresh: true, convertCustomTypes: true, ...chosen };
    return em.getEntityFactory().create<object>(meta.class, data, options);
  }
}

/** True if an entity manager has nothing to flush, and knows no record. */
function isFresh(em: RequestEntityManager): boolean {
  const unit = em.getUnitOfWork();
  const isEmpty = unit.getPersistStack().size === 0 && unit.getRemoveStack().size === 0;
  return isEmpty && unit.getIdentityMap().keys().length === 0;
}

/** The properties that MikroORM reads of a record that it looks for; undefined where that is more than columns of its table. */
function readProperties(meta: EntityMetadata): readonly EntityProperty[] | undefined {
  if (meta.root !== meta || meta.inheritanceType !== undefined || meta.discriminatorColumn !== undefined)
    return undefined;
  if (meta.virtual === true || meta.expression !== undefined || meta.schema === '*') return undefined;
  if (meta.primaryKeys.length !== 1 || meta.serializedPrimaryKey !== undefined) return undefined;
  const properties: EntityProperty[] = [];
  for (const property of meta.props) {
    const isRead = isOwnColumn(property);
    if (isRead === undefined) return undefined;
    if (isRead) properties.push(property);
  }
  return properties;
}

/** False for what is not read, undefined for what MikroORM alone can read. */
function isOwnColumn(property: EntityProperty): boolean | undefined {
  const { kind, owner, eager, lazy, fieldNames, formula, customType, persist, polymorphic } = property;
  if (kind === ReferenceKind.ONE_TO_MANY || kind === ReferenceKind.MANY_TO_MANY)
    return eager === true ? undefined : false;
  if (kind === ReferenceKind.EMBEDDED || formula !== undefined || eager === true) return undefined;
  if (kind === ReferenceKind.ONE_TO_ONE && !owner) return undefined;
  if (property.embedded !== undefined || polymorphic !== undefined) return undefined;
  if (persist === false || lazy === true) return false;
  if (customType !== undefined && 'convertToJSValueSQL' in customType) return undefined;
  return fieldNames.length === 1 ? true : undefined;
}
