import { checkArguments } from '../../options/checked.arguments.js';
import { oneOfTexts } from '../../options/checks.js';
import type { HeaderLines } from '../../wire/answer.js';
import type { SecurityHeader } from '../security.header.js';

/** The `X-Frame-Options` header: it tells if pages may frame the answer (RFC 7034). Default `DENY`. */
export class XFrameOptions implements SecurityHeader {
  readonly headers: HeaderLines;

  constructor(value: 'DENY' | 'SAMEORIGIN' = 'DENY') {
    checkArguments('XFrameOptions', { value: [value, oneOfTexts('DENY', 'SAMEORIGIN')] });
    this.headers = [['X-FRAME-OPTIONS', value]];
  }
}
