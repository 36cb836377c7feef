import {
  ChangeSetType,
  Utils,
  type ChangeSet,
  type EntityManager,
  type EventSubscriber,
  type FlushEventArgs,
  type UnitOfWork,
} from '@mikro-orm/core';
import type { RecordedTarget } from '../../sql/changes/change.log.sql.js';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { ChangeLog } from './change.log.js';
import type { FlushedChange } from './flushed.change.js';
import type { FlushedLog } from './flushed.log.js';
import type { ToldTransactions } from './told.transactions.js';

/** The method of a unit of work that sends what it has to write, within a transaction. */
interface Persisting {
  persistToDatabase(groups: unknown, context?: unknown): Promise<void>;
}

/**
 * The subscriber that writes the log of what a flush changes, in its transaction. It looks at what the database had before,
 * locked, and at what it has afterwards: an entity may be older than both. It changes nothing of a flush, so that it is none
 * of the listeners that close the direct way.
 */
export class FlushedChanges implements EventSubscriber {
  /** @param told tells triggers who changes something; undefined where there are none */
  constructor(
    private readonly changes: ChangeLog,
    private readonly log: FlushedLog,
    private readonly told: ToldTransactions | undefined,
  ) {}

  onFlush({ em, uow }: FlushEventArgs): void {
    const found = this.#changesOf(uow);
    const told = this.#isTriggered(uow) ? this.told : undefined;
    if (found.size === 0 && told === undefined) return;
    const unit = uow as unknown as Persisting;
    const persist = unit.persistToDatabase.bind(uow);
    const recording: typeof persist = async (groups, context) => {
      Reflect.deleteProperty(unit, 'persistToDatabase');
      if (context !== undefined) em.setTransactionContext(context);
      const write = (): Promise<void> => this.#recorded(em, found, () => persist(groups, context));
      await (told === undefined ? write() : told.around(em as SqlEntityManager, write));
    };
    unit.persistToDatabase = recording;
  }

  async #recorded(
    em: EntityManager,
    found: ReadonlyMap<RecordedTarget, readonly FlushedChange[]>,
    write: () => Promise<void>,
  ): Promise<void> {
    if (found.size > 0 && !em.isInTransaction())
      throw new TypeError('A change that is recorded needs a transaction: implicitTransactions is off');
    const own = em as SqlEntityManager;
    const finish: (() => Promise<void>)[] = [];
    for (const [target, changed] of found) finish.push(await this.log.begin(own, target, changed));
    await write();
    for (const end of finish) await end();
  }

  #isTriggered(uow: UnitOfWork): boolean {
    return this.told !== undefined && uow.getChangeSets().some(({ meta }) => this.changes.isTriggered(meta));
  }

  #changesOf(uow: UnitOfWork): ReadonlyMap<RecordedTarget, readonly FlushedChange[]> {
    const found = new Map<RecordedTarget, FlushedChange[]>();
    for (const set of uow.getChangeSets()) {
      const target = this.changes.toldOf(set.meta);
      if (target === undefined) continue;
      const all = found.get(target) ?? [];
      all.push(changeOf(set, target));
      found.set(target, all);
    }
    return found;
  }
}

function changeOf(
  { type, entity, originalEntity }: ChangeSet<object>,
  { entity: { key, part } }: RecordedTarget,
): FlushedChange {
  const { name } = key;
  // The database may give a new record its key.
  const keyOf = (): unknown => plainKey(Reflect.get(entity, name));
  const before: unknown = originalEntity && Reflect.get(originalEntity, name);
  const isNew = type === ChangeSetType.CREATE;
  const isGone = type === ChangeSetType.DELETE || type === ChangeSetType.DELETE_EARLY;
  return {
    sort: isNew ? 'created' : isGone ? 'deleted' : 'updated',
    isEarly: type === ChangeSetType.DELETE_EARLY || type === ChangeSetType.UPDATE_EARLY,
    before: isNew ? undefined : plainKey(before ?? keyOf()),
    keyOf,
    ...(part !== undefined && { partOf: () => Reflect.get(entity, part.name) as unknown }),
  };
}

/** A key that refers to another record is that record's. */
function plainKey(key: unknown): unknown {
  return Utils.isEntity(key) ? Utils.extractPK(key) : key;
}
