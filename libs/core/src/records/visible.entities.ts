import { Collection, helper, Reference, Utils } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { Model, Relation } from '../model/model.js';
import type { Database } from '../database/database.js';
import { RecordQuestioner } from './record.questions.js';
import type { Session } from '../visibility/session.js';

/**
 * Tells which entities that MikroORM has loaded the viewer may see. MikroORM knows its own filters, but not the rules
 * of authorizations: what these hide is loaded all the same.
 */
export class VisibleEntities {
  readonly #questioners = new Map<Model, RecordQuestioner>();

  constructor(private readonly database: Database) {}

  /**
   * The entities at the ends of to-one relations that are hidden.
   * @param paths as relations follow each other
   * @param isFiltered whether MikroORM's filters were not asked when they were loaded
   */
  async hiddenParents(
    session: Session,
    entities: readonly object[],
    paths: readonly (readonly Relation[])[],
    isFiltered: boolean,
  ): Promise<ReadonlySet<object>> {
    const hidden = new Set<object>();
    for (const path of paths) {
      const relation = path.at(-1);
      if (relation === undefined || !(await this.#narrows(session, relation, isFiltered))) continue;
      const parents = entities.flatMap((entity) => parentOf(entity, path) ?? []);
      for (const parent of await this.#hiddenOf(session, relation.target(), parents, relation))
        hidden.add(parent);
    }
    return hidden;
  }

  /** The hidden members of a list of keys, by the records that have some. */
  async hiddenMembers(
    session: Session,
    records: readonly object[],
    target: Model | undefined,
    { property }: Column,
  ): Promise<ReadonlyMap<object, readonly object[]>> {
    const hidden = new Map<object, readonly object[]>();
    if (target === undefined || !session.narrows(target.meta)) return hidden;
    const members = new Map<object, readonly object[]>();
    for (const record of records) {
      const list: unknown = Reflect.get(record, property.name);
      if (list instanceof Collection) members.set(record, list.getItems() as object[]);
    }
    const unseen = new Set(await this.#hiddenOf(session, target, [...new Set([...members.values()].flat())]));
    for (const [record, items] of members) {
      const some = items.filter((item) => unseen.has(item));
      if (some.length > 0) hidden.set(record, some);
    }
    return hidden;
  }

  /** True if a relation may lead to records that are not to be shown. */
  async #narrows(session: Session, relation: Relation, isFiltered: boolean): Promise<boolean> {
    const { meta } = relation.target();
    if (session.narrows(meta) || relation.property.where !== undefined) return true;
    return isFiltered && (await session.restrictionsOf(new Set([meta]))).size > 0;
  }

  #questioner(target: Model): RecordQuestioner {
    const known = this.#questioners.get(target) ?? new RecordQuestioner(this.database, target);
    this.#questioners.set(target, known);
    return known;
  }

  async #hiddenOf(
    session: Session,
    target: Model,
    entities: readonly object[],
    relation?: Relation,
  ): Promise<readonly object[]> {
    const { type } = target.idPath.column;
    const keyOf = (entity: object): unknown => Reflect.get(entity, target.idColumn.property.name);
    const stored = entities.filter((entity) => helper(entity).__em !== undefined);
    const seen = await this.#questioner(target).visible(session, stored.map(keyOf), relation);
    return stored.filter((entity) => !seen.has(type.keyText(keyOf(entity))));
  }
}

/** The entity that relations lead to; undefined where one of them leads to none. */
export function parentOf(entity: object, path: readonly Relation[]): object | undefined {
  let owner: unknown = entity;
  for (const { name } of path)
    owner = Reference.unwrapReference(Reflect.get(Object(owner) as object, name) as object);
  return Utils.isEntity<object>(owner) ? owner : undefined;
}
