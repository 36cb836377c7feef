/** The tokens of a pattern: an escaped character, wildcards in a row, and any other text. */
const tokens = /\\.|[%_]+|[^\\%_]+|\\$/gsu;

/**
 * Makes a pattern that matches the same, but without work for nothing: of wildcards in a row the single characters come
 * first, then one `%`.
 */
export function plainPattern(pattern: string): string {
  return pattern.replace(tokens, (token) => {
    if (!/^[%_]/.test(token) || !token.includes('%')) return token;
    return `${token.replaceAll('%', '')}%`;
  });
}

/** Counts the searches that a pattern of {@link plainPattern} has to make. */
export function searchesIn(pattern: string): number {
  let searches = 0;
  for (const [token] of pattern.matchAll(tokens))
    if (/^[%_]/.test(token) && token.endsWith('%')) searches += 1;
  return searches;
}

/** A text as a pattern that only it meets. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
