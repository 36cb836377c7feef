import type { EntityManager, EntityMetadata } from '@mikro-orm/core';
import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { changeMetadata } from '../../metadata/recorded/change.record.js';
import { recordedEntities, type RecordedEntity } from '../../metadata/recorded/recorded.entity.js';
import { recordedAs } from '../../metadata/recorded/recorded.options.js';
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
  static of(em: EntityManager): ChangeLog | undefined {
    const metadata = em.getMetadata();
    const entities = recordedEntities(metadata);
    const [first] = entities.values();
    if (first === undefined) return undefined;
    const meta = changeMetadata(metadata);
    if (meta === undefined) {
      const problem = 'the changes have no table; add ChangeRecord to the entities of MikroORM';
      throw new ConfigurationError(`recordChanges(${first.name})`, 'entities', problem);
    }
    for (const entity of entities.values()) checkCapture(em, entity);
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

  /** The log that writes of an entity have to tell; undefined where nobody records it, or a trigger of the database does. */
  toldOf(meta: EntityMetadata): RecordedTarget | undefined {
    const target = this.of(meta);
    return target === undefined || isTriggered(target) ? undefined : target;
  }

  /** True if a trigger of the database records the changes of an entity. */
  isTriggered(meta: EntityMetadata): boolean {
    const target = this.of(meta);
    return target !== undefined && isTriggered(target);
  }

  /** The entities whose changes triggers of the database record. */
  get triggered(): readonly RecordedTarget[] {
    return [...this.#targets.values()].filter(isTriggered);
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

function isTriggered({ entity }: RecordedTarget): boolean {
  return entity.options.capture === 'trigger';
}

/** @throws ConfigurationError where no trigger can record what is asked for */
function checkCapture(em: EntityManager, { meta, name, options, part }: RecordedEntity): void {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`recordChanges(${name})`, 'capture', problem);
  };
  if (part !== undefined && options.capture === 'trigger')
    refuse("'trigger' records no table in parts; allowed: writes");
  if (part !== undefined && !(em.getPlatform() instanceof BasePostgreSqlPlatform))
    refuse('a log in parts needs PostgreSQL');
  if (options.capture !== 'trigger') return;
  if (!(em.getPlatform() instanceof BasePostgreSqlPlatform))
    refuse("'trigger' needs PostgreSQL; allowed on this database: writes");
  if (meta.schema === '*')
    refuse(`'trigger' needs one table, and the schema of ${meta.className} is chosen by requests`);
  if (meta.root !== meta && recordedAs(meta.root.class)?.options !== options)
    refuse(
      `'trigger' records a table: call recordChanges(${meta.root.className}), whose table ${meta.className} has`,
    );
}
