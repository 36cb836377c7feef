import type { Cancellation } from '../limits/cancellation.js';
import type { Replica } from './replica.js';
import type { ReplicaFailure } from './replica.failure.js';
import type { WriteMark } from './write.mark.js';

/** The facts about the reads of a request. */
export interface ReadsOf {
  /** Chooses a replica that shows all of some writes; undefined where none does. */
  readonly next: (marks: readonly WriteMark[]) => Replica | undefined;
  /** Gives the writes that the client must see. Called once, when the request first reads. */
  readonly marks: () => readonly WriteMark[];
  /** True if all that the endpoint itself asks is a read; false if only functions of the user's ask for reads. */
  readonly isForEndpoint: boolean;
  readonly cancellation: Cancellation | undefined;
}

/**
 * The server from which one request reads. It is one replica all the time, so that what it sees fits together. It is the
 * primary from when the request has asked the primary for something: that may have been a write.
 */
export class ReadSource {
  #chosen: { readonly replica: Replica | undefined } | undefined;

  constructor(private readonly of: ReadsOf) {}

  get isForEndpoint(): boolean {
    return this.of.isForEndpoint;
  }

  /** Undefined for the primary. */
  get replica(): Replica | undefined {
    this.#chosen ??= { replica: this.of.next(this.of.marks()) };
    return this.#chosen.replica;
  }

  /** Reads from the primary from now on. */
  leave(): void {
    this.#chosen = { replica: undefined };
  }

  /** Asks the replica; what it cannot answer, the primary. @param failureOf what an error says of the replica */
  async ask<T>(
    onReplica: (replica: Replica) => Promise<T>,
    onPrimary: () => Promise<T>,
    failureOf: (error: unknown) => ReplicaFailure | undefined,
  ): Promise<T> {
    const { replica } = this;
    if (replica === undefined) return onPrimary();
    const { losses } = replica;
    try {
      return await onReplica(replica);
    } catch (error) {
      if (this.of.cancellation?.reason !== undefined) throw error;
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      if (failure === 'lost') replica.lost(error, losses);
      this.leave();
      return onPrimary();
    }
  }
}
