import type { Cancellation } from '../limits/cancellation.js';
import type { Replica } from './replica.js';
import type { ReplicaFailure } from './replica.failure.js';
import type { WriteMark } from './write.mark.js';

/** What to know of the reads of a request. */
export interface ReadsOf {
  /** Chooses a replica that shows all of some writes; undefined where none does. */
  readonly next: (marks: readonly WriteMark[]) => Replica | undefined;
  /** What the client must see, asked once when the request first reads. */
  readonly marks: () => readonly WriteMark[];
  /** Whether all that the endpoint asks on its own account is a read; else only functions of the user's ask for it. */
  readonly isForEndpoint: boolean;
  readonly cancellation: Cancellation | undefined;
}

/**
 * Where one request reads: from one replica all the time, so that what it sees fits together. From the primary on, once
 * it has asked the primary for something: that may have been a write.
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
