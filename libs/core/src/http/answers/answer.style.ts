import type { RequestContext } from '../../endpoint/request.context.js';
import type { Settings } from '../../endpoint/settings.js';
import type { HeaderLine, HeaderLines } from '../../wire/answer.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { EnvelopeWriter } from '../../wire/envelope.writer.js';

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How an endpoint's answers look, errors included: casing of the envelope, and the headers on every answer. */
export class AnswerStyle {
  readonly envelope: EnvelopeWriter;
  /** The headers, when they do not depend on the request. */
  readonly fixedHeaders: HeaderLines | undefined;
  /** Those of `securityHeaders`, which never depend on the request. */
  readonly securityHeaders: HeaderLines;

  constructor(
    owner: string,
    readonly settings: Settings,
  ) {
    const { responseHeaders, securityHeaders, externalCasing } = settings;
    this.envelope = new EnvelopeWriter(externalCasing);
    this.securityHeaders = securityHeaders.flatMap(({ headers }) => headers);
    const bad = this.securityHeaders.find((line) => !isHeaderLine(line));
    if (bad !== undefined) throw new ConfigurationError(owner, 'securityHeaders', refusalOf(bad.join(': ')));
    if (typeof responseHeaders === 'function') return;
    const wrong = responseHeaders.find((line) => !isHeaderLine(headerLine(line)));
    if (wrong !== undefined) throw new ConfigurationError(owner, 'responseHeaders', refusalOf(wrong));
    this.fixedHeaders = [...this.securityHeaders, ...responseHeaders.map(headerLine)];
  }

  /** The headers of one answer. @throws TypeError for a line that is not `key: value` */
  async headers(context: () => RequestContext): Promise<HeaderLines> {
    const { responseHeaders } = this.settings;
    if (this.fixedHeaders !== undefined || typeof responseHeaders !== 'function')
      return this.fixedHeaders ?? [];
    const lines = await responseHeaders(context());
    const wrong = lines.find((line) => !isHeaderLine(headerLine(line)));
    if (wrong !== undefined) throw new TypeError(`responseHeaders: ${refusalOf(wrong)}`);
    return [...this.securityHeaders, ...lines.map(headerLine)];
  }
}

function headerLine(line: string): HeaderLine {
  const colon = Math.max(line.indexOf(':'), 0);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
}

/** A line break in a value would let it forge another header, so it is refused (RFC 9110, 5.5). */
function isHeaderLine([name, value]: HeaderLine): boolean {
  return headerName.test(name) && headerValue.test(value);
}

function refusalOf(line: string): string {
  return `the header ${JSON.stringify(line)} is not of the form 'key: value'`;
}
