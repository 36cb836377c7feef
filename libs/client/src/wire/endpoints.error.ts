/** The sentence of a conflict: that of the service, `Precondition Failed`, tells people nothing. */
export const conflictSentence =
  'Somebody else has changed this record in the meantime. Read it again before you change it.';

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
