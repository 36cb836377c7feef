/** Gives what a text says as JSON, for a column that is a list; the text itself where it says nothing. */
export function jsonOrText(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) ?? text;
  } catch {
    return text;
  }
}
