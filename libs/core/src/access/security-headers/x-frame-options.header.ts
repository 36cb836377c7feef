import type { HeaderLines } from '../../wire/answer.js';
import type { SecurityHeader } from '../security.header.js';

/** Whether pages may frame the answer (RFC 7034). Default `DENY`. */
export class XFrameOptions implements SecurityHeader {
  readonly headers: HeaderLines;

  constructor(value: 'DENY' | 'SAMEORIGIN' = 'DENY') {
    this.headers = [['X-FRAME-OPTIONS', value]];
  }
}
