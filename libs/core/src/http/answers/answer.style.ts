import type { RequestContext } from '../../access/request.context.js';
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
    refuseWrong(this.securityHeaders, (problem) => new ConfigurationError(owner, 'securityHeaders', problem));
    if (typeof responseHeaders === 'function') return;
    const lines = responseHeaders.map(headerLine);
    refuseWrong(lines, (problem) => new ConfigurationError(owner, 'responseHeaders', problem));
    this.fixedHeaders = [...this.securityHeaders, ...lines];
  }

  /** The headers of one answer. @throws TypeError for a line that is not `key: value` */
  async headers(context: () => RequestContext): Promise<HeaderLines> {
    const { responseHeaders } = this.settings;
    if (this.fixedHeaders !== undefined || typeof responseHeaders !== 'function')
      return this.fixedHeaders ?? [];
    const lines = (await responseHeaders(context())).map(headerLine);
    refuseWrong(lines, (problem) => new TypeError(`responseHeaders: ${problem}`));
    return [...this.securityHeaders, ...lines];
  }
}

/** A line without a colon has no name, and is refused for it. */
function headerLine(line: string): HeaderLine {
  const colon = line.indexOf(':');
  if (colon === -1) return ['', line];
  return [line.slice(0, colon).trim(), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
}

/** A line break in a value would let it forge another header, so it is refused (RFC 9110, 5.5). */
function refuseWrong(lines: HeaderLines, errorOf: (problem: string) => Error): void {
  const wrong = lines.find(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  if (wrong === undefined) return;
  const line = wrong.filter((part) => part !== '').join(': ');
  throw errorOf(`the header ${JSON.stringify(line)} is not of the form 'key: value'`);
}
