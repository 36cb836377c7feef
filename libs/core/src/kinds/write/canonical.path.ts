import type { KindContext } from '../../endpoint/kind.context.js';
import { namedParents } from '../../endpoint/named.parents.js';
import { canonicalPath, requestPath, type RoutePattern } from '../../endpoint/route.pattern.js';
import type { Column } from '../../model/column.js';
import type { Model } from '../../model/model.js';

/**
 * Writes the path of a request in one way: a parameter that is read with a column's type as its value would be written, so
 * that `/tickets/01` is `/tickets/1`. Made once per endpoint.
 */
export class CanonicalPath {
  private constructor(
    private readonly pattern: RoutePattern,
    /** The columns that parameters are values of, by the names of the parameters. */
    private readonly columns: ReadonlyMap<string, Column>,
  ) {}

  /** @param merged the columns of the parameters that are merged over the body; those of parents are known */
  static of(
    { owner, pattern, settings: { parent } }: KindContext,
    model: Model,
    merged: ReadonlyMap<string, Column>,
  ): CanonicalPath {
    const parents = parent === undefined ? [] : namedParents(owner, parent, model).all;
    const named = parents.map(({ parameter, path }) => [parameter, path.column] as const);
    return new CanonicalPath(pattern, new Map([...merged, ...named]));
  }

  textOf(path: string): string {
    if (this.columns.size === 0) return path;
    const { segments } = requestPath(path);
    const { segments: named } = this.pattern;
    // What stands before the pattern, a prefix of the application, has parameters of nobody's here.
    const before = segments.length - named.length;
    return canonicalPath(
      segments.map((text, index) => {
        const segment = named[index - before];
        const column = segment && 'parameter' in segment ? this.columns.get(segment.parameter) : undefined;
        return column === undefined ? text : writtenAs(column, text);
      }),
    );
  }
}

/** The text of the value that a text stands for; the text itself where it stands for none. */
function writtenAs({ type }: Column, text: string): string {
  const value = type.fromText(text);
  if (value === null || type.complaint(value) !== undefined) return text;
  const key = type.keyText(type.toDatabase(value));
  return key.startsWith('"') ? String(JSON.parse(key)) : key;
}
