/** PostgreSQL stores neither NUL nor an unpaired surrogate (its encoding is UTF-8). */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * True if a JSON value can be stored: every text in it, keys included. It walks with a list, so that no depth is too
 * much.
 */
export function isStorableJson(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string' && !isStorable(next)) return false;
    if (typeof next === 'number' && !Number.isFinite(next)) return false;
    if (Array.isArray(next)) for (const item of next as unknown[]) rest.push(item);
    else if (typeof next === 'object' && next !== null) {
      if (!Object.keys(next).every(isStorable)) return false;
      for (const member of Object.values(next) as unknown[]) rest.push(member);
    }
  }
  return true;
}

/** The complaint about a text for which these are false. */
export const notStorableMessage = 'value contains characters that cannot be stored';
