import type { EntityMetadata, MikroORM } from '@mikro-orm/core';
import { ChangeRecord } from '../../metadata/recorded/change.record.js';
import { recordedEntities, type RecordedEntity } from '../../metadata/recorded/recorded.entity.js';
import type { RecordedTarget } from '../../sql/changes/change.log.sql.js';
import { unknownOrigin, type ChangeOrigin } from '../../sql/changes/change.origin.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** The log of changes of one database: the entities that are recorded, and who makes a change. */
export class ChangeLog {
  /** The logs by class: several MikroORMs of a process share those, and an entity may lead to the metadata of another one. */
  readonly #targets: ReadonlyMap<object, RecordedTarget>;
  #originOf: () => ChangeOrigin = () => unknownOrigin;

  private constructor(
    readonly meta: EntityMetadata,
    entities: ReadonlyMap<EntityMetadata, RecordedEntity>,
  ) {
    const targets = [...entities].map(([of, entity]) => [of.class, { entity, log: meta }] as const);
    this.#targets = new Map(targets);
  }

  /**
   * Undefined where nothing is recorded.
   *
   * @throws ConfigurationError where MikroORM does not know the table of the log
   */
  static of(orm: MikroORM): ChangeLog | undefined {
    const metadata = orm.getMetadata();
    const entities = recordedEntities(metadata);
    const [first] = entities.values();
    if (first === undefined) return undefined;
    const meta = metadata.find(ChangeRecord);
    if (meta === undefined || !metadata.getAll().has(meta.class)) {
      const problem = 'the changes have no table; add ChangeRecord to the entities of MikroORM';
      throw new ConfigurationError(`recordChanges(${first.name})`, 'entities', problem);
    }
    return new ChangeLog(meta, entities);
  }

  /** The entities that are recorded. */
  get targets(): Iterable<RecordedTarget> {
    return this.#targets.values();
  }

  /** The log of an entity; undefined where its changes are not recorded. */
  of(meta: EntityMetadata): RecordedTarget | undefined {
    return this.#targets.get(meta.class);
  }

  /** The origin of what is changed now. */
  get origin(): ChangeOrigin {
    return this.#originOf();
  }

  /** Has the origin told by whoever knows the current request. */
  toldBy(originOf: () => ChangeOrigin): void {
    this.#originOf = originOf;
  }
}
