import type { HeaderLines } from '../../wire/answer.js';
import type { SecurityHeader } from '../security.header.js';

/** Browsers must not guess another content type (Fetch, X-Content-Type-Options). */
export class XContentTypeOptions implements SecurityHeader {
  readonly headers: HeaderLines = [['X-CONTENT-TYPE-OPTIONS', 'nosniff']];
}
