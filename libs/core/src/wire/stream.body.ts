import type { Readable } from 'node:stream';

/** A body that flows: its length is not known when the answer begins. */
export class StreamBody {
  constructor(
    readonly readable: Readable,
    /** How long a client may read nothing before its connection is cut, in milliseconds; 0 for as long as it likes. */
    readonly stallLimit: number,
  ) {}
}
