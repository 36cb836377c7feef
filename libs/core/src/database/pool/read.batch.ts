import { LostConnection } from '../errors/connection.failure.js';
import { noticedWait } from '../../limits/cancellation.js';
import { databaseCode } from '../errors/database.error.js';
import { connectionPatience, lockPatience } from '../transactions/lock.patience.js';
import type { StopRequests } from '../stop.requests.js';
import { stopRequests } from './cancel.request.js';
import {
  releaseAfter,
  sendAlone,
  settingsOf,
  type AwaitedStatement,
  type TakenConnection,
} from './lone.statement.js';
import { isBreaking, isLost } from './statement.failure.js';
import { QueryPart, TextQuery } from './text.query.js';

/** The SQLSTATE of a lock that was not to be had in time. */
const lockTimeout = '55P03';

/**
 * Statements that are sent in one message. The server answers when it is done with all of them, so nobody waits longer
 * than {@link noticedWait} for the others: then the batch is stopped, and those without an answer are asked again, each on a
 * connection of its own. So are those behind one that fails, and those of a connection that was lost: they only read.
 */
export class ReadBatch {
  readonly #query: TextQuery;
  /** The members that nobody waits for any more. */
  readonly #left = new Set<AwaitedStatement>();
  #stops: readonly (() => void)[] = [];
  #watch: NodeJS.Timeout | undefined;
  #requests: StopRequests | undefined;
  #isDone = false;
  #isLate = false;

  /** @param members those whose settings have the same names, in the order in which they were asked @param onSlow is told the text of one that kept others waiting */
  constructor(
    private readonly taken: TakenConnection,
    private readonly members: readonly AwaitedStatement[],
    private readonly onSlow: (text: string) => void,
  ) {
    const now = performance.now();
    const waited = now - Math.min(...members.map(({ asked }) => asked));
    if (waited >= noticedWait)
      for (const { asked, sent } of members) sent.cancellation?.keepWait(now - asked);
    this.#query = new TextQuery(
      members.map(({ sent }) => new QueryPart(sent, settingsOf(taken.pool, waited, sent.settings))),
      (error) => {
        if (!this.#isDone) this.#end(error);
      },
    );
  }

  send(): void {
    this.#stops = this.members.flatMap(
      (member) => member.sent.cancellation?.whenCancelled((reason) => this.#leave(member, reason)) ?? [],
    );
    this.#watch = setTimeout(this.#look, noticedWait);
    this.taken.client.query(this.#query);
  }

  /** The batch works on for those that stay. */
  #leave(member: AwaitedStatement, reason: Error): void {
    this.#left.add(member);
    member.reject(reason);
    if (this.#left.size === this.members.length) this.#stop();
  }

  /** A process that was busy itself may have the answer already. */
  readonly #look = (): void => {
    setImmediate(() => {
      if (this.#isDone) return;
      this.#isLate = true;
      this.#stop();
    });
  };

  #stop(): void {
    const { pool, client, onError } = this.taken;
    this.#requests ??= stopRequests(pool, client, onError);
  }

  #end(error: Error | null): void {
    this.#isDone = true;
    clearTimeout(this.#watch);
    this.taken.late?.end();
    for (const stop of this.#stops) stop();
    releaseAfter(this.#requests, this.taken.release, error);
    const { answers } = this.#query;
    // What fails behind the last statement is the end of the transaction, which all of them were in.
    const answered = error !== null && answers.length === this.members.length ? 0 : answers.length;
    for (const [position, member] of this.members.entries()) {
      if (this.#left.has(member)) continue;
      const rows = position < answered ? answers[position] : undefined;
      if (rows !== undefined) member.resolve(rows);
      else if (error !== null) this.#fail(member, error, position === answers.length);
    }
  }

  /** @param isNext whether it is the statement that the server was at */
  #fail(member: AwaitedStatement, error: Error, isNext: boolean): void {
    if (isNext && this.#isLate) this.onSlow(member.sent.text);
    if (this.#isOf(member, error, isNext)) member.reject(error);
    else this.#askAgain(member, error);
  }

  /** True if an error is what a statement would have got by itself. */
  #isOf({ asked }: AwaitedStatement, error: Error, isNext: boolean): boolean {
    const { pool, client } = this.taken;
    // `pg` does not wait any longer for a server that hangs.
    if (databaseCode(error) === undefined) return !isLost(error, client);
    if (!isNext || this.#isLate || this.#query.isBefore || isBreaking(error)) return false;
    // One that waited longer for the connection has made the wait for locks shorter.
    const patience = lockPatience(pool.options, performance.now() - asked) ?? 0;
    return databaseCode(error) !== lockTimeout || patience <= noticedWait;
  }

  #askAgain(member: AwaitedStatement, error: Error): void {
    const { pool, client, onError } = this.taken;
    const { asked, sent, reject } = member;
    const waited = performance.now() - asked;
    if (sent.cancellation?.reason !== undefined) reject(sent.cancellation.reason);
    else if (sent.limit !== undefined && waited >= sent.limit)
      reject(isLost(error, client) ? new LostConnection(error) : error);
    else sendAlone(pool, member, onError, connectionPatience(pool.options, waited));
  }
}
