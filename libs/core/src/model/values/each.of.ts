/** A value, or in a list each of its items: rules about texts and numbers hold for the items of a list. */
export function eachOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
