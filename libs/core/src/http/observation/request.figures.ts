import type { Stage } from '../../endpoint/request/request.observer.js';

/** The measurements of one request, where somebody wants to know. Times in milliseconds. */
export class RequestFigures {
  readonly begun = performance.now();
  readonly stages = new Map<Stage, number>();
  statements = 0;
  statementTime = 0;
  /** True if the answer is one of ours, and not one of the user's own controllers. */
  isOurs = false;
  /** The number of requests that are parts of this one; undefined where it has none. */
  operations: number | undefined;

  /** @param whole the figures of the request that this one is a part of; undefined for most */
  constructor(private readonly whole?: RequestFigures) {}

  statementEnded(took: number): void {
    this.statements += 1;
    this.statementTime += took;
    this.whole?.statementEnded(took);
  }

  /** Since the request came in. */
  get duration(): number {
    return performance.now() - this.begun;
  }
}
