import { RecentEntries } from '../../limits/recent.entries.js';
import type { Row } from '../../sql/row.layout.js';
import { NoConnection } from '../errors/connection.failure.js';
import { connectionPatience, waitedBefore } from '../transactions/lock.patience.js';
import { AwaitedStatement, letGo, rowsOf, sendAlone, sendOn, type SentStatement } from './lone.statement.js';
import type { StopFailure } from './statement.failure.js';
import type { PgPool } from './pg.pool.js';
import { ReadBatch } from './read.batch.js';
import { TimeLimit } from './time.limit.js';

/** The number of statements that a connection gets before another one is used. */
const usualSize = 4;

/** The most statements that are sent in one message. */
const largestSize = 16;

/** The time for which a statement is asked alone after it kept others waiting, in milliseconds. */
const restTime = 10_000;

/** The most statements that are remembered for that. */
const keptTexts = 100;

/** A connection that was asked for, and those that take it at the latest. */
interface Asking {
  readonly since: number;
  own: readonly WaitingStatement[];
  /** The number of its own that still wait. */
  left: number;
  /** True once it is there, or is not to be had. */
  isOver: boolean;
}

const none: readonly WaitingStatement[] = [];

/** Statement that may wait for a connection, and its neighbours among those that do. */
class WaitingStatement extends AwaitedStatement {
  /** The connection that was asked for for it; undefined while it does not wait. */
  asking: Asking | undefined;
  before: WaitingStatement | undefined;
  behind: WaitingStatement | undefined;
}

/**
 * Gathers quick reads. What is asked in one turn of the event loop is sent in as few messages as there are free
 * connections for it, and PostgreSQL answers each message at once.
 *
 * A statement waits for a connection that was asked for when its turn ended, no longer than it would have waited by
 * itself. A connection that comes free before takes it along.
 */
export class GatheredReads {
  /** The statements of this turn of the event loop. */
  #fresh: WaitingStatement[] = [];
  /**
   * The ends of the line of statements that wait for a connection. No Map: V8 chains the tables that a Map has outgrown, and old
   * ones keep what came and went since until a full collection, up to a third of the young heap. Who leaves has no neighbours.
   */
  #first: WaitingStatement | undefined;
  #last: WaitingStatement | undefined;
  /** The number of those that wait. */
  #waiting = 0;
  /** Connections that were asked for, and whose own statements others have taken along: the next ones wait for them. */
  readonly #spare: Asking[] = [];
  /** The time until which a statement is asked alone, by its text; undefined until the first one was slow. */
  #slow: RecentEntries<string, number> | undefined;

  constructor(
    readonly pool: PgPool,
    private readonly onError: StopFailure,
  ) {}

  rows(sent: SentStatement): Promise<readonly Row[]> {
    // Who has waited before does not wait as long as the others.
    const isBehind = sent.cancellation?.hasWaited === true && waitedBefore(sent) > 0;
    if (isBehind || (this.#slow !== undefined && isSlow(this.#slow, sent.text)))
      return rowsOf(this.pool, sent, this.onError);
    return new Promise((resolve, reject) => {
      const count = this.#fresh.push(new WaitingStatement(sent, performance.now(), resolve, reject));
      if (count === 1) setImmediate(this.#gather);
    });
  }

  readonly #gather = (): void => {
    const fresh = this.#fresh;
    this.#fresh = [];
    if (fresh.length === 1) {
      this.#ask(fresh);
      return;
    }
    for (const alike of ofSameNames(fresh))
      for (const group of divided(alike, batchCount(this.pool, alike.length))) this.#ask(group);
  };

  /**
   * Asks for a connection, unless one was asked for that nobody waits for any more. Without that a database that is behind would
   * be asked for more connections with each statement, and who else waits would stand behind all of them.
   *
   * @param own those that take this connection at the latest
   */
  #ask(own: readonly WaitingStatement[]): void {
    const limit = own[0]?.sent.limit;
    // Time limits begin with the connection that was asked for.
    const spare = limit === undefined ? this.#spare.shift() : undefined;
    const asking = spare ?? { since: performance.now(), own, left: 0, isOver: false };
    asking.own = own;
    asking.left = own.length;
    for (const statement of own) {
      statement.asking = asking;
      statement.before = this.#last;
      if (this.#last === undefined) this.#first = statement;
      else this.#last.behind = statement;
      this.#last = statement;
      this.#waiting += 1;
    }
    if (spare === undefined) this.#connect(asking, limit);
  }

  #connect(asking: Asking, limit: number | undefined): void {
    const { pool, onError } = this;
    const refuse = (error: unknown): void => {
      for (const statement of asking.own) if (this.#leaves(statement)) this.#refuse(statement, asking, error);
    };
    const late = limit === undefined ? undefined : new TimeLimit(limit, refuse);
    pool.connect((failure, client, release) => {
      asking.isOver = true;
      const place = this.#spare.indexOf(asking);
      if (place >= 0) this.#spare.splice(place, 1);
      if (client === undefined) {
        late?.end();
        refuse(new NoConnection(failure));
        return;
      }
      const members = this.#take(asking.own);
      // Whoever still knows it knows none of them.
      asking.own = none;
      const [first, ...others] = members;
      if (first === undefined) {
        late?.end();
        letGo(release);
        return;
      }
      late?.meets(client);
      const taken = { pool, client, release, late, onError };
      if (others.length === 0) sendOn(taken, first);
      else new ReadBatch(taken, members, this.#rest).send();
    });
  }

  /** Takes those that a connection is for, and its share of what else is waiting and may go with them. */
  #take(own: readonly WaitingStatement[]): WaitingStatement[] {
    const share = Math.min(largestSize, Math.ceil(this.#waiting / this.pool.options.max));
    const taken = Array.of<WaitingStatement>();
    for (const statement of own) if (this.#leaves(statement)) taken.push(statement);
    const [first] = own;
    if (first === undefined || first.sent.limit !== undefined) return taken;
    let next = this.#first;
    while (next !== undefined && taken.length < share) {
      const statement = next;
      // It has no neighbours once it has left.
      next = statement.behind;
      if (haveSameNames(first, statement) && this.#leaves(statement)) taken.push(statement);
    }
    return taken;
  }

  /** Has a statement wait no longer; false where it did not any more, and where nobody waits for it: then it is over. */
  #leaves(statement: WaitingStatement): boolean {
    const { asking, before, behind, sent, reject } = statement;
    if (asking === undefined) return false;
    if (before === undefined) this.#first = behind;
    else before.behind = behind;
    if (behind === undefined) this.#last = before;
    else behind.before = before;
    statement.asking = statement.before = statement.behind = undefined;
    this.#waiting -= 1;
    asking.left -= 1;
    if (asking.left === 0 && !asking.isOver && sent.limit === undefined) this.#spare.push(asking);
    if (sent.cancellation?.reason === undefined) return true;
    reject(sent.cancellation.reason);
    return false;
  }

  /** One that came later than its connection was asked for has waited less than the pool lets it. */
  #refuse(statement: AwaitedStatement, { since }: Asking, error: unknown): void {
    const { pool, onError } = this;
    const patience = connectionPatience(pool.options, performance.now() - statement.asked);
    if (statement.asked <= since || patience === undefined) statement.reject(error);
    else sendAlone(pool, statement, onError, patience);
  }

  readonly #rest = (text: string): void => {
    this.#slow ??= new RecentEntries(keptTexts);
    this.#slow.set(text, performance.now() + restTime);
  };
}

/** @param slow the time until which statements are asked alone, by their texts */
function isSlow(slow: RecentEntries<string, number>, text: string): boolean {
  const end = slow.get(text);
  if (end === undefined) return false;
  if (end > performance.now()) return true;
  slow.delete(text);
  return false;
}

/**
 * Divides statements by the names of their settings: whoever does not set what another one has set would see as that one.
 * Values may differ, because each sets its own.
 */
function ofSameNames<One extends AwaitedStatement>(statements: readonly One[]): readonly (readonly One[])[] {
  const [first] = statements;
  if (first === undefined) return [];
  const alike = statements.filter((statement) => haveSameNames(first, statement));
  if (alike.length === statements.length) return [statements];
  return [alike, ...ofSameNames(statements.filter((statement) => !haveSameNames(first, statement)))];
}

function haveSameNames({ sent: { settings } }: AwaitedStatement, { sent: other }: AwaitedStatement): boolean {
  if (settings === other.settings) return true;
  return (
    settings.length === other.settings.length &&
    settings.every(([name], index) => other.settings[index]?.[0] === name)
  );
}

/** The number of batches for so many statements: one a free connection at most, unless they would be too large. */
function batchCount({ options, idleCount, totalCount, waitingCount }: PgPool, statements: number): number {
  const free = idleCount + Math.max(0, options.max - totalCount) - waitingCount;
  const usual = Math.ceil(statements / usualSize);
  return free <= 0 ? usual : Math.max(Math.min(usual, free), Math.ceil(statements / largestSize));
}

/** Divides a list into parts of nearly the same length. */
function divided<T>(list: readonly T[], parts: number): readonly (readonly T[])[] {
  if (parts === 1) return [list];
  return Array.from({ length: parts }, (_, part) =>
    list.slice(Math.round((part * list.length) / parts), Math.round(((part + 1) * list.length) / parts)),
  );
}
