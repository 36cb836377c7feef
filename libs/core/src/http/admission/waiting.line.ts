/** A place in a {@link WaitingLine}. */
export interface Standing<T> {
  readonly who: T;
  before: Standing<T> | undefined;
  after: Standing<T> | undefined;
  isIn: boolean;
}

/**
 * A line that anybody may leave from any place. Its members are linked, because V8 chains the tables that a Set has
 * outgrown, and old ones keep members that have left until a full collection. For the same reason, a member that has left
 * points at nobody: a single old one would keep all that have come after it.
 */
export class WaitingLine<T> {
  #first: Standing<T> | undefined;
  #last: Standing<T> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The one who has waited the longest. */
  get first(): Standing<T> | undefined {
    return this.#first;
  }

  /** The standings of all who are in now, whoever leaves meanwhile. */
  get standings(): readonly Standing<T>[] {
    const all: Standing<T>[] = [];
    for (let standing = this.#first; standing !== undefined; standing = standing.after) all.push(standing);
    return all;
  }

  join(who: T): Standing<T> {
    const standing: Standing<T> = { who, before: this.#last, after: undefined, isIn: true };
    if (this.#last === undefined) this.#first = standing;
    else this.#last.after = standing;
    this.#last = standing;
    this.#length += 1;
    return standing;
  }

  /** Does nothing for one who has left. */
  leave(standing: Standing<T>): void {
    if (!standing.isIn) return;
    standing.isIn = false;
    this.#length -= 1;
    const { before, after } = standing;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    standing.before = undefined;
    standing.after = undefined;
  }
}
