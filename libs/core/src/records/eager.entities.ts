import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../database/database.js';
import type { Session } from '../visibility/session.js';

const asUsual = {} as const;
const nothing = { populate: false } as const;

/** The entities that MikroORM loads with each record of an entity, whoever asks: those behind relations that are `eager`. */
export class EagerEntities {
  readonly #entities: ReadonlySet<EntityMetadata>;

  constructor(
    private readonly database: Database,
    meta: EntityMetadata,
  ) {
    this.#entities = eagerOf(meta);
  }

  /** Options of a find that leaves them out where filters or rules may hide some of them. */
  hidden(session: Session): typeof asUsual | typeof nothing {
    for (const meta of this.#entities)
      if (session.narrows(meta) || this.database.filtered.isDeclared(meta)) return nothing;
    return asUsual;
  }
}

function eagerOf(meta: EntityMetadata, known = new Set<EntityMetadata>()): ReadonlySet<EntityMetadata> {
  for (const { eager, targetMeta } of meta.relations) {
    if (eager !== true || targetMeta === undefined || known.has(targetMeta)) continue;
    known.add(targetMeta);
    eagerOf(targetMeta, known);
  }
  return known;
}
