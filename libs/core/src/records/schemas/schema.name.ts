/** The names that a schema of a tenant may have: none of them needs quotes to be what it is. */
const possible = /^[a-z_][a-z0-9_]{0,62}$/;

/** The schemas that are never a tenant's: PostgreSQL's own, and the one of our own tables. */
const reserved = /^(?:pg_.*|information_schema|nest_endpoints)$/;

/** The characters of a pattern: those of names, and `*` for any number of them. */
const patterns = /^[a-z_*][a-z0-9_*]{0,62}$/;

/** True for a name that the schema of a tenant may have. */
export function isSchemaName(name: unknown): name is string {
  return typeof name === 'string' && possible.test(name) && !reserved.test(name);
}

/** True for the name of a schema in which each `*` stands for any characters. */
export function isSchemaPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && patterns.test(pattern);
}

/**
 * Makes the question if a schema is one of those that are named, or that a pattern describes.
 *
 * @param named names, and patterns with `*`
 * @param own schemas of the application itself, which no pattern means: only their names do
 */
export function schemasNamed(named: readonly string[], own: ReadonlySet<string>): (name: string) => boolean {
  const exact = new Set(named.filter((one) => !one.includes('*')));
  const described = named.filter((one) => one.includes('*')).map((one) => one.split('*'));
  return (name) =>
    isSchemaName(name) &&
    (exact.has(name) || (!own.has(name) && described.some((parts) => fits(name, parts))));
}

/** True if the parts stand in a text one behind the other, the first at its beginning and the last at its end. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
