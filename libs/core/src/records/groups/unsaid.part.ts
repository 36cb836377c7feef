/** A part of groups that a store cannot tell of, and why. */
export interface UnsaidPart {
  /** The name on the wire; undefined where it is all of them. */
  readonly name?: string;
  readonly reason: string;
}
