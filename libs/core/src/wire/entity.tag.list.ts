import { BadRequest } from './refusals.js';

/** One tag of a list, or an empty element, which a recipient ignores (RFC 9110, 5.6.1.2), up to the comma or the end. */
const element = /[\t ]*(?:(W\/)?"([!#-~\x80-\xff]*)"[\t ]*)?(,|$)/y;

/** The entity tags that a header lists (RFC 9110, 8.8.3), each the text between its quotes. */
export interface EntityTagList {
  /** The tags that a strong comparison may find equal to another: a weak one never is (RFC 9110, 8.8.3.2). */
  readonly strong: readonly string[];
  /** All tags that are listed: the weak comparison takes any (RFC 9110, 8.8.3.2). */
  readonly weak: readonly string[];
}

/**
 * Reads the contents of `If-Match` or `If-None-Match`: entity tags, or `*`, which is any.
 * @throws BadRequest for what is neither `*` nor a list with a tag in it
 */
export function entityTags(headerName: string, text: string): EntityTagList | 'any' {
  if (text.trim() === '*') return 'any';
  const list = listIn(text);
  if (list !== undefined) return list;
  throw new BadRequest(`The header ${headerName} must be * or a list of entity tags in double quotes`);
}

function listIn(text: string): EntityTagList | undefined {
  const strong: string[] = [];
  const weak: string[] = [];
  element.lastIndex = 0;
  for (;;) {
    const found = element.exec(text);
    if (found === null) return undefined;
    const [, mark, opaque, end] = found;
    if (opaque !== undefined) {
      weak.push(opaque);
      if (mark === undefined) strong.push(opaque);
    }
    if (end === '') return weak.length === 0 ? undefined : { strong, weak };
  }
}
