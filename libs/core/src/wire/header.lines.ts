import type { HeaderLine, HeaderLines } from './answer.js';

/**
 * The headers that carry an answer on one connection, and its time (RFC 9110, 6.6.1 and 7.6.1): HTTP writes these itself.
 * With a second value a client could take the rest of a body for the next answer.
 */
const ofConnections: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'content-length',
  'date',
]);

const nameForm = /^[!#$%&'*+.^_`|~\w-]+$/;
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/** A header as `key: value` says it. A line without a colon has no name, and is refused for it. */
export function headerLine(line: string): HeaderLine {
  const colon = line.indexOf(':');
  if (colon === -1) return ['', line];
  return [line.slice(0, colon).trim(), withoutBlanks(line.slice(colon + 1))];
}

/** True for the line of a media type. */
export const isContentType = ([name]: HeaderLine): boolean => name.toLowerCase() === 'content-type';

/** The media type among lines: the last one, as with all others. */
export function typeIn(lines: HeaderLines): string | undefined {
  return lines.findLast(isContentType)?.[1];
}

/** The lines that belong to an answer itself, whoever gave them: without those of connections, and what `Connection` names. */
export function ownLines(lines: HeaderLines): HeaderLines {
  const named = lines
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => listed(value));
  return lines.filter(([name]) => {
    const known = name.toLowerCase();
    return !ofConnections.has(known) && !named.includes(known);
  });
}

/**
 * Says which line is none. A line break in a value would let it forge another header, so it is refused (RFC 9110, 5.5).
 *
 * @returns a sentence; undefined where all are well
 */
export function problemIn(lines: HeaderLines): string | undefined {
  const wrong = lines.find(([name, value]) => !nameForm.test(name) || !valueForm.test(value));
  if (wrong === undefined) return undefined;
  const line = wrong.filter((part) => part !== '').join(': ');
  return `the header ${JSON.stringify(line)} is not of the form 'key: value'`;
}

/** Headers that are lists, of which nothing may be lost (RFC 9110, 12.5.5; RFC 8288, 3). */
const lists: ReadonlySet<string> = new Set(['vary', 'link']);

/**
 * Replaces lines by others of the same name. Of a line that is a list (`Vary`, `Link`) nothing is lost, and cookies stand
 * beside each other.
 */
export function replacedLines(lines: HeaderLines, by: HeaderLines): HeaderLines {
  const names = new Set(by.map(([name]) => name.toLowerCase()));
  const kept = lines.filter(
    ([name]) => name.toLowerCase() === 'set-cookie' || !names.has(name.toLowerCase()),
  );
  return [...kept, ...by.map((line) => withEarlier(line, lines))];
}

/** True for a header that is a list. @param key its name in lower case */
export function isListed(key: string): boolean {
  return lists.has(key);
}

/** A list beside what middleware has said in it. @param earlier what the response has of it; undefined for nothing */
export function besideEarlier(
  value: string,
  earlier: number | string | readonly string[] | undefined,
): string {
  if (earlier === undefined) return value;
  const known = [earlier].flat().join(', ');
  const more = value.split(', ').filter((one) => !known.split(', ').includes(one));
  return [known, ...more].join(', ');
}

function withEarlier([name, value]: HeaderLine, lines: HeaderLines): HeaderLine {
  const key = name.toLowerCase();
  if (!lists.has(key)) return [name, value];
  const earlier = lines.filter(([other]) => other.toLowerCase() === key).map(([, text]) => text);
  return [name, [...earlier, value].join(', ')];
}

function listed(value: string): string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
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
