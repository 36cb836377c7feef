import { atMost } from '../../limits/bounded.wait.js';
import type { OwnEm } from '../own.em.js';
import { RequestTransaction } from './request.transaction.js';

/** The time that an answer waits for what runs after the commit, in milliseconds. */
const patience = 1000;

/** A function that runs once nothing can undo what a request wrote. It handles its own failures, because nobody else can. */
export type AfterCommit = () => Promise<void>;

/** The units of a request's work: each is kept or undone as one. Tells what runs once it is kept. */
export class UnitsOfWork {
  /** The number of open units, each inside the one before. */
  #open = 0;
  #left: AfterCommit[] = [];

  constructor(private readonly own: OwnEm) {}

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** See {@link Session.whole}. */
  whole<T>(work: () => Promise<T>): Promise<T> {
    return this.unit(() => this.#inWhole(work));
  }

  /** See {@link Session.unit}. */
  async unit<T>(work: () => Promise<T>): Promise<T> {
    const left = this.#left.length;
    let result: T;
    this.#open += 1;
    try {
      result = await work();
    } catch (error) {
      this.#left.length = left;
      throw error;
    } finally {
      this.#open -= 1;
    }
    if (this.#open === 0) await this.#committed();
    return result;
  }

  /** A unit in one transaction, or in a part of its own of the one that is open. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.unit(() => this.#transacted(work));
  }

  /** See {@link Session.afterCommit}. */
  afterCommit(work: AfterCommit): void {
    // Work that was given up may come here when its unit is over, and undone.
    if (this.#open > 0) this.#left.push(work);
  }

  /** Ends the transaction of the whole request; what follows is asked outside of it. */
  async leave(): Promise<void> {
    const { whole } = this.own;
    this.own.whole = undefined;
    await whole?.commit();
  }

  async #inWhole<T>(work: () => Promise<T>): Promise<T> {
    const whole = new RequestTransaction((inside) => this.#transacted(inside));
    this.own.whole = whole;
    try {
      const result = await work();
      await whole.commit();
      return result;
    } catch (error) {
      return await whole.rollback(error);
    } finally {
      this.own.whole = undefined;
    }
  }

  /**
   * Runs work in a transaction that ends with its request. One that waits for ever would keep its connection, and on
   * PGlite the whole database.
   */
  #transacted<T>(work: () => Promise<T>): Promise<T> {
    const { database, em, cancellation, viewer } = this.own;
    const raced = cancellation === undefined ? work : () => cancellation.race(work);
    return database.transaction(em, raced, viewer.readsOneMoment);
  }

  async #committed(): Promise<void> {
    const left = this.#left.splice(0);
    if (left.length === 0) return;
    this.own.cancellation?.forbid();
    await atMost(patience, inOrder(left), () => undefined);
  }
}

async function inOrder(works: readonly AfterCommit[]): Promise<void> {
  for (const work of works) await work();
}
