import { BadRequest } from './refusals.js';

/** An entity tag as a client sends it (RFC 9110, 8.8.3). */
interface EntityTag {
  /** The text between the quotes. */
  readonly opaque: string;
  readonly isWeak: boolean;
}

/** One tag of a list, or an empty element, which a recipient ignores (RFC 9110, 5.6.1.2), up to the comma or the end. */
const element = /[\t ]*(?:(W\/)?"([!#-~\x80-\xff]*)"[\t ]*)?(,|$)/y;

/** The contents of `If-Match` and `If-None-Match`: entity tags, or `*`, which is any. */
export class EntityTagList {
  private constructor(
    readonly isAny: boolean,
    private readonly tags: readonly EntityTag[],
  ) {}

  /** @throws BadRequest for what is neither `*` nor a list with a tag in it */
  static parse(headerName: string, text: string): EntityTagList {
    if (text.trim() === '*') return new EntityTagList(true, []);
    const tags = tagsIn(text);
    if (tags !== undefined) return new EntityTagList(false, tags);
    throw new BadRequest(`The header ${headerName} must be * or a list of entity tags in double quotes`);
  }

  /** The tags that a strong comparison may find equal to another: a weak one never is (RFC 9110, 8.8.3.2). */
  get strong(): readonly string[] {
    const strong: string[] = [];
    for (const { opaque, isWeak } of this.tags) if (!isWeak) strong.push(opaque);
    return strong;
  }

  /** All tags that are listed: the weak comparison takes any (RFC 9110, 8.8.3.2). */
  get weak(): readonly string[] {
    return this.tags.map(({ opaque }) => opaque);
  }

  /** True if the weak comparison finds a tag in the list (RFC 9110, 8.8.3.2). */
  hasWeakly(opaque: string): boolean {
    return this.isAny || this.tags.some((tag) => tag.opaque === opaque);
  }
}

function tagsIn(text: string): readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  element.lastIndex = 0;
  for (;;) {
    const found = element.exec(text);
    if (found === null) return undefined;
    const [, weak, opaque, end] = found;
    if (opaque !== undefined) tags.push({ opaque, isWeak: weak !== undefined });
    if (end === '') return tags.length === 0 ? undefined : tags;
  }
}
