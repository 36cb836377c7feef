import { helper, LockMode, type EntityMetadata, type EventArgs, type EventSubscriber } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { fileKeyIn, storedKeyIn } from '../column/file.column.js';
import type { AttachedFiles } from './attached.files.js';

type Record = object;

/**
 * Attaches and detaches the files of an entity's records in the transaction that writes them, whoever writes: endpoints, and
 * code of the application that flushes.
 */
export class FileSubscriber implements EventSubscriber<Record> {
  readonly #columns = new Set<string>();

  constructor(
    private readonly files: AttachedFiles,
    private readonly meta: EntityMetadata,
  ) {}

  /** @param column the internal name of a column of files */
  add(column: string): void {
    this.#columns.add(column);
  }

  getSubscribedEntities(): EntityMetadata['class'][] {
    return [this.meta.class];
  }

  async beforeCreate({ entity, em }: EventArgs<Record>): Promise<void> {
    for (const column of this.#columns) await this.#attach(em, entity, column, undefined);
  }

  async afterCreate({ entity, em }: EventArgs<Record>): Promise<void> {
    for (const column of this.#columns) {
      const key = fileKeyIn(Reflect.get(entity, column));
      if (key !== undefined) await this.files.name(sqlOf(em), key, idOf(keysOf(entity)) ?? '');
    }
  }

  async beforeUpdate({ entity, em, changeSet }: EventArgs<Record>): Promise<void> {
    const { payload = {}, originalEntity = {} } = changeSet ?? {};
    const isWritten = (name: string): boolean => Object.hasOwn(payload, name);
    const isMoved = this.meta.primaryKeys.some(isWritten);
    if (!isMoved && ![...this.#columns].some(isWritten)) return;
    const id = idOf(keysOf(entity)) ?? '';
    const keys = isMoved ? this.#keysIn(em, originalEntity) : keysOf(entity);
    for (const [column, before] of await this.#stored(em, keys)) {
      if (isMoved && before !== undefined) await this.files.move(sqlOf(em), before, this.#owner(keys), id);
      if (!isWritten(column)) continue;
      const after = await this.#attach(em, entity, column, before);
      if (before !== undefined && before !== after)
        await this.files.detach(sqlOf(em), before, { model: this.#model, recordId: id });
    }
  }

  async beforeDelete({ entity, em }: EventArgs<Record>): Promise<void> {
    const keys = keysOf(entity);
    for (const key of (await this.#stored(em, keys)).values())
      if (key !== undefined) await this.files.detach(sqlOf(em), key, this.#owner(keys));
  }

  get #model(): string {
    return this.meta.root.className;
  }

  #owner(keys: readonly unknown[]): { readonly model: string; readonly recordId: string } {
    return { model: this.#model, recordId: idOf(keys) ?? '' };
  }

  /** The key of a record as it was loaded, in values of the entity. */
  #keysIn(em: EventArgs<Record>['em'], original: object): readonly unknown[] {
    const platform = em.getPlatform();
    return this.meta.getPrimaryProps().map(({ name, customType }) => {
      const value: unknown = Reflect.get(original, name);
      return customType === undefined ? value : (customType.convertToJSValue(value, platform) as unknown);
    });
  }

  /**
   * The files that stand in the row of a record, by column. What was loaded may be older, or a part of it. The row is locked: of two
   * who replace a file at once, the second would detach the one before, and not that of the first.
   */
  async #stored(
    em: EventArgs<Record>['em'],
    keys: readonly unknown[],
  ): Promise<ReadonlyMap<string, string | undefined>> {
    const columns = [...this.#columns];
    const where = Object.fromEntries(this.meta.primaryKeys.map((name, index) => [name, keys[index]]));
    const query = sqlOf(em)
      .createQueryBuilder(this.meta.class, 'r', 'write')
      .select(columns as never)
      .where(where);
    if (em.isInTransaction()) query.setLockMode(LockMode.PESSIMISTIC_WRITE, ['r']);
    const row: object | null = await query.execute('get');
    return new Map(
      columns.map((name) => [name, row === null ? undefined : storedKeyIn(Reflect.get(row, name))]),
    );
  }

  /**
   * @param own the file that stands in the stored row
   * @returns the key of the file that the record has then; undefined where it has none
   */
  async #attach(
    em: EventArgs<Record>['em'],
    entity: Record,
    column: string,
    own: string | undefined,
  ): Promise<string | undefined> {
    const value: unknown = Reflect.get(entity, column);
    if (value === null || value === undefined) return undefined;
    const holder = { model: this.#model, column };
    const file = await this.files.attach(sqlOf(em), fileKeyIn(value) ?? '', this.meta.root.class, holder, {
      recordId: idOf(keysOf(entity)),
      own,
    });
    Reflect.set(entity, column, file);
    return file.key;
  }
}

function sqlOf(em: EventArgs<Record>['em']): SqlEntityManager {
  return em as unknown as SqlEntityManager;
}

function keysOf(entity: Record): readonly unknown[] {
  return (helper(entity).getPrimaryKeys() as readonly unknown[] | null) ?? [];
}

/**
 * The whole key of a record as text, which no other record of its entity has: of several columns a list of all of them. Undefined
 * where the database has not made it yet.
 */
function idOf(keys: readonly unknown[]): string | undefined {
  if (keys.length === 0 || keys.some((key) => key === undefined || key === null)) return undefined;
  const texts = keys.map(String);
  return texts.length === 1 ? texts[0] : JSON.stringify(texts);
}
