import type { RequestContext } from '../../endpoint/request.context.js';
import type { Settings } from '../../endpoint/settings.js';
import type { HeaderLines } from '../../wire/answer.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { EnvelopeWriter } from '../../wire/envelope.writer.js';

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How an endpoint's answers look, errors included: casing of the envelope, and the headers on every answer. */
export class AnswerStyle {
  readonly envelope: EnvelopeWriter;
  /** The headers, when they do not depend on the request. */
  readonly fixedHeaders: HeaderLines | undefined;
  readonly #security: HeaderLines;

  constructor(
    owner: string,
    readonly settings: Settings,
  ) {
    const { responseHeaders, securityHeaders, externalCasing } = settings;
    this.envelope = new EnvelopeWriter(externalCasing);
    this.#security = securityHeaders.flatMap(({ headers }) => headers);
    if (typeof responseHeaders === 'function') return;
    try {
      this.fixedHeaders = [...this.#security, ...headerLines(responseHeaders)];
    } catch (error) {
      throw new ConfigurationError(owner, 'responseHeaders', String(error));
    }
  }

  /** The headers of one answer. @throws TypeError for a line that is not `key: value` */
  async headers(context: () => RequestContext): Promise<HeaderLines> {
    const { responseHeaders } = this.settings;
    if (this.fixedHeaders !== undefined || typeof responseHeaders !== 'function')
      return this.fixedHeaders ?? [];
    return [...this.#security, ...headerLines(await responseHeaders(context()))];
  }
}

/** A line break in a value would let it forge another header, so it is refused (RFC 9110, 5.5). */
function headerLines(lines: readonly string[]): HeaderLines {
  return lines.map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim();
    const value = line.slice(colon + 1).trim();
    if (headerName.test(name) && headerValue.test(value)) return [name, value];
    throw new TypeError(`the response header ${JSON.stringify(line)} is not of the form 'key: value'`);
  });
}
