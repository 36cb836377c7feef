import { checkArguments } from '../../options/checked.arguments.js';
import { filledText } from '../../options/checks.js';
import type { HeaderLines } from '../../wire/answer.js';
import type { SecurityHeader } from '../security.header.js';

/** Content Security Policy. The default suits JSON: nothing may be loaded, nobody may frame it. */
export class Csp implements SecurityHeader {
  readonly headers: HeaderLines;

  constructor(policy = "default-src 'none'; frame-ancestors 'none'") {
    checkArguments('Csp', { policy: [policy, filledText] });
    this.headers = [['CONTENT-SECURITY-POLICY', policy]];
  }
}
