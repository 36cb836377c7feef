import { helper, type EntityMetadata, type EventArgs, type EventSubscriber } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { fileKeyIn } from '../column/file.column.js';
import type { AttachedFiles } from './attached.files.js';

type Record = object;
type Has = Parameters<AttachedFiles['attach']>[4]['has'];

/**
 * Attaches and detaches the files of an entity's records in the transaction that writes them, whoever writes: endpoints, and
 * code of the application that flushes.
 */
export class FileSubscriber implements EventSubscriber<Record> {
  readonly #columns: string[] = [];

  constructor(
    private readonly files: AttachedFiles,
    private readonly meta: EntityMetadata,
  ) {}

  /** @param column the internal name of a column of files */
  add(column: string): void {
    this.#columns.push(column);
  }

  getSubscribedEntities(): EntityMetadata['class'][] {
    return [this.meta.class];
  }

  async beforeCreate({ entity, em }: EventArgs<Record>): Promise<void> {
    for (const column of this.#columns) await this.#attach(em, entity, column);
  }

  async afterCreate({ entity, em }: EventArgs<Record>): Promise<void> {
    for (const column of this.#columns) {
      const key = fileKeyIn(Reflect.get(entity, column));
      if (key !== undefined) await this.files.name(sqlOf(em), key, idOf(entity) ?? '');
    }
  }

  async beforeUpdate({ entity, em, changeSet }: EventArgs<Record>): Promise<void> {
    const { payload = {}, originalEntity = {} } = changeSet ?? {};
    const isMoved = this.meta.primaryKeys.some((name) => Object.hasOwn(payload, name));
    for (const column of this.#columns) {
      const stored: unknown = Reflect.get(originalEntity, column);
      const before = fileKeyIn(typeof stored === 'string' ? JSON.parse(stored) : stored);
      if (isMoved && before !== undefined) await this.files.move(sqlOf(em), before, idOf(entity) ?? '');
      if (!Object.hasOwn(payload, column)) continue;
      const isLoaded = Object.hasOwn(originalEntity, column);
      const after = await this.#attach(em, entity, column, ({ key, recordId }) =>
        isLoaded ? key === before : recordId !== null && recordId === idOf(entity),
      );
      if (before !== undefined && before !== after)
        await this.files.detach(sqlOf(em), this.#model, idOf(entity) ?? '', before);
    }
  }

  async beforeDelete({ entity, em }: EventArgs<Record>): Promise<void> {
    const id = idOf(entity);
    if (id !== undefined) await this.files.detach(sqlOf(em), this.#model, id);
  }

  get #model(): string {
    return this.meta.className;
  }

  /**
   * @param has true for a file that the record has already; a new one has none
   * @returns the key of the file that the record has then; undefined where it has none
   */
  async #attach(
    em: EventArgs<Record>['em'],
    entity: Record,
    column: string,
    has: Has = () => false,
  ): Promise<string | undefined> {
    const value: unknown = Reflect.get(entity, column);
    if (value === null || value === undefined) return undefined;
    const holder = { model: this.#model, column };
    const file = await this.files.attach(sqlOf(em), fileKeyIn(value) ?? '', this.meta.class, holder, {
      recordId: idOf(entity),
      has,
    });
    Reflect.set(entity, column, file);
    return file.key;
  }
}

function sqlOf(em: EventArgs<Record>['em']): SqlEntityManager {
  return em as unknown as SqlEntityManager;
}

/**
 * The whole key of a record as text, which no other record of its entity has: of several columns a list of all of them. Undefined
 * where the database has not made it yet.
 */
function idOf(entity: Record): string | undefined {
  const keys = helper(entity).getPrimaryKeys() as readonly unknown[] | null;
  if (keys === null || keys.some((key) => key === undefined || key === null)) return undefined;
  const texts = keys.map(String);
  return texts.length === 1 ? texts[0] : JSON.stringify(texts);
}
