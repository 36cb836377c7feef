import type { Readable } from 'node:stream';

/** A body that flows. */
export class StreamBody {
  constructor(
    readonly readable: Readable,
    /** The time that a client may read nothing before its connection is cut, in milliseconds; 0: no limit. */
    readonly stallLimit: number,
    /** Is told at once that nobody reads any more: a readable closes only when what it waits for has come. */
    private readonly whenClosed: () => void = () => undefined,
    /** True if it waits most of its time for something to tell, so that it is no work and has no place. Default false. */
    readonly isLasting = false,
    /**
     * Its length, which clients are told; undefined where nobody knows it when the answer begins. A readable that has fewer bytes
     * after all must fail: who reads would take the next answer for the rest.
     */
    readonly bytes?: number,
  ) {}

  /** Ends it, whether anybody has read of it or not. */
  close(): void {
    this.readable.destroy();
    this.whenClosed();
  }
}
