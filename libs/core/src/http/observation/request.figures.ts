import type { Stage } from '../../endpoint/request/request.observer.js';

/** The measurements of one request, where somebody wants to know. Times in milliseconds. */
export class RequestFigures {
  readonly begun = performance.now();
  readonly stages = new Map<Stage, number>();
  statements = 0;
  statementTime = 0;
  /** True if the answer is one of ours, and not one of the user's own controllers. */
  isOurs = false;

  statementEnded(took: number): void {
    this.statements += 1;
    this.statementTime += took;
  }

  /** Since the request came in. */
  get duration(): number {
    return performance.now() - this.begun;
  }
}
