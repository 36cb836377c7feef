import type { SessionContext } from '@mikro-orm/core';
import type { Identity } from '../../model/registered.identity.js';
import type { WriteMark } from '../../replicas/write.mark.js';
import type { Session } from '../../visibility/session.js';

/** Sender of one request, as far as it is known. Handlers see it through their request; the pipeline alone writes it. */
export interface Sender {
  /** The identity that authentication found; undefined before it, and when the endpoint is public. */
  identity: Identity;
  /** The variables and the role of row level security; undefined where it is not used. */
  sessionContext: SessionContext | undefined;
  /** The schema of the sender's tables; undefined for MikroORM's. */
  schema: string | undefined;
  /** The write that the client says it must see; undefined where it says nothing. */
  expected: WriteMark | undefined;
  /** The session of whoever asks who sent it, where the request is a part of another one, see {@link Session.nobody}. */
  nobody: Session | undefined;
  /** True if all of this is known: from then on whatever is asked of the database is asked for the sender. */
  isKnown: boolean;
}

/** The sender of a request of which nothing is known yet: each request has a copy. */
export const unknownSender: Readonly<Sender> = {
  identity: undefined,
  sessionContext: undefined,
  schema: undefined,
  expected: undefined,
  nobody: undefined,
  isKnown: false,
};
