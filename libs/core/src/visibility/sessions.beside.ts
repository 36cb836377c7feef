import type { EntityMetadata, SessionContext } from '@mikro-orm/core';
import type { Restrictions } from '../sql/restriction.js';
import { Session } from './session.js';

/** Sessions that stand beside a request, and what they see. */
export interface SessionsBeside {
  readonly restrictions: Restrictions;
  readonly sessionContext: SessionContext | undefined;
  /** Opens one, for reads that belong together. */
  readonly open: () => Session;
}

/** A session that sees what a request saw, whatever rules say by now. */
class SessionBeside extends Session {
  constructor(
    { database, pool, viewer: { isLone, readsOneMoment, sessionContext } }: Session['origin'],
    private readonly seen: Restrictions,
  ) {
    super(database, pool, { isLone, readsOneMoment, sessionContext });
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
  return { restrictions, sessionContext, open: () => new SessionBeside(origin, restrictions) };
}
