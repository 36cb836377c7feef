/** The requests of one sort that are worked on. */
export interface Lane {
  readonly places: number;
  taken: number;
}
