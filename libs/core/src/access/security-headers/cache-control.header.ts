import { checkArguments } from '../../options/checked.arguments.js';
import { filledText } from '../../options/checks.js';
import type { HeaderLines } from '../../wire/answer.js';
import type { SecurityHeader } from '../security.header.js';

/** The `Cache-Control` header: who may store answers, and how long (RFC 9111, 5.2). Default `no-store`. */
export class CacheControl implements SecurityHeader {
  readonly headers: HeaderLines;

  constructor(directives = 'no-store') {
    checkArguments('CacheControl', { directives: [directives, filledText] });
    this.headers = [['CACHE-CONTROL', directives]];
  }
}
