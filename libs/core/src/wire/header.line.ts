import type { HeaderLine, HeaderLines } from './answer.js';

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A header as `key: value` says it. A line without a colon has no name, and is refused for it. */
export function headerLine(line: string): HeaderLine {
  const colon = line.indexOf(':');
  if (colon === -1) return ['', line];
  return [line.slice(0, colon).trim(), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
}

/**
 * The problem of the first header that is not one; undefined where all are. A line break in a value would let it forge
 * another header (RFC 9110, 5.5).
 */
export function headerComplaint(lines: HeaderLines): string | undefined {
  const wrong = lines.find(([name, value]) => !headerName.test(name) || !headerValue.test(value));
  if (wrong === undefined) return undefined;
  const line = wrong.filter((part) => part !== '').join(': ');
  return `the header ${JSON.stringify(line)} is not of the form 'key: value'`;
}
