/** A success, whatever stood around its data. */
export interface Answer {
  readonly data: unknown;
  /** Undefined where the answer is no page. */
  readonly page: AnswerPage | undefined;
  /** The entity tag of the record. */
  readonly entityTag: string | undefined;
}

/** The position of a page in its list. */
export interface AnswerPage {
  /** The number of records that were found; undefined where it is not counted. */
  readonly total: number | undefined;
  /** The parameters of the next page; undefined on the last one. */
  readonly next: Readonly<Record<string, unknown>> | undefined;
}
