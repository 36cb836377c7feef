import type { Clock } from '@nest-endpoints/auth';

/** A clock that a test turns: nobody waits. */
export class ManualClock implements Clock {
  #time = Date.UTC(2027, 0, 1);
  #elapsed = 0;

  now = (): number => this.#time;
  elapsed = (): number => this.#elapsed;

  /** The time of day in seconds, as tokens have it. */
  get seconds(): number {
    return this.#time / 1000;
  }

  /** Time passes. */
  pass(seconds: number): void {
    this.#time += seconds * 1000;
    this.#elapsed += seconds * 1000;
  }

  /** Somebody sets the time of day; nothing grows older by that. */
  set(seconds: number): void {
    this.#time = seconds * 1000;
  }
}
