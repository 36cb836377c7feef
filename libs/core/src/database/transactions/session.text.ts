/** Writes the value of a variable of row level security, which is a text in a session. */
export function sessionText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
