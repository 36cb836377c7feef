import { atMost } from '../../limits/bounded.wait.js';
import { Conflict } from '../../wire/refusals.js';
import { refusalOf } from '../errors/database.error.js';
import { isLeftToUnits } from '../errors/left.to.units.js';
import { TryAgain } from '../errors/try.again.js';
import type { OwnEm } from '../own.em.js';
import { RequestTransaction } from './request.transaction.js';
import { triedAgain } from './trials.js';

/** The time that an answer waits for what runs after the commit, in milliseconds. */
const patience = 1000;

/** Undoes a transaction whose work has come to its end. */
class Undone extends Error {}

/** The reason to try a whole again: the values of a part were to be judged by what parts before it wrote, and that is undone. */
class JudgedLate extends TryAgain {
  constructor(cause: unknown) {
    super('The values of a part were refused before they were judged', { cause });
  }
}

/** A function that runs once nothing can undo what a request wrote. It handles its own failures, because nobody else can. */
export type AfterCommit = () => Promise<void>;

/** The units of a request's work: each is kept or undone as one. Tells what runs once it is kept. */
export class UnitsOfWork {
  /** The number of open units, each inside the one before. */
  #open = 0;
  #left: AfterCommit[] = [];
  /** The error for which the transaction that parts share was undone; undefined while it is not. */
  #undoneFor: { readonly error: unknown } | undefined;
  #judgesFirst = false;

  /** @param outer the units of the request which this one is a part of: in its transaction, kept or undone with it */
  constructor(
    private readonly own: OwnEm,
    private readonly outer?: UnitsOfWork,
  ) {}

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** See {@link Session.whole}. */
  whole<T>(work: () => Promise<T>): Promise<T> {
    return this.unit(this.outer === undefined ? () => this.#inWhole(work) : work);
  }

  /** See {@link Session.shared}. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    const { own } = this;
    const entered = async (): Promise<T> => {
      await own.enter();
      return work();
    };
    const once = (): Promise<T> => {
      this.#undoneFor = undefined;
      return this.unit(() => this.#inWhole(entered, true));
    };
    try {
      return await once();
    } catch (error) {
      return await triedAgain(error, once, this);
    }
  }

  /** True if somebody still waits for it. */
  get mayRepeat(): boolean {
    return this.own.cancellation?.reason === undefined;
  }

  /** See {@link Session.judgesFirst}. */
  get judgesFirst(): boolean {
    return this.outer?.judgesFirst ?? this.#judgesFirst;
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
    return this.unit(() => (this.outer === undefined ? this.#transacted(work) : this.#flushed(work)));
  }

  /** See {@link Session.tryOut}. */
  async tryOut<T>(work: (piece: <P>(work: () => Promise<P>) => Promise<P>) => Promise<T>): Promise<T> {
    const piece = <P>(of: () => Promise<P>): Promise<P> => this.unit(() => this.#transacted(of));
    let found: { readonly value: T } | undefined;
    try {
      await piece(async () => {
        found = { value: await work(piece) };
        throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
    if (found === undefined) throw new TypeError('The transaction ended before its work');
    return found.value;
  }

  /** See {@link Session.inside}. */
  async inside<T>(work: () => Promise<T>): Promise<T> {
    const { own } = this;
    const wasGiven = own.isGiven;
    try {
      // That of the whole request is around it: beginning within, it would end with this one. Nobody is given anything by it.
      await own.enter();
      own.isGiven = wasGiven;
      return await this.unit(() => this.#transacted(work, undefined, own.inner));
    } finally {
      own.inner.clear();
      own.isGiven = wasGiven;
    }
  }

  /**
   * Runs what a part writes in the transaction around it. What fails of it undoes all at once: whatever is asked about the
   * failure is asked outside of that transaction.
   *
   * @param isJudged true if its values were judged before, within the transaction
   * @throws JudgedLate where they were not: outside there is nothing of what parts before it wrote, and a unit of work begins within
   */
  async asPart<T>(work: () => Promise<T>, isJudged: boolean): Promise<T> {
    this.refuseUndone();
    const { outer } = this;
    try {
      return await work();
    } catch (error) {
      if (outer === undefined) throw error;
      const isLate = !isJudged && (refusalOf(error) instanceof Conflict || isLeftToUnits(error));
      const reason = isLate ? new JudgedLate(error) : error;
      await outer.undo(reason);
      if (isLate) outer.#judgesFirst = true;
      throw reason;
    }
  }

  /** Undoes the transaction that parts share. */
  async undo(error: unknown): Promise<void> {
    this.#undoneFor ??= { error };
    // What the request itself fails for tells of a rollback that failed.
    await this.own.whole?.rollback(error).catch(() => undefined);
  }

  /** Refuses to write where the transaction of which this is a part is over: it would be kept by itself. */
  refuseUndone(): void {
    const undone = this.outer?.undone;
    if (undone !== undefined) throw undone.error;
  }

  /** See {@link undo}. */
  get undone(): { readonly error: unknown } | undefined {
    return this.#undoneFor;
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

  /** @param hasParts whether parts of the request share it: they are let out before it ends, and it is tried again as a whole */
  async #inWhole<T>(work: () => Promise<T>, hasParts = false): Promise<T> {
    const end = hasParts ? (): void => this.own.releaseParts() : undefined;
    const whole = new RequestTransaction((inside) => this.#transacted(inside, end), hasParts);
    const around = this.own.whole;
    this.own.whole = whole;
    try {
      const result = await work();
      await whole.commit();
      return result;
    } catch (error) {
      // What a part failed for was the reason to undo it already; of the whole, this is.
      if (this.#undoneFor !== undefined) throw error;
      return await whole.rollback(error);
    } finally {
      this.own.whole = around;
    }
  }

  /** Writes what a part left unwritten. */
  #flushed<T>(work: () => Promise<T>): Promise<T> {
    const { em, cancellation } = this.own;
    return this.asPart(async () => {
      const result = await (cancellation === undefined ? work() : cancellation.race(work));
      await em.flush();
      return result;
    }, true);
  }

  /**
   * Runs work in a transaction that ends with its request. One that waits for ever would keep its connection, and on
   * PGlite the whole database.
   *
   * @param end is called when work is over, before the transaction is
   */
  #transacted<T>(work: () => Promise<T>, end?: () => void, em = this.own.em): Promise<T> {
    const { database, cancellation, viewer } = this.own;
    const bounded = cancellation === undefined ? work : (): Promise<T> => cancellation.race(work);
    const ended = end === undefined ? bounded : () => bounded().finally(end);
    const { way } = this.own;
    return database.transaction(em, ended, { isOneMoment: viewer.readsOneMoment, way, cancellation });
  }

  async #committed(): Promise<void> {
    const left = this.#left.splice(0);
    if (left.length === 0) return;
    if (this.outer !== undefined) {
      for (const work of left) this.outer.afterCommit(work);
      return;
    }
    this.own.cancellation?.forbid();
    await atMost(patience, inOrder(left), () => undefined);
  }
}

async function inOrder(works: readonly AfterCommit[]): Promise<void> {
  for (const work of works) await work();
}
