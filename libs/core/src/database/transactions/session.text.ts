/** Writes the value of a variable of row level security, which is a text in a session. */
export function sessionText(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

const settingTexts: string[] = [];

/** Writes the statement that sets so many settings until the transaction ends: their names and values are its parameters. */
export function settingText(count: number): string {
  return (settingTexts[count] ??= `select ${Array.from(
    { length: count },
    (_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`,
  ).join(', ')}`);
}
