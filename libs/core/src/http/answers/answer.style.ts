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

  /** The headers of every answer and those of this one, which scripts of other origins may read, too. */
  joined(headers: HeaderLines, own: HeaderLines): HeaderLines {
    if (own.length === 0) return headers;
    const exposed = own.map(([name]) => name).filter((name) => exposable.has(name.toLowerCase()));
    if (exposed.length === 0) return [...headers, ...own];
    const exposing = this.settings.securityHeaders.flatMap((one) => one.exposingHeaders?.(exposed) ?? []);
    return [...merged(headers, exposing), ...own];
  }
}

/** Headers of single answers that tell a client something it may need; no script of another origin reads them unasked. */
const exposable: ReadonlySet<string> = new Set(['etag', 'idempotency-replayed', 'x-consistency']);

/** Lists of names add up: the user's own may expose others. */
function merged(headers: HeaderLines, lists: HeaderLines): HeaderLines {
  const added = new Map(lists.map(([name, value]) => [name.toLowerCase(), value]));
  const joined = headers.map(([name, value]): HeaderLine => {
    const more = added.get(name.toLowerCase());
    return more === undefined ? [name, value] : [name, `${value}, ${more}`];
  });
  const known = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...joined, ...lists.filter(([name]) => !known.has(name.toLowerCase()))];
}

/** A line without a colon has no name, and is refused for it. */
function headerLine(line: string): HeaderLine {
  const colon = line.indexOf(':');
  if (colon === -1) return ['', line];
  return [line.slice(0, colon).trim(), withoutBlanks(line.slice(colon + 1))];
}

/** Without the blanks around it; a pattern would go through a run of them once for each (RFC 9110, 5.5). */
function withoutBlanks(value: string): string {
  let [start, end] = [0, value.length];
  while (isBlank(value[start])) start += 1;
  while (end > start && isBlank(value[end - 1])) end -= 1;
  return value.slice(start, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** A line break in a value would let it forge another header, so it is refused (RFC 9110, 5.5). */
function refuseWrong(lines: HeaderLines, errorOf: (problem: string) => Error): void {
  const wrong = lines.find(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  if (wrong === undefined) return;
  const line = wrong.filter((part) => part !== '').join(': ');
  throw errorOf(`the header ${JSON.stringify(line)} is not of the form 'key: value'`);
}
