import type { HeaderLines } from '../../wire/answer.js';
import type { SecurityHeader } from '../security.header.js';

/** HTTP Strict Transport Security for a year (RFC 6797). */
export class Hsts implements SecurityHeader {
  readonly headers: HeaderLines = [['STRICT-TRANSPORT-SECURITY', 'max-age=31536000']];
}
