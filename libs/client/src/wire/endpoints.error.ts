/** The sentence of a conflict: that of the service, `Precondition Failed`, tells people nothing. */
export const conflictSentence =
  'Somebody else has changed this record in the meantime. Read it again before you change it.';

/** The sentence of an answer that is no JSON. */
export const foreignSentence = 'The answer is not the service’s. Something in between has answered.';

/** The sentence of an answer that says to ask elsewhere. */
export const movedSentence =
  'The service says to ask at another address, where a write may become a GET. It may not have been done. Give the client that address.';

/** A request that the service refused, or could not answer. */
export class EndpointsError extends Error {
  override readonly name = 'EndpointsError';

  /**
   * @param status the status code of the answer
   * @param inputErrors messages by the place of what is wrong: `title`, `records.2.name`
   * @param body the answer as it came
   */
  constructor(
    message: string,
    readonly status: number,
    readonly inputErrors: ReadonlyMap<string, string> = new Map(),
    readonly body?: unknown,
  ) {
    super(message);
  }

  /** True if the record is in another version than the one that was to be changed. */
  get isConflict(): boolean {
    return this.status === 412;
  }
}
