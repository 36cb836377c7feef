/** The origin of a change: who made it, and in which request. Texts as the log takes them. */
export interface ChangeOrigin {
  readonly actor: string | null;
  readonly requestId: string | null;
  /** The kind and path of the endpoint. */
  readonly endpoint: string | null;
  /** A JSON object. */
  readonly context: string | null;
}

/** The origin of changes that no request has asked for. */
export const unknownOrigin: ChangeOrigin = { actor: null, requestId: null, endpoint: null, context: null };
