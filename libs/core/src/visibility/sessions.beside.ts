import type { EntityMetadata, SessionContext } from '@mikro-orm/core';
import type { Cancellation } from '../limits/cancellation.js';
import type { Restrictions } from '../sql/restriction.js';
import type { Viewer } from '../database/viewer.js';
import { Session } from './session.js';

/** Sessions that stand beside a request, and what they see. */
export interface SessionsBeside {
  readonly restrictions: Restrictions;
  readonly sessionContext: SessionContext | undefined;
  /** The schema of tables that have none of their own. */
  readonly schema: string | undefined;
  /** Opens one, for reads that belong together and are given up together. */
  readonly open: (cancellation: Cancellation) => Session;
}

/** A session that sees what a request saw, whatever rules say by now. */
class SessionBeside extends Session {
  constructor(
    { database, pool, viewer: { isLone, readsOneMoment } }: Session['origin'],
    private readonly seen: Restrictions,
    viewer: Pick<Viewer, 'sessionContext' | 'schema' | 'cancellation'>,
  ) {
    super(database, pool, { isLone, readsOneMoment, ...viewer });
  }

  override restrictionsOf(): Restrictions {
    return this.seen;
  }
}

/**
 * Opens sessions of the sender of a request that see of these entities what the request sees now. They read from the primary, and
 * go on when the request is over.
 */
export async function sessionsBeside(
  session: Session,
  entities: ReadonlySet<EntityMetadata>,
): Promise<SessionsBeside> {
  const restrictions = await session.restrictionsOf(entities);
  const { origin } = session;
  // A guard may have given the entity manager variables and a role, too.
  const sessionContext = session.hasPolicies ? session.em.getSessionContext() : undefined;
  const { chosen: schema } = session.tables;
  const open = (cancellation: Cancellation): Session =>
    new SessionBeside(origin, restrictions, { sessionContext, schema, cancellation });
  return { restrictions, sessionContext, schema, open };
}
