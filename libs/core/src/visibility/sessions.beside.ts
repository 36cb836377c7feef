import type { EntityMetadata, SessionContext } from '@mikro-orm/core';
import type { Restrictions } from '../sql/restriction.js';
import { Session } from './session.js';

/** Sessions that stand beside a request, and what they see. */
export interface SessionsBeside {
  readonly restrictions: Restrictions;
  readonly sessionContext: SessionContext | undefined;
  /** The schema of tables that have none of their own. */
  readonly schema: string | undefined;
  /** Opens one, for reads that belong together. */
  readonly open: () => Session;
}

/** A session that sees what a request saw, whatever rules say by now. */
class SessionBeside extends Session {
  constructor(
    { database, pool, viewer: { isLone, readsOneMoment, sessionContext } }: Session['origin'],
    private readonly seen: Restrictions,
    schema: string | undefined,
  ) {
    super(database, pool, { isLone, readsOneMoment, sessionContext, schema });
  }

  override restrictionsOf(): Restrictions {
    return this.seen;
  }
}

/**
 * Opens sessions of the sender of a request that see of these entities what the request sees now. They read from the primary, and
 * nobody gives them up.
 */
export async function sessionsBeside(
  session: Session,
  entities: ReadonlySet<EntityMetadata>,
): Promise<SessionsBeside> {
  const restrictions = await session.restrictionsOf(entities);
  const { origin } = session;
  const { sessionContext } = origin.viewer;
  const { chosen: schema } = session.tables;
  const open = (): Session => new SessionBeside(origin, restrictions, schema);
  return { restrictions, sessionContext, schema, open };
}
