/** A piece of SQL of MariaDB, with where it stands. */
export interface SqlToken {
  /** `open` is a comment or text that does not end, a comment that MariaDB runs, or a control character. */
  readonly kind: 'word' | 'name' | 'text' | 'mark' | 'open';
  /** The text as it stands; of a word in small letters. */
  readonly text: string;
  /** In UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Only what MariaDB takes for a space: behind `--` another character begins no comment. */
const space = /[ \t\r\n]+/y;
const comment = /(?:--(?=[ \t\r\n]|$)|#)[^\n]*|\/\*(?!M?!)[^]*?\*\//y;
const refused = /\/\*/y;
const parts: readonly (readonly [SqlToken['kind'], RegExp])[] = [
  ['name', /`(?:[^`]|``)*`/y],
  ['text', /[xXbBnN]?'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"/y],
  ['word', /[\p{L}\p{N}_$@]+/uy],
  ['open', /[`'"\p{Cc}]/uy],
  ['mark', /[^]/uy],
];

/**
 * The pieces of a text without comments, as MariaDB reads it with the `sql_mode` that {@link sessionSettings} sets. Comments
 * that MariaDB runs, and texts that do not end, are pieces that no statement may have.
 */
export function tokensOf(sql: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let start = 0; start < sql.length;) {
    const skipped = matched(space, sql, start) ?? matched(comment, sql, start);
    if (skipped !== undefined) {
      start += skipped.length;
      continue;
    }
    const token = tokenAt(sql, start);
    tokens.push(token);
    start = token.end;
  }
  return tokens;
}

function tokenAt(sql: string, start: number): SqlToken {
  const at = (kind: SqlToken['kind'], text: string): SqlToken => ({
    kind,
    text,
    start,
    end: start + text.length,
  });
  const isRun = matched(refused, sql, start);
  if (isRun !== undefined) return at('open', isRun);
  for (const [kind, pattern] of parts) {
    const text = matched(pattern, sql, start);
    if (text === undefined) continue;
    const end = start + text.length;
    return { kind, text: kind === 'word' ? text.toLowerCase() : text, start, end };
  }
  throw new Error('every text has a next piece');
}

function matched(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

/** The parts of a list between commas that stand in no parentheses. */
export function partsOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const found: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    if (token.text === ',' && depth === 0) found.push([]);
    else found.at(-1)?.push(token);
  }
  return found;
}

/** A name as SQL writes it, without its quotes. */
export function unquoted({ kind, text }: SqlToken): string {
  return kind === 'name' ? text.slice(1, -1).replaceAll('``', '`') : text;
}
